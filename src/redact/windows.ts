/** Large bodies are looked at a window at a time, so that what a look takes does not grow with them. */
import type { Span } from "./views.ts";

/** Bytes that are new in a window. */
export const windowSize = 256 << 10;

/** How far windows overlap: so that what is looked for is whole in one of them, also where escapes make it longer. */
export const overlapFor = (longest: number): number => Math.max(64 << 10, 8 * longest);

/** What a window begins with is there for what stands behind it: what it is itself was seen in the window before. */
const margin = 256;

/**
 * The spans that `look` finds in some bytes, looking at a piece at a time. A span that reaches the end of its piece is looked for
 * again in a larger one.
 * @param longest length of the longest value that is looked for
 * @param look is also told whether a piece holds the end of all
 */
export function* spansWithin(
  bytes: Buffer,
  longest: number,
  look: (piece: Buffer, last: boolean) => Iterable<Span>,
): Generator<Span> {
  for (let from = 0; ; from += windowSize) {
    const start = Math.max(0, from - margin);
    let end = from;
    let spans: Span[] = [];
    for (let beyond = overlapFor(longest); end < bytes.length; beyond *= 2) {
      end = Math.min(bytes.length, from + windowSize + beyond);
      spans = Array.from(look(bytes.subarray(start, end), end === bytes.length), ([a, b]) => [start + a, start + b]);
      if (!spans.some(([a, b]) => b === end && a < from + windowSize)) break;
    }
    for (const span of spans) if (span[0] >= from) yield span;
    if (end === bytes.length) return;
  }
}
