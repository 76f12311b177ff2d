/** How much and from which seed random tests run: the same each time, and longer or elsewhere when asked. */

const given = (name: string): number | undefined =>
  process.env[name] === undefined ? undefined : Number(process.env[name]);

/** `TOUCHSTONE_TIMES=n`: random tests run n times as often as they say. The test command has them run less, `.ci/run` more. */
export const times = given("TOUCHSTONE_TIMES") ?? 0.125;

/** `TOUCHSTONE_RUNS=n` runs every random test n times. */
export const runsOf = (runs: number): number => given("TOUCHSTONE_RUNS") ?? Math.ceil(runs * times);

/** `TOUCHSTONE_SEED=n` starts random tests elsewhere. */
export const seedOf = (seed: number): number => given("TOUCHSTONE_SEED") ?? seed;

/** All of a sweep if random tests run at their full length, else one of so many, the first of them at `from`. */
export const sample = <T>(all: Iterable<T>, oneOf: number, from = 0): T[] =>
  [...all].filter((_, i) => times >= 1 || i % oneOf === from % oneOf);

/** The options of fast-check. */
export const fuzz = (runs: number): { readonly numRuns: number; readonly seed: number } => ({
  numRuns: runsOf(runs),
  seed: seedOf(20_260_101),
});
