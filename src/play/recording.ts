/** One recorded exchange as it is played. */
import type { Exchange } from "../wire/exchange.ts";

export interface Recording {
  readonly exchange: Exchange;
  /** File and 0-based position in it. */
  readonly source: string;
  readonly position: number;
  /** Its place among all recordings. */
  readonly order: number;
  /** Times it was played. */
  plays: number;
}

/** `session.jsonl, exchange 3`, counted as findings count. */
export const nameOf = ({ source, position }: Recording): string => `${source}, exchange ${position}`;
