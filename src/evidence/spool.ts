/** Spools exchanges to disk during a run, and writes them as one cassette, in order, at the end. */
import { readSync } from "node:fs";
import { decodeExchange } from "../cassette/decode.ts";
import type { CassetteHeader, Recorded } from "../cassette/format.ts";
import { headerLine, piecesOf } from "../cassette/write.ts";
import { byExchange, type ExchangePlace } from "../check/finding-order.ts";
import type { TimedPlace } from "../report/times.ts";
import { scantExchange } from "./evidence-line.ts";
import { replaceFile } from "./files.ts";
import { createGrowingFile } from "./growing-file.ts";

export interface EvidenceStore {
  /** Keeps an exchange that says for which request it stands. Never throws: `write` says what went wrong. */
  add(recorded: Recorded): void;
  /**
   * Writes those that are wanted as a `.jsonl` cassette, in the order of sources and positions.
   * @returns the SHA-256 of the file
   */
  write(file: string, header: CassetteHeader, isWanted: (place: ExchangePlace) => boolean): string;
  /** Reads those that are wanted, in that order. */
  each(isWanted: (place: ExchangePlace) => boolean): Iterable<Recorded>;
  /** The places of those, and how long their answers took. */
  times(isWanted: (place: ExchangePlace) => boolean): readonly TimedPlace[];
  /** The last record that was kept of a place. */
  at(place: ExchangePlace): Recorded | undefined;
  /** Removes what was kept; may be called again. */
  remove(): void;
}

/** The exchanges that a killed run left in its spool, in the order they came; a line that was torn is none. */
export function* spooled(text: string): Generator<Recorded> {
  for (const line of wholeLines(text)) yield decodeExchange(JSON.parse(line));
}

/** The lines of a text that was appended to until its writer was killed. */
export const wholeLines = (text: string): readonly string[] => text.split("\n").slice(0, -1);

/** The position of a line in the file of those that came so far. */
interface Kept extends TimedPlace {
  readonly from: number;
  readonly length: number;
}

/** Bytes that are copied at a time. */
const blockSize = 1 << 20;

/** Bytes that a character of a body may take in its line. */
const maxEscaped = 6;

/** Whether the line of an exchange has at most so many bytes. */
function fits(recorded: Recorded, bytes: number): boolean {
  const { request, response } = recorded.exchange;
  if (maxEscaped * (request.body.length + (response?.body.length ?? 0)) <= bytes) return true;
  let left = bytes;
  for (const piece of piecesOf(recorded)) if ((left -= Buffer.byteLength(piece)) < 0) return false;
  return true;
}

/**
 * @param spool the file that holds the lines in the order they came, until they are written
 * @param maxBytes of exchanges that are kept whole
 */
export function createEvidenceStore(spool: string, maxBytes = Number.POSITIVE_INFINITY): EvidenceStore {
  const file = createGrowingFile(spool);
  const kept: Kept[] = [];
  /** Bytes of lines, also of those that wait for the disk. */
  let end = 0;

  function* bytesOf({ from, length }: Kept): Generator<Uint8Array> {
    for (let at = from; at < from + length; ) {
      const block = Buffer.allocUnsafe(Math.min(blockSize, from + length - at));
      const read = readSync(file.descriptor, block, 0, block.length, at);
      if (read === 0) throw new Error("what was kept of the exchanges was cut short by others");
      at += read;
      yield block.subarray(0, read);
    }
  }

  function* cassette(header: CassetteHeader, wanted: readonly Kept[]): Generator<string | Uint8Array> {
    yield `${headerLine(header)}\n`;
    for (const line of wanted) yield* bytesOf(line);
  }

  const recordedIn = (line: Kept): Recorded =>
    decodeExchange(JSON.parse(Buffer.concat([...bytesOf(line)]).toString("utf8")));

  return {
    add(given) {
      const { exchange, asked } = given;
      if (!asked) return;
      const recorded = fits(given, maxBytes - end) ? given : scantExchange({ exchange, asked });
      const pieces = [...piecesOf(recorded)];
      const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 1);
      end += size;
      const { source, exchange: position } = asked;
      file.add(pieces, size, (from, length) =>
        kept.push({ source, exchange: position, time: exchange.response?.time, from, length }),
      );
    },
    write(path, header, isWanted) {
      file.flush();
      return replaceFile(path, cassette(header, kept.filter(isWanted).sort(byExchange)));
    },
    *each(isWanted) {
      file.flush();
      for (const line of kept.filter(isWanted).sort(byExchange)) yield recordedIn(line);
    },
    times(isWanted) {
      file.flush();
      return kept.filter(isWanted);
    },
    at({ source, exchange }) {
      const line = kept.findLast((one) => one.source === source && one.exchange === exchange);
      return line && recordedIn(line);
    },
    remove: file.remove,
  };
}
