/** Finds long parts of secrets, in answers that are cut off or shorten what they quote. */

import { isWords } from "./looks.ts";
import type { Search } from "./search.ts";

/** Bytes in a row that a text and a secret have in common by no accident. */
export const shortestPart = 12;
/** Bytes that are compared at once; one such sample in every stretch lies within any part that is long enough. */
const sample = 4;
const step = shortestPart - sample + 1;
/** Places in secrets that look alike and are tried; what repeats itself is no secret. */
const maxAlike = 8;

const sampleAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;

/** Whether a part says anything: the beginning that all keys of a vendor share does not, nor do words. */
function isTelling(part: string): boolean {
  const isMixed = (/\d/.test(part) && /[A-Za-z]/.test(part)) || /[a-z][A-Z].*[a-z][A-Z]/.test(part);
  return (isMixed || part.length >= 2 * shortestPart) && !isWords(part.replace(/^[-_]+|[-_]+$/g, ""));
}

/** A search for parts of secrets, to the letter, in time linear in what is looked through. */
export function createPartSearch(secrets: readonly Uint8Array[]): Search {
  const long = secrets.filter(({ length }) => length >= shortestPart);
  if (long.length === 0) return () => {};
  const places = new Map<number, (readonly [secret: Uint8Array, at: number])[]>();
  for (const secret of long)
    for (let at = 0; at + sample <= secret.length; at++) {
      const key = sampleAt(secret, at);
      const alike = places.get(key) ?? [];
      if (alike.length < maxAlike) alike.push([secret, at]);
      places.set(key, alike);
    }
  return (bytes, found) => {
    let done = 0;
    for (let at = 0; at + sample <= bytes.length; at += step) {
      let end = at;
      for (const [secret, offset] of places.get(sampleAt(bytes, at)) ?? []) {
        let from = 0;
        while (at - from > done && offset > from && bytes[at - from - 1] === secret[offset - from - 1]) from++;
        let to = sample;
        while (at + to < bytes.length && bytes[at + to] === secret[offset + to]) to++;
        if (from + to < shortestPart) continue;
        if (isTelling(Buffer.from(bytes.subarray(at - from, at + to)).toString("latin1"))) found(at - from, at + to);
        end = Math.max(end, at + to);
      }
      // A compared part is not compared again.
      if (end > at) {
        done = end;
        at = end - step;
      }
    }
  };
}
