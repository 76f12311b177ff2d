/** Tells multiples of a number from others. */

/** The distance of a quotient from a whole number that is ignored: decimal fractions are no exact numbers in a computer. */
const tolerance = 1e-9;

/** Whether a number is a multiple of a step, as far as the numbers of a computer show it. */
export function isMultipleOf(value: number, step: number): boolean {
  const quotient = value / step;
  if (!Number.isFinite(quotient)) return true;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  return Math.abs(quotient - Math.round(quotient)) <= tolerance * Math.max(1, Math.abs(quotient));
}
