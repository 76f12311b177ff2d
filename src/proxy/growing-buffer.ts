/** A body put together as it comes. */

/** A body of more bytes is rare: it gets far more room than it needs, which costs nothing until it is used. */
const large = 1 << 20;

/** Room beyond what a body needs; a system may refuse more. */
const maxSpare = 64 << 20;

/** Grows by factors in one piece of memory, so that a million small pieces cost what one large one does. */
export class GrowingBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  length = 0;

  append(piece: Uint8Array): void {
    const needed = this.length + piece.length;
    if (needed > this.#bytes.length) {
      // Most bodies come in one piece, or in many.
      const room =
        this.length === 0
          ? needed
          : Math.max(needed, 8192, Math.min(this.length * (needed < large ? 4 : 16), needed + maxSpare));
      const larger = room < 4096 ? Buffer.allocUnsafe(room) : Buffer.allocUnsafeSlow(room);
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.length);
    this.length = needed;
  }

  whole(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}
