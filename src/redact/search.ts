/** Finds many byte strings at once, whatever their case, in time linear in what is looked through. */

/** Receives the place of a find. */
export type Found = (from: number, to: number) => void;

/** Tells of every byte that belongs to an occurrence; may tell of a byte several times. */
export type Search = (bytes: Uint8Array, found: Found) => void;

/** ASCII capitals as small letters. */
const fold = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));

/** No shorter ones are looked for. */
export const shortestNeedle = 6;

/** More needles, or longer ones, are looked for by their digests. */
const maxSampled = 512;
const maxSampledLength = 8192;

const multiplier = 0x9e3779b1;

/** A search for needles of at least `shortestNeedle` bytes. */
export function createSearch(needles: readonly Uint8Array[]): Search {
  if (needles.length === 0) return () => {};
  const few = needles.length <= maxSampled && needles.every(({ length }) => length <= maxSampledLength);
  if (!few) return byDigests(needles);
  const sampled = bySamples(needles);
  let digests: Search | undefined;
  return (bytes, found) => {
    if (!sampled(bytes, found)) (digests ??= byDigests(needles))(bytes, found);
  };
}

/** Bytes of a sample, and at most from one to the next. */
const sample = 4;
const maxStep = 24;

const hashAt = (bytes: Uint8Array, at: number): number =>
  Math.imul(
    fold[bytes[at]!]! | (fold[bytes[at + 1]!]! << 8) | (fold[bytes[at + 2]!]! << 16) | (fold[bytes[at + 3]!]! << 24),
    multiplier,
  );

/**
 * Looks at a few bytes in every stretch as long as the shortest needle: each occurrence holds one of these samples whole. Gives
 * false for input that is made to be slow, since it is nearly a needle everywhere; then more may stand there than was told.
 */
function bySamples(needles: readonly Uint8Array[]): (bytes: Uint8Array, found: Found) => boolean {
  const step = Math.min(maxStep, ...needles.map(({ length }) => length - sample + 1));
  const known = new Uint8Array(1 << 14);
  const places = new Map<number, { readonly needle: Uint8Array; readonly offset: number }[]>();
  for (const needle of needles)
    for (let offset = 0; offset < step; offset++) {
      const hash = hashAt(needle, offset);
      known[hash >>> 18] = 1;
      const all = places.get(hash);
      if (all) all.push({ needle, offset });
      else places.set(hash, [{ needle, offset }]);
    }
  return (bytes, found) => {
    let effort = 4096 + 4 * bytes.length;
    for (let at = 0; at + sample <= bytes.length; at += step) {
      const hash = hashAt(bytes, at);
      if (known[hash >>> 18] === 0) continue;
      for (const { needle, offset } of places.get(hash) ?? []) {
        const from = at - offset;
        let same = 0;
        if (from >= 0 && from + needle.length <= bytes.length)
          while (same < needle.length && fold[bytes[from + same]!] === fold[needle[same]!]) same++;
        effort -= same + 1;
        if (same === needle.length) found(from, from + same);
      }
      if (effort < 0) return false;
    }
    return true;
  };
}

/** Bytes that are looked at together, besides the longest needle. */
const stretch = 1 << 20;

/**
 * Finds the longest needle at every place by digests of its beginnings. Each needle leaves marks at lengths that add up to its
 * own in powers of two, largest first. A mark knows the longest needle that it begins with. A place costs a step for each power
 * of two at most, however many needles there are and however alike. Digests are trusted.
 */
