/** The reports that a folder holds beside its results: each a function of them. */
import type { Clause } from "../check/clause.ts";
import { formatGitlab } from "../report/gitlab.ts";
import { formatHtml } from "../report/html.ts";
import { gathered, jsonPieces } from "../report/json.ts";
import { formatJunit } from "../report/junit.ts";
import { formatMarkdown } from "../report/markdown.ts";
import type { Results } from "../report/options.ts";
import { formatSarif } from "../report/sarif.ts";

export const resultsName = "results.json";
export const exchangesName = "exchanges.jsonl";

/** File name to how its content is made. */
export type Reports = Readonly<Record<string, (results: Results, clauses: readonly Clause[]) => string>>;

export const reports: Reports = {
  "junit.xml": (results, clauses) => formatJunit(results, { clauses }),
  "report.html": (results, clauses) => formatHtml(results, { clauses }),
  "summary.md": (results, clauses) => formatMarkdown(results, { clauses }),
};

/** What code scanning and merge requests read. */
export const trackers: Reports = {
  "results.sarif": (results, clauses) => formatSarif(results, { clauses }),
  "gl-code-quality-report.json": (results, clauses) => formatGitlab(results, { clauses }),
};

/** The text of `results.json`. */
export const resultsPieces = (results: Results): Generator<string> => gathered(jsonPieces(results));
