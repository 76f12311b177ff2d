/** Sorts findings the same way on every machine. */
import type { Finding } from "./clause.ts";

/** Orders texts by code unit, numbers by size. */
export const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** The place of an exchange: its source, and its 0-based position there. */
export interface ExchangePlace {
  readonly source: string;
  readonly exchange: number;
}

/** Orders by source and exchange. */
export const byExchange = (a: ExchangePlace, b: ExchangePlace): number =>
  compare(a.source, b.source) || compare(a.exchange, b.exchange);

/** Orders findings by exchange, and those of one by where they stand in it. */
export function byPlace(a: Finding, b: Finding): number {
  return (
    byExchange(a, b) ||
    compare(a.side, b.side) ||
    compare(a.in, b.in) ||
    compare(a.event ?? -1, b.event ?? -1) ||
    compare(a.pointer, b.pointer) ||
    compare(a.clause, b.clause) ||
    compare(a.message, b.message)
  );
}