function byDigests(unsorted: readonly Uint8Array[]): Search {
  const needles = [...unsorted].sort((a, b) => a.length - b.length);
  const maxNeedleLength = needles.at(-1)!.length;
  const begun = Math.min(8, needles[0]!.length);
  const base = (Math.random() * 2 ** 31) | 1;
  const powers = new Int32Array(maxNeedleLength + 1).fill(1);
  for (let i = 1; i <= maxNeedleLength; i++) powers[i] = Math.imul(powers[i - 1]!, base);
  const top = 2 ** Math.floor(Math.log2(maxNeedleLength));

  const digestsOf = (bytes: Uint8Array, from: number, to: number, into: Int32Array): void => {
    for (let i = from; i < to; i++)
      into[i - from + 1] = (Math.imul(into[i - from]!, base) + Math.imul(fold[bytes[i]!]! + 1, multiplier)) | 0;
  };
  const digest = (all: Int32Array, at: number, length: number): number =>
    (all[at + length]! - Math.imul(all[at]!, powers[length]!)) | 0;

  let count = 0;
  for (const { length } of needles) for (let rest = length; rest > 0; rest &= rest - 1) count++;
  const size = 2 ** Math.ceil(Math.log2(2 * count + 2));
  const keys = new Int32Array(size);
  const lengths = new Int32Array(size);
  /** Length of the longest needle that a mark begins with. */
  const best = new Int32Array(size);
  const slotOf = (key: number, length: number): number => {
    let slot = (Math.imul(key ^ Math.imul(length, 0x85ebca6b), multiplier) >>> 7) & (size - 1);
    while (lengths[slot] !== 0 && (keys[slot] !== key || lengths[slot] !== length)) slot = (slot + 1) & (size - 1);
    return slot;
  };
  /** Length of the longest needle at a place. */
  const longestAt = (all: Int32Array, at: number, room: number): number => {
    let length = 0;
    let found = 0;
    for (let more = top; more > 0; more >>>= 1) {
      if (length + more > room) continue;
      const slot = slotOf(digest(all, at, length + more), length + more);
      if (lengths[slot] === 0) continue;
      length += more;
      if (best[slot]! > found) found = best[slot]!;
    }
    return found;
  };

  const bits = 2 ** Math.min(24, Math.max(12, Math.ceil(Math.log2(needles.length)) + 5));
  const begins = new Uint8Array(bits / 8);
  const bitOf = (key: number): number => Math.imul(key, multiplier) >>> (32 - Math.log2(bits));
  const own = new Int32Array(maxNeedleLength + 1);
  for (const needle of needles) {
    digestsOf(needle, 0, needle.length, own);
    const bit = bitOf(digest(own, 0, begun));
    begins[bit >> 3]! |= 1 << (bit & 7);
    for (let length = 0, rest = needle.length; rest > 0; ) {
      const more = 2 ** Math.floor(Math.log2(rest));
      length += more;
      rest -= more;
      const key = digest(own, 0, length);
      const slot = slotOf(key, length);
      if (lengths[slot] === 0) {
        // All shorter needles are known by now.
        const shorter = longestAt(own, 0, length);
        keys[slot] = key;
        lengths[slot] = length;
        best[slot] = shorter;
      }
      if (rest === 0) best[slot] = length;
    }
  }

  const shift = 32 - Math.log2(bits);
  return (bytes, found) => {
    const all = new Int32Array(Math.min(bytes.length, stretch + maxNeedleLength) + 1);
    for (let start = 0; start < bytes.length; start += stretch) {
      const end = Math.min(bytes.length, start + stretch + maxNeedleLength);
      const last = Math.min(bytes.length, start + stretch);
      digestsOf(bytes, start, end, all);
      let from = 0;
      let to = 0;
      for (let at = start; at < last && at + begun <= end; at++) {
        const key = digest(all, at - start, begun);
        const bit = Math.imul(key, multiplier) >>> shift;
        if ((begins[bit >> 3]! & (1 << (bit & 7))) === 0) continue;
        const length = longestAt(all, at - start, end - at);
        if (length === 0) continue;
        if (at > to) {
          if (to > from) found(from, to);
          from = at;
        }
        to = Math.max(to, at + length);
      }
      if (to > from) found(from, to);
    }
  };
}

/** Bytes at the end that are the beginning of a needle, at least `minLength` and not all of it. */
export function begunAtEnd(bytes: Uint8Array, needle: Uint8Array, minLength: number): number {
  const { length } = needle;
  const room = Math.min(bytes.length, length - 1);
  if (room < minLength) return 0;
  // Knuth, Morris, Pratt: how far the needle agrees with what came last.
  const back = new Int32Array(length);
  for (let i = 1, same = 0; i < length; i++) {
    while (same > 0 && needle[i] !== needle[same]) same = back[same - 1]!;
    if (needle[i] === needle[same]) same++;
    back[i] = same;
  }
  let same = 0;
  for (let i = bytes.length - room; i < bytes.length; i++) {
    while (same > 0 && bytes[i] !== needle[same]) same = back[same - 1]!;
    if (bytes[i] === needle[same]) same++;
  }
  return same >= minLength ? same : 0;
}
