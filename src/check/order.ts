/** The order findings are told in: the same on every machine, whatever order they were made in. */
import type { Finding } from "./clause.ts";

/** Orders texts by code unit, numbers by size. */
export const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** Orders the findings of one exchange. */
export function byPlace(a: Finding, b: Finding): number {
  return (
    compare(a.side, b.side) ||
    compare(a.in, b.in) ||
    compare(a.event ?? -1, b.event ?? -1) ||
    compare(a.pointer, b.pointer) ||
    compare(a.clause, b.clause) ||
    compare(a.message, b.message)
  );
}
