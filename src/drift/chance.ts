/** How sure a difference between two counts is: Fisher's exact test, and what it comes to in words. */

/** Natural logarithms of factorials, by Stirling's series from some hundred on. */
function logFactorial(n: number): number {
  if (n < 128) {
    let sum = 0;
    for (let i = 2; i <= n; i++) sum += Math.log(i);
    return sum;
  }
  return n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + 1 / (12 * n) - 1 / (360 * n ** 3);
}

const logChoose = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k);

/**
 * How often counts that differ as much would come by chance alone, if nothing had changed: Fisher's exact test of two
 * proportions, two-sided. Takes steps in proportion to the counts.
 * @param a met `a` times in `n` exchanges before, `b` times in `m` now
 */
export function chanceOf(a: number, n: number, b: number, m: number): number {
  const met = a + b;
  if (n === 0 || m === 0 || met === 0 || met === n + m) return 1;
  const whole = logChoose(n + m, met);
  const logOf = (k: number): number => logChoose(n, k) + logChoose(m, met - k) - whole;
  // Tables as unlikely as the one found count as well; rounding must not leave that one out.
  const found = logOf(a) + 1e-7;
  let sum = 0;
  for (let k = Math.max(0, met - m); k <= Math.min(n, met); k++) {
    const log = logOf(k);
    if (log <= found) sum += Math.exp(log);
  }
  return Math.min(1, sum);
}

/**
 * The same for something that took another's place, as one type does another's: neither is met on the other's side, however
 * often both are there.
 * @param a what went, met `a` times in `n` exchanges before; what came `b` times in `m` now
 */
export const turnChance = (a: number, n: number, b: number, m: number): number =>
  Math.min(chanceOf(a, n, 0, m), chanceOf(0, n, b, m));

/**
 * The words for how sure a change is, by its chance, which is the p-value.
 * @param n exchanges before
 * @param m exchanges now
 */
export function surenessOf(chance: number, n: number, m: number): string {
  // The rarest of all differences between so few would come by chance too often to show anything.
  if (n + m < 200 && Math.exp(-logChoose(n + m, Math.min(n, m))) > 0.05) return "too few to say how sure";
  if (chance < 0.001) return "certain (p < 0.001)";
  return chance > 0.05 ? `unsure (p = ${chance.toFixed(2)})` : `likely (p = ${chance.toFixed(3)})`;
}

/**
 * The share of exchanges that may have something all the same though it is rare or was never observed. With `n` exchanges
 * without it, this is fewer than 3 in `n`, in 95 of 100 cases (the rule of three). Undefined for too few to say anything.
 */
export const ruleOfThree = (n: number): string | undefined =>
  n > 3 ? `it may still be in up to ${Math.ceil(300 / n)} of 100` : undefined;
