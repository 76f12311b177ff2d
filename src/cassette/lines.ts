/** Cuts a stream of bytes into lines, holding no more than one line at a time. */

export interface Line {
  readonly bytes: Buffer;
  /** 1-based. */
  readonly number: number;
  /** Whether its line feed was there; false only for the last. */
  readonly ended: boolean;
}

/** Bytes to read of a file at once: with fewer, a large cassette is waited for more than it is worked on. */
export const readSize = 1 << 20;

/** Lines without their line feed; a last one without it is given too, unless it is empty. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let open: Buffer[] = [];
  let number = 1;
  for await (const piece of stream) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      const last = bytes.subarray(from, end);
      yield { bytes: open.length === 0 ? last : Buffer.concat([...open, last]), number: number++, ended: true };
      open = [];
      from = end + 1;
    }
    if (from < bytes.length) open.push(bytes.subarray(from));
  }
  if (open.length > 0) yield { bytes: Buffer.concat(open), number, ended: false };
}
