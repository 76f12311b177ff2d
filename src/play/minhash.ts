/** A small fingerprint of a form, to find the nearest of thousands of recordings without comparing them all. */

/** Numbers kept of each form: the smallest, so that like forms keep the same ones whatever their size. */
const size = 256;
/** Leaves looked at. */
const mostLeaves = 20_000;
/** Characters hashed at each end of a text. */
const ends = 64;

/** FNV-1a over both ends and the length of a text. */
function hash(text: string, seed: number): number {
  let h = seed ^ text.length;
  const step = (from: number, to: number): void => {
    for (let i = from; i < to; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  };
  step(0, Math.min(text.length, ends));
  step(Math.max(ends, text.length - ends), text.length);
  return h >>> 0;
}

/** Hashes of a value's leaves with their keys, sorted; positions in lists do not count, since items move. */
export function sketchOf(value: unknown): Uint32Array {
  const hashes: number[] = [];
  const open: [key: string, value: unknown][] = [["", value]];
  while (open.length > 0 && hashes.length < mostLeaves) {
    const [key, member] = open.pop()!;
    if (Array.isArray(member)) for (const item of member.slice(0, mostLeaves)) open.push([key, item]);
    else if (typeof member === "object" && member !== null) for (const pair of Object.entries(member)) open.push(pair);
    else hashes.push(hash(String(member), hash(key, 0x811c9dc5)));
  }
  return Uint32Array.from(new Set(Uint32Array.from(hashes).sort().subarray(0, size)));
}

/** How alike two sketches are, from 0 to 1. */
export function likeness(a: Uint32Array, b: Uint32Array): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) shared++;
    if (a[i]! <= b[j]!) i++;
    else j++;
  }
  return shared / Math.max(1, a.length, b.length);
}
