/** Writes pieces of a body in the chunked transfer coding (RFC 9112, section 7.1), a chunk each, in one piece of memory. */

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
