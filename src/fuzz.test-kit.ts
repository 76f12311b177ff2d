/** How much and from which seed random tests run: the same each time, and longer or elsewhere when asked. */

const given = (name: string): number | undefined =>
  process.env[name] === undefined ? undefined : Number(process.env[name]);

/** `TOUCHSTONE_RUNS=n` runs every random test n times, `TOUCHSTONE_SEED=n` starts them elsewhere. */
export const fuzz = (runs: number): { readonly numRuns: number; readonly seed: number } => ({
  numRuns: given("TOUCHSTONE_RUNS") ?? runs,
  seed: given("TOUCHSTONE_SEED") ?? 20_260_101,
});
