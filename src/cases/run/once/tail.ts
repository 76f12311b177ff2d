/** The last part of what a program printed, for programs that run long. */

/** Keeps the end of what comes. @param max bytes that are kept at least, if so many came */
export function createTail(max: number) {
  let pieces: Buffer[] = [];
  let length = 0;
  return {
    add(bytes: Buffer): void {
      pieces.push(bytes);
      length += bytes.length;
      while (length - pieces[0]!.length >= max) length -= pieces.shift()!.length;
    },
    /** Takes out everything that is kept. */
    take(): string {
      const text = Buffer.concat(pieces).toString("utf8");
      pieces = [];
      length = 0;
      return text;
    },
  };
}
