/** Indexes the lines of a growing cassette, and reads single exchanges. */
import { closeSync, openSync, readSync } from "node:fs";
import type { Recorded } from "../cassette/format.ts";
import { plainExchange } from "../cassette/kept.ts";
import { maxLineLength, readSize } from "../cassette/lines.ts";
import { exchangeOfLine } from "../cassette/read.ts";
import { UserError } from "../user-error.ts";

export interface CassetteIndex {
  /** Bytes of the lines of exchanges `from` to `to` (exclusive), as far as they are there. */
  stretch(from: number, to: number): { readonly from: number; readonly to: number };
  /** How many exchanges there are, `most` at most. */
  countTo(most: number): number;
  /** Throws UserError where it is not there. */
  read(exchange: number): Recorded;
  /** The same; undefined where it is not there, or its line is too long to be read. */
  readable(exchange: number): Recorded | undefined;
  close(): void;
}

/** Opens a `.jsonl` whose lines are whole exchanges behind one header, as a recorder writes it. */
export function openCassetteIndex(path: string): CassetteIndex {
  const file = openSync(path, "r");
  const memory = Buffer.allocUnsafeSlow(readSize);
  /** The ends of lines, the header's first. */
  const ends: number[] = [];
  let searched = 0;

  /** Looks at what was added, until so many lines are known. */
  function find(lines: number): void {
    while (ends.length < lines) {
      const length = readSync(file, memory, 0, memory.length, searched);
      if (length === 0) return;
      for (let at = memory.indexOf(10); at >= 0 && at < length; at = memory.indexOf(10, at + 1))
        ends.push(searched + at + 1);
      searched += length;
    }
  }

  function readable(exchange: number): Recorded | undefined {
    find(exchange + 2);
    const [from, to] = [ends[exchange], ends[exchange + 1]];
    if (from === undefined || to === undefined || to - from > maxLineLength) return undefined;
    const bytes = Buffer.allocUnsafeSlow(to - 1 - from);
    readSync(file, bytes, 0, bytes.length, from);
    const kept = exchangeOfLine(path, { bytes, number: exchange + 2, ended: true }, []);
    return kept && { ...kept, exchange: plainExchange(kept.exchange) };
  }

  return {
    stretch(from, to) {
      find(to + 1);
      const end = (exchange: number): number => ends[Math.min(exchange, ends.length - 1)] ?? 0;
      return { from: end(from), to: end(to) };
    },
    countTo(most) {
      find(most + 1);
      return Math.min(most, Math.max(0, ends.length - 1));
    },
    read(exchange) {
      const kept = readable(exchange);
      if (!kept) throw new UserError(`exchange ${exchange} is not in ${path}`, "It may not be written yet.");
      return kept;
    },
    readable,
    close: () => closeSync(file),
  };
}
