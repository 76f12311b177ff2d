/** Counts how often something occurred on the two sides of a comparison. */

/** The earlier recording is 0, the later one is 1. */
export type Side = 0 | 1;

/** How often something was met on one side. */
export interface Occurrence {
  exchanges: number;
  /** In all exchanges together. */
  count: number;
  /** The exchange it was first met in, by its number on its side; -1 before. */
  first: number;
  /** The exchange it was last met in, and how often there. */
  last: number;
  within: number;
}

export const newOccurrence = (): Occurrence => ({ exchanges: 0, count: 0, first: -1, last: -1, within: 0 });

/** Counts; true where it is the first time in this exchange. */
export function see(seen: Occurrence, exchange: number): boolean {
  seen.count++;
  if (seen.last === exchange) {
    seen.within++;
    return false;
  }
  if (seen.first < 0) seen.first = exchange;
  seen.last = exchange;
  seen.within = 1;
  seen.exchanges++;
  return true;
}
