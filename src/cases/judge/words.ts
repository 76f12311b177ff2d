/** Puts what was seen into words. */

const maxLength = 160;

/** A text on one line, shortened, without what steers a terminal. */
export function quoted(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}

/** `1 event`, `2 events`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A time for people. */
export const spanOf = (milliseconds: number): string =>
  milliseconds < 10_000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${Math.round(milliseconds / 1000)} s`;
