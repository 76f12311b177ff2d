/** The reports that a folder holds beside its results: each a function of what else is in it. */
import type { Recorded } from "../cassette/format.ts";
import type { Interfaces } from "../check/catalogue.ts";
import { formatGitlab } from "../report/gitlab.ts";
import { gathered, jsonPieces } from "../report/json.ts";
import { formatJunit } from "../report/junit.ts";
import { formatMarkdown } from "../report/markdown.ts";
import type { Results } from "../report/options.ts";
import { formatSarif } from "../report/sarif.ts";
import type { Times } from "../report/times.ts";
import { type Provenance, pageName } from "./manifest.ts";
import { pageOf } from "./page.ts";

/** What reports are made of, beside the results. */
export interface ReportSources {
  readonly catalogue: Interfaces;
  /** Every exchange of the folder, in order; may be gone through once. */
  readonly exchanges: Iterable<Recorded>;
  /** How long their answers took. */
  readonly times: Times;
  readonly made: Provenance;
}

/** File name to how its content is made, in pieces or whole. */
export type Reports = Readonly<Record<string, (results: Results, sources: ReportSources) => string | Iterable<string>>>;

export const reports: Reports = {
  "junit.xml": (results, { catalogue, times }) => formatJunit(results, catalogue, times),
  [pageName]: (results, { catalogue, exchanges, made }) => pageOf(results, exchanges, catalogue, made),
  "summary.md": (results, { catalogue }) => formatMarkdown(results, catalogue),
};

/** What code scanning and merge requests read. */
export const trackers: Reports = {
  "results.sarif": (results, { catalogue }) => formatSarif(results, catalogue),
  "gl-code-quality-report.json": (results, { catalogue }) => formatGitlab(results, catalogue),
};

/** The text of `results.json`. */
export const resultsPieces = (results: Results): Generator<string> => gathered(jsonPieces(results));
