/** Seeded choices: the same seed makes the same legal exchange again. */

export interface Chance {
  /** A whole number from 0 to `count` - 1. */
  readonly below: (count: number) => number;
  /** True once in `times`, on average. */
  readonly once: (times: number) => boolean;
  readonly pick: <T>(list: readonly T[]) => T;
  /** The list in another order. */
  readonly shuffled: <T>(list: readonly T[]) => T[];
}

/** Mulberry32: small, fast, and even enough to choose with. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    once: (times) => below(times) === 0,
    pick: (list) => list[below(list.length)]!,
    shuffled(list) {
      const copy = [...list];
      for (let at = copy.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [copy[at], copy[other]] = [copy[other]!, copy[at]!];
      }
      return copy;
    },
  };
}
