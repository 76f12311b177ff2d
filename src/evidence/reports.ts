/** The reports that a folder holds beside its results: each a function of what else is in it. */
import type { Recorded } from "../cassette/format.ts";
import type { Interfaces } from "../check/catalogue.ts";
import { type Format, formats, type Render, type ReportSources } from "../report/formats.ts";
import { gathered, jsonPieces } from "../report/json.ts";
import type { Results } from "../report/options.ts";
import type { Times } from "../report/times.ts";
import type { Provenance } from "./manifest.ts";
import { pageOf } from "./page.ts";

/** The content of a folder beside its results. */
export interface FolderContents {
  readonly catalogue: Interfaces;
  /** Every exchange of the folder, in order; may be gone through once. */
  readonly exchanges: Iterable<Recorded>;
  /** How long their answers took. */
  readonly times: Times;
  readonly made: Provenance;
}

/** The sources of a folder's reports. */
export const sourcesIn = (results: Results, { catalogue, exchanges, times, made }: FolderContents): ReportSources => ({
  clauses: catalogue.clauses,
  times,
  page: () => pageOf(results, exchanges, catalogue, made),
});

/** File name to how its content is made. */
export type Reports = Readonly<Record<string, Render<"results">>>;

/** Files are written at once, so what makes them is loaded before. */
async function loaded(isWanted: (format: Format<"results">) => boolean): Promise<Reports> {
  const wanted = formats.results.filter(isWanted);
  const rows = wanted.map(async ({ file, render }) => (file === undefined ? [] : [[file, await render()] as const]));
  return Object.fromEntries((await Promise.all(rows)).flat());
}

/** Those of every folder. */
export const reports: Reports = await loaded(({ isTracker }) => !isTracker);

/** The reports that code scanning and merge requests read. */
export const trackers: Reports = await loaded(({ isTracker }) => isTracker === true);

/** The text of `results.json`. */
export const resultsPieces = (results: Results): Generator<string> => gathered(jsonPieces(results));
