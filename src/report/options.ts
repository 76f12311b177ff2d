/** The options of every formatter. */
import type { Clause } from "../check/clause.ts";
import type { VerdictDocument } from "../verdict/document.ts";
import type { RunResults } from "../verdict/run-results.ts";

/** A judged document, of a run or of recordings. */
export type Results = VerdictDocument | RunResults;

export interface ReportOptions {
  /** Sentences, sections and sources of the clauses. */
  readonly clauses: readonly Clause[];
  /** ANSI colours; off unless asked for. */
  readonly color?: boolean;
  /** Whether text lists what it only counts otherwise. */
  readonly verbose?: boolean;
}

export function isRun(results: Results): results is RunResults {
  return "plan" in results;
}
