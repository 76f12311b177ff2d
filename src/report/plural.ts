/** Writes how many there are of something. */

/** `1 answer`, `2 answers`. */
export function plural(n: number, noun: string, many = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : many}`;
}
