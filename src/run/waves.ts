/** When the requests of a cassette are sent: one after another, or as they were recorded where that is what matters. */
import type { Recording } from "./recordings.ts";

/** Requests that are sent at once, by position, and how long to wait before. */
export interface Wave {
  readonly exchanges: readonly number[];
  /** Milliseconds. */
  readonly pause: number;
}

/** Shorter pauses, in milliseconds, are those of whoever recorded; longer ones are not waited for. */
const shortest = 1500;
const longest = 3000;

/** Laws speak of streams at the same time and of what time does: their scenarios overlap and pause as they were recorded. */
export function wavesOf({ section, exchanges }: Pick<Recording, "section" | "exchanges">): Wave[] {
  if (section !== "laws") return exchanges.map((_exchange, i) => ({ exchanges: [i], pause: 0 }));
  const waves: { exchanges: number[]; pause: number }[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const [i, { exchange, bind }] of exchanges.entries()) {
    const { started = end, response } = exchange;
    const last = waves.at(-1);
    if (last && started < end && !bind?.length) last.exchanges.push(i);
    else
      waves.push({ exchanges: [i], pause: started - end >= shortest && last ? Math.min(started - end, longest) : 0 });
    end = Math.max(end, started + (response?.time ?? 0));
  }
  return waves;
}
