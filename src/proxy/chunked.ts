/** Writes pieces of a body in the chunked transfer coding (RFC 9112, section 7.1), a chunk each, in one piece of memory. */
import type { ServerResponse } from "node:http";

const digits = Buffer.from("0123456789abcdef");

const digitsOf = (length: number): number => Math.ceil((32 - Math.clz32(length)) / 4);

/** The chunks of pieces that are not empty; without the last chunk, which ends a body. */
export function chunked(pieces: readonly Uint8Array[]): Buffer {
  let room = 0;
  for (const { length } of pieces) room += digitsOf(length) + length + 4;
  const bytes = Buffer.allocUnsafe(room);
  let at = 0;
  for (const piece of pieces) {
    const { length } = piece;
    for (let shift = 4 * (digitsOf(length) - 1); shift >= 0; shift -= 4) bytes[at++] = digits[(length >> shift) & 15]!;
    bytes[at++] = 13;
    bytes[at++] = 10;
    bytes.set(piece, at);
    at += length;
    bytes[at++] = 13;
    bytes[at++] = 10;
  }
  return bytes;
}

/** Bytes of a body that are put together before they are written, at most. */
const maxGathered = 64 << 10;

/**
 * Writes what came in one turn at once, as the chunks it came in: Node writes a chunk in three pieces, which costs more than all else that
 * is done with one. `flush` says whether there is room for more.
 */
export function chunkWriter(res: ServerResponse): {
  readonly write: (bytes: Buffer) => boolean;
  readonly flush: () => boolean;
} {
  let pieces: Buffer[] = [];
  let gathered = 0;

  function flush(): boolean {
    const all = pieces;
    if (all.length === 0) return true;
    pieces = [];
    gathered = 0;
    if (all.length === 1) return res.write(all[0]!);
    // These are chunks already.
    res.chunkedEncoding = false;
    const room = res.write(chunked(all));
    res.chunkedEncoding = true;
    return room;
  }

  return {
    write(bytes) {
      if (!res.chunkedEncoding) return res.write(bytes);
      pieces.push(bytes);
      gathered += bytes.length;
      return gathered < maxGathered || flush();
    },
    flush,
  };
}
