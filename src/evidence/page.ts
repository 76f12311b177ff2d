/** The page of a folder: what results, exchanges and their provenance come to. */
import { bundleOf } from "../bundle.ts";
import type { Recorded } from "../cassette/format.ts";
import type { Clause } from "../check/clause.ts";
import { loadReadings } from "../interfaces/clause-data.ts";
import type { Results } from "../report/options.ts";
import { createPacker, type Packer } from "../report/page/pack.ts";
import { reportPage } from "../report/page/page.ts";
import { loadFitness } from "../run/plan/fitness-data.ts";
import type { Kept, Provenance } from "./manifest.ts";

/** A page that takes exchanges one by one. */
export interface GrowingPage {
  add: Packer["add"];
  /** The page, in pieces. @param made null where nobody knows what made the results */
  finish(
    clauses: readonly Clause[],
    made: Omit<Provenance, "evidence"> | null,
    kept: Kept | "absent",
  ): Iterable<string>;
}

export function openPage(results: Results): GrowingPage {
  const packer = createPacker(results);
  return {
    add: packer.add,
    finish: (clauses, made, kept) =>
      reportPage(
        results,
        { clauses, readings: loadReadings(), clients: loadFitness().clients, made },
        packer.finish(kept),
        bundleOf("report"),
      ),
  };
}

/** The page of these exchanges. */
export function pageOf(
  results: Results,
  exchanges: Iterable<Recorded>,
  clauses: readonly Clause[],
  { evidence, ...made }: Provenance,
): Iterable<string> {
  const page = openPage(results);
  for (const recorded of exchanges) page.add(recorded);
  return page.finish(clauses, made, evidence);
}
