/** Makes the page of several targets side by side, with the exchanges that their folders hold. */
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { openSource } from "../cassette/read.ts";
import type { Interfaces } from "../check/catalogue.ts";
import type { PackedExchanges } from "../report/page/pack.ts";
import type { SideBySide } from "../report/side-by-side/document.ts";
import { createColumnPacker, sideBySidePage } from "../report/side-by-side/page.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { exchangesName } from "./manifest.ts";

/** Results of a column, and where they were read from: folders, or files in them. */
export interface ColumnSource {
  readonly results: RunResults;
  readonly paths: readonly string[];
}

export interface PageParts {
  readonly catalogue: Interfaces;
  /** Script and style of the page `compare`. */
  readonly bundle: { readonly script: string; readonly style: string };
}

/** @param columns one for each column of the document. UserError where exchanges cannot be read. */
export async function columnsPage(
  document: SideBySide,
  columns: readonly ColumnSource[],
  { bundle, catalogue }: PageParts,
): Promise<Iterable<string>> {
  const { clauses, readings, interfaces } = catalogue;
  const exchanges: PackedExchanges[] = [];
  for (const [i, { results, paths }] of columns.entries()) {
    const packer = createColumnPacker(document, i, results, interfaces);
    const files = paths.map(exchangesBeside).filter((file) => existsSync(file));
    for (const file of files) for await (const recorded of await openSource(file)) packer.add(recorded);
    exchanges.push(packer.finish(files.length > 0 ? "all" : "absent"));
  }
  return sideBySidePage(document, { clauses, readings, exchanges }, bundle);
}

const exchangesBeside = (path: string): string =>
  join(statSync(path).isDirectory() ? path : dirname(path), exchangesName);
