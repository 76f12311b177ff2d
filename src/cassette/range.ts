/** Reads lines of a `.jsonl` by byte positions: a stretch of a large file, or what was added to one that grows. */
import { parseJson } from "../wire/json.ts";
import { maxLineLength, readSize } from "./lines.ts";

/** Bytes that are read by their position: a file, or what stands in memory. */
export interface Bytes {
  /** Reads into all of `memory` as far as there is something; returns how many bytes came. */
  read(memory: Buffer, at: number): number;
}

/** Bytes `from` to `to` (exclusive); a line belongs to the stretch that its first byte lies in. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Whether a line is known to begin at `from`; else what stands there belongs to the stretch before. */
  readonly begins: boolean;
  /** Whether a last line without its line feed is being written, and left for later; else it is given, too. */
  readonly growing: boolean;
}

export interface Lines {
  /** Without their line feeds; lent until the next reading. */
  readonly lines: readonly Buffer[];
  /** The number of the first of them. */
  readonly first: number;
  /** Whether the last of them has no line feed. */
  readonly torn: boolean;
  /** Whether a line that is longer than any can be read was passed over; there are no others then. */
  readonly tooLong: boolean;
  /** The position to go on from, and whether a line begins there. */
  readonly next: number;
  readonly begins: boolean;
}

/** The bytes that a reading takes at once, unless one line is longer. */
const maxReadBytes = readSize;

/** Reads stretches in any order, each byte a few times at most, however long lines are and however slowly one grows. */
export function createLineReader(bytes: Bytes, maxLength = maxLineLength): (stretch: Stretch) => Lines {
  let memory = Buffer.allocUnsafeSlow(maxReadBytes);
  /** A line that had no end when it was last looked at, and how far it was searched for one. */
  let open = { from: -1, searched: -1 };

  /** The end of the open line; undefined if it has not ended yet. Looks only at what was added. */
  function endOfOpen(): number | undefined {
    // Whoever writes the file takes back a line that does not fit, or that a killed process has torn.
    if (open.searched > open.from && bytes.read(memory.subarray(0, 1), open.searched - 1) === 0)
      open = { ...open, searched: open.from };
    for (;;) {
      const length = bytes.read(memory, open.searched);
      const feed = memory.subarray(0, length).indexOf(10);
      if (feed >= 0) return open.searched + feed;
      open.searched += length;
      if (length < memory.length) return undefined;
    }
  }

  return function read({ from, to, begins, growing }) {
    if (memory.length > maxReadBytes) memory = Buffer.allocUnsafeSlow(maxReadBytes);
    const some = (lines: readonly Buffer[], first: number, next: number, begins: boolean): Lines => {
      return { lines, first, torn: lines.length > 0 && !begins, tooLong: false, next, begins };
    };
    const none = (next: number, begins: boolean): Lines => some([], next, next, begins);
    if (growing && from === open.from && endOfOpen() === undefined) return none(from, true);
    // One byte earlier shows whether a line begins right at `from`.
    const start = begins ? from : from - 1;
    const end = Math.min(to, start + maxReadBytes);
    let filled = bytes.read(memory.subarray(0, end - start), start);
    let at = 0;
    if (!begins) {
      at = memory.subarray(0, filled).indexOf(10) + 1;
      if (at === 0) return none(filled < end - start ? to : end, false);
    }
    const lines: Buffer[] = [];
    const first = start + at;
    for (let feed = memory.subarray(0, filled).indexOf(10, at); feed >= 0; ) {
      lines.push(memory.subarray(at, feed));
      at = feed + 1;
      feed = memory.subarray(0, filled).indexOf(10, at);
    }
    // A line that begins here and ends later is read when it is the next; nothing is searched twice for its end.
    if (lines.length > 0 || at === filled) return some(lines, first, start + at, true);
    for (;;) {
      if (memory.length === filled) {
        if (filled >= maxLength) {
          open = { from: first, searched: start + filled };
          const end = endOfOpen();
          if (end === undefined && growing) return none(first, true);
          const next = end === undefined ? open.searched : end + 1;
          return { ...none(next, end !== undefined), tooLong: true };
        }
        const larger = Buffer.allocUnsafeSlow(2 * filled);
        memory.copy(larger, 0, 0, filled);
        memory = larger;
      }
      const length = bytes.read(memory.subarray(filled), start + filled);
      const feed = memory.subarray(filled, filled + length).indexOf(10);
      if (feed >= 0) return some([memory.subarray(at, filled + feed)], first, start + filled + feed + 1, true);
      const room = memory.length - filled;
      filled += length;
      if (length === room) continue;
      if (!growing) return some([memory.subarray(at, filled)], first, start + filled, false);
      open = { from: first, searched: start + filled };
      return none(first, true);
    }
  };
}

/** The bytes before the first exchange of a `.jsonl`. */
export interface Head {
  readonly bytes: number;
  readonly lines: number;
}

/** Bytes of a file's start within which `headOf` finds a head. */
export const maxHead = 64 << 10;

/**
 * The head of a `.jsonl` cassette by what the file begins with; "open" where its first line has not ended yet; undefined for
 * all else: documents, gzipped files, and what is no cassette.
 */
export function headOf(start: Buffer): Head | "open" | undefined {
  let lines = 0;
  for (let from = 0; ; ) {
    const feed = start.indexOf(10, from);
    if (feed < 0) return start.length < maxHead ? "open" : undefined;
    lines++;
    const text = start.toString("utf8", from, feed).trim();
    from = feed + 1;
    if (text === "") continue;
    const { ok, value } = parseJson(text) as { ok: boolean; value?: unknown };
    const isHeader =
      ok && typeof value === "object" && value !== null && "touchstone" in value && !("exchanges" in value);
    return isHeader ? { bytes: from, lines } : undefined;
  }
}
