/** Holds what results predict of clients against what the clients themselves did: how many lines of a report are right. */
import type { ClientOutcome, RunResults } from "../../verdict/run-results.ts";

/** A prediction that the client itself did not bear out. */
export interface WrongLine {
  readonly client: string;
  readonly predicted: ClientOutcome["outcome"];
  readonly seen: ClientOutcome["outcome"];
  readonly because: readonly string[];
}

export interface ComparedLines {
  /** Lines that the client itself can be held against. */
  readonly all: number;
  readonly wrong: readonly WrongLine[];
}

/** Lines are of use if so many of a hundred are right. */
export const minRight = 98;

/** Faults that a client passes over are faults nevertheless; one that it met has to be foretold. */
const isRight = (predicted: ClientOutcome["outcome"], seen: ClientOutcome["outcome"]): boolean =>
  predicted === seen || (predicted === "served, with faults" && seen === "served");

/** @param results of a run with `--clients` */
export function comparedLines({ clients = [] }: Pick<RunResults, "clients">): ComparedLines {
  const seen = clients.flatMap(({ name, by, outcome, predicted, because }) =>
    by === "seen" && predicted !== undefined ? [{ client: name, predicted, seen: outcome, because }] : [],
  );
  return { all: seen.length, wrong: seen.filter((line) => !isRight(line.predicted, line.seen)) };
}

/** Whether enough lines of several runs are right. */
export function isEnough(runs: readonly ComparedLines[]): boolean {
  const [all, wrong] = totals(runs);
  return (all - wrong) * 100 >= minRight * all;
}

/** How many of how many are right, in a sentence. */
export function toldLines(runs: readonly ComparedLines[]): string {
  const [all, wrong] = totals(runs);
  return `${all - wrong} of ${all} client lines are borne out by the client itself`;
}

const totals = (runs: readonly ComparedLines[]): readonly [number, number] => [
  runs.reduce((sum, run) => sum + run.all, 0),
  runs.reduce((sum, run) => sum + run.wrong.length, 0),
];
