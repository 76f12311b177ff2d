/** Tells in one fast pass over its bytes whether a JSON text may have lexical issues; `json-issues.ts` then finds them. */

export const mayRepeatKeys = 1;
export const mayHaveFractions = 2;

/** Bytes at which the lint stops: 1 for what opens, closes or quotes, 2 for a point or an exponent. */
const kinds = new Uint8Array(256);
for (const character of '"{}[]') kinds[character.charCodeAt(0)] = 1;
for (const character of ".eE") kinds[character.charCodeAt(0)] = 2;

/**
 * Bytes at which it stops within a string: 1 for what ends it, 2 for what is not ASCII, 3 for an escape. A line end ends what
 * was no string of JSON, such as a quote in a comment between events.
 */
const stops = new Uint8Array(256).fill(2, 128);
for (const character of '"\n\r') stops[character.charCodeAt(0)] = 1;
stops[92] = 3;

/** The memory of the lint: hashes of the keys of all open objects, one after another, and the position at which each object's begin. */
const hashes = new Int32Array(1024);
const starts = new Int32Array(128);
const maxSiblings = 48;

/**
 * Lints valid JSON texts, one or several such as the events of a stream. Gives a sum of `mayRepeatKeys` and `mayHaveFractions`,
 * or 0. The first means that a key looks like an earlier one of the same object (by its length and four of its bytes). The
 * second means that a number may be an integer written `1.0` or `1e3`. Nothing is missed: keys that are escaped or not ASCII,
 * great depth and many members are suspects. Every body passes here, so it allocates nothing, and reads bytes, which is faster
 * than reading characters.
 */
export function lintJson(bytes: Uint8Array, length = bytes.length): number {
  let suspects = 0;
  let depth = 0;
  let count = 0;
  starts[0] = 0;
  for (let at = 0; at < length; at++) {
    const code = bytes[at]!;
    const kind = kinds[code]!;
    if (kind === 0) continue;
    if (code === 34) {
      const from = at + 1;
      let unusual = false;
      for (at++; at < length; at++) {
        const stop = stops[bytes[at]!]!;
        if (stop === 0) continue;
        if (stop === 1) break;
        unusual = true;
        if (stop === 3) at++;
      }
      let next = at + 1;
      while (bytes[next]! <= 32) next++;
      if (bytes[next] !== 58) continue;
      if (suspects & mayRepeatKeys) continue;
      if (unusual || count === hashes.length || count - starts[depth]! > maxSiblings) {
        suspects |= mayRepeatKeys;
        continue;
      }
      const hash =
        (((((at - from) * 31 + bytes[from]!) * 31 + bytes[from + 1]!) * 31 + bytes[(from + at) >> 1]!) * 31 +
          bytes[at - 1]!) |
        0;
      for (let i = starts[depth]!; i < count; i++) if (hashes[i] === hash) suspects |= mayRepeatKeys;
      hashes[count++] = hash;
      at = next;
    } else if (code === 123 || code === 91) {
      // Deeper levels share the last place; keys were given up on by then.
      if (++depth >= starts.length) suspects |= mayRepeatKeys;
      else starts[depth] = count;
    } else if (code === 125 || code === 93) {
      if (depth < starts.length) count = starts[depth]!;
      if (depth > 0) depth--;
    } else if (code === 46) {
      // Digits after the point of which one is not zero make a fraction; an exponent behind them is met next.
      let digit = 48;
      let whole = true;
      while ((digit = bytes[++at]!) >= 48 && digit <= 57) if (digit !== 48) whole = false;
      if (whole) suspects |= mayHaveFractions;
      at--;
    } else {
      const before = bytes[at - 1]!;
      if (before >= 48 && before <= 57) suspects |= mayHaveFractions;
    }
  }
  return suspects;
}

/** Texts stand here as bytes for as long as the lint reads them. */
const scratch = Buffer.allocUnsafeSlow(64 << 10);
/** Bytes that a character of a text becomes at most. */
const perCharacter = 3;
const closingBrace = 125;

/** Lints valid JSON as `lintJson` does. */
export function lintText(text: string): number {
  if (perCharacter * text.length >= scratch.length) return lintJson(Buffer.from(text, "utf8"));
  const length = scratch.write(text, 0, "utf8");
  // The lint does not go on with what an earlier text left behind the end.
  scratch[length] = closingBrace;
  return lintJson(scratch, length);
}
