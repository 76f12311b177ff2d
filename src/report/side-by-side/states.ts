/** The states of cells, and which of them are verdicts. */
import type { State } from "./document.ts";

export const states: readonly State[] = [
  "pass",
  "unenforced",
  "warning",
  "expected",
  "fail",
  "no-verdict",
  "skipped",
  "untested",
  "unasked",
  "broken",
];

/** How bad a verdict is; states that are none have no place here. */
export const severityRank: Partial<Record<State, number>> = {
  pass: 0,
  unenforced: 1,
  warning: 2,
  expected: 3,
  fail: 3,
};

/** Whether a state counts as shown: what is unenforced counts in no headline. */
export const isShown = (state: State): boolean => severityRank[state] !== undefined && state !== "unenforced";
