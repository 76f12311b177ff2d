/** The page of gateways or clients whose results stand in files, with the exchanges that lie beside them. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleOf } from "../../bundle.ts";
import type { Interfaces } from "../../check/catalogue.ts";
import { createOutcomePacker, outcomePage } from "../../report/outcomes/page.ts";
import type { OutcomeTable } from "../../report/outcomes/table.ts";
import type { PackedExchanges } from "../../report/page/pack.ts";
import { exchangesName } from "../manifest.ts";
import { manifestBeside } from "../page-of-files.ts";
import { openExchanges } from "../read-folder.ts";
import type { OutcomeDocument } from "./read.ts";

/** What a column was read from. */
export interface OutcomeSource {
  readonly document: OutcomeDocument;
  /** The file of the results. */
  readonly file: string;
}

/** @param sources one a column of the table. UserError where exchanges cannot be read. */
export async function outcomesPage(
  table: OutcomeTable,
  sources: readonly OutcomeSource[],
  { clauses, readings, interfaces }: Interfaces,
): Promise<Iterable<string>> {
  const exchanges: PackedExchanges[] = [];
  for (const [i, { document, file }] of sources.entries()) {
    const packer = createOutcomePacker(table, i, document, interfaces);
    const folder = dirname(file);
    const isThere = existsSync(join(folder, exchangesName));
    if (isThere) for await (const recorded of await openExchanges(folder)) packer.add(recorded);
    exchanges.push(packer.finish(isThere ? "all" : "absent"));
  }
  const made = sources.length === 1 ? await manifestBeside(sources[0]!.file) : undefined;
  const findings = sources.flatMap(({ document }) => document.findings);
  return outcomePage(
    table,
    { command: made?.command ?? null, clauses, readings, findings, exchanges },
    bundleOf("outcomes"),
  );
}
