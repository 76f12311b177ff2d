/** Cuts a stream of bytes into lines, holding no more than one line at a time. */
import { viewOf } from "../wire/bytes.ts";

export interface Line {
  readonly bytes: Buffer;
  /** 1-based. */
  readonly number: number;
  /** Whether its line feed was there; false only for the last. */
  readonly ended: boolean;
}

/** Bytes to read of a file at once: with fewer, a large cassette is waited for more than it is worked on. */
export const readSize = 1 << 20;

/** Bytes of the longest line that is held: with the text and the values made of it, it takes a multiple of memory. */
export const maxLineLength = 256 << 20;

/**
 * Lines without their line feed; a last one without it is given too, unless it is empty. A line that is longer than any that
 * can be read is given up to that length, and no more.
 */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let open: Buffer[] = [];
  let held = 0;
  let number = 1;
  for await (const piece of stream) {
    const bytes = viewOf(piece);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      const last = bytes.subarray(from, end);
      yield { bytes: open.length === 0 ? last : Buffer.concat([...open, last]), number: number++, ended: true };
      open = [];
      held = 0;
      from = end + 1;
    }
    if (from < bytes.length) open.push(bytes.subarray(from));
    held += bytes.length - from;
    if (held > maxLineLength) break;
  }
  if (open.length > 0) yield { bytes: Buffer.concat(open), number, ended: false };
}
