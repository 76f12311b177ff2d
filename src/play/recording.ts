/** One recorded exchange as it is played. */
import type { Exchange } from "../wire/exchange.ts";

export interface Recording {
  /** Without the response's body if that is read from the cassette when it is played. */
  readonly exchange: Exchange;
  readonly read?: (() => Promise<Exchange>) | undefined;
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
