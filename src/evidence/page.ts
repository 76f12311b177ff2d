/** The page of a folder: what results, exchanges and their provenance come to. */
import { bundleOf } from "../bundle.ts";
import type { Recorded } from "../cassette/format.ts";
import type { Interfaces } from "../check/catalogue.ts";
import type { Results } from "../report/options.ts";
import { createPacker, type Packer } from "../report/page/pack.ts";
import { reportPage } from "../report/page/page.ts";
import { loadFitness } from "../run/plan/fitness-data.ts";
import type { Kept, Provenance } from "./manifest.ts";

/** A page that takes exchanges one by one. */
export interface GrowingPage {
  add: Packer["add"];
  /** The page, in pieces. @param made null where nobody knows what made the results */
  finish(made: Omit<Provenance, "evidence"> | null, kept: Kept | "absent"): Iterable<string>;
}

export function openPage(results: Results, { clauses, readings, interfaces }: Interfaces): GrowingPage {
  const packer = createPacker(results, interfaces);
  return {
    add: packer.add,
    finish: (made, kept) =>
      reportPage(
        results,
        { clauses, readings, clients: loadFitness().clients, made },
        packer.finish(kept),
        bundleOf("report"),
      ),
  };
}

/** The page of these exchanges. */
export function pageOf(
  results: Results,
  exchanges: Iterable<Recorded>,
  catalogue: Interfaces,
  { evidence, ...made }: Provenance,
): Iterable<string> {
  const page = openPage(results, catalogue);
  for (const recorded of exchanges) page.add(recorded);
  return page.finish(made, evidence);
}
