/** Reads lists of small numbers, such as the bytes of a token, as the bytes they are. */

/** Whether a byte is white space of JSON, or one near it. */
export const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);

/** Whether a number behind a byte may begin a run. */
export const isListStart = (before: number): boolean => before === 91 || before === 44 || isSpace(before);

/** The end of a run of numbers below 256 in a list that begins at a byte; the same byte if there is none. */
export function numbersEnd(bytes: Buffer, from: number): number {
  let end = from;
  for (let i = from; ; ) {
    let value = 0;
    const start = i;
    while (bytes[i]! >= 48 && bytes[i]! <= 57 && i < start + 4) value = 10 * value + bytes[i++]! - 48;
    const after = bytes[i]!;
    if (i === start || value > 255 || (after !== 44 && after !== 93 && !isSpace(after))) return end;
    end = i;
    while (isSpace(bytes[i]!)) i++;
    if (bytes[i] !== 44) return end;
    i++;
    while (isSpace(bytes[i]!)) i++;
  }
}

/** Writes a run of numbers as bytes; tells of each where it stands. Returns where the next byte goes. */
export function writeNumbers(
  bytes: Buffer,
  from: number,
  to: number,
  into: Buffer,
  at: number,
  tell?: (at: number, from: number, to: number) => void,
): number {
  for (let i = from; i < to; i++) {
    if (bytes[i]! < 48 || bytes[i]! > 57) continue;
    const start = i;
    let value = 0;
    while (i < to && bytes[i]! >= 48 && bytes[i]! <= 57) value = 10 * value + bytes[i++]! - 48;
    tell?.(at, start, i);
    into[at++] = value;
  }
  return at;
}
