/** Decides when each request of a cassette is sent: one after another, or with the timing of the recording. */
import type { Exchange } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { jsonOf } from "../judge/request-failure.ts";
import type { Recording } from "../plan/recordings.ts";

/** Requests that are sent at once, by position, and how long to wait before. */
export interface Wave {
  readonly exchanges: readonly number[];
  /** Milliseconds. */
  readonly pause: number;
}

/** Shorter pauses, in milliseconds, are those of whoever recorded; longer ones are not waited for. */
const minPauseMs = 1500;
const maxPauseMs = 3000;

/** Milliseconds after which most clocks have moved, those that tell whole seconds too. */
export const soon = 1100;

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
      waves.push({
        exchanges: [i],
        pause: started - end >= minPauseMs && last ? Math.min(started - end, maxPauseMs) : 0,
      });
    end = Math.max(end, started + (response?.time ?? 0));
  }
  return waves;
}

/**
 * Whether the last reply bears the time of the first one though less than `pause` milliseconds lie between them. This shows
 * nothing of its clock: the request is to be sent once more, after the whole pause.
 * @param member of a reply, that says when it was made
 */
export function isTooSoon(exchanges: readonly Exchange[], pause: number, member: string): boolean {
  const timed = exchanges.flatMap(({ started, response }) => {
    const reply = response && jsonOf(response);
    const created = isObject(reply) ? reply[member] : undefined;
    return started !== undefined && typeof created === "number" ? [{ created, started }] : [];
  });
  const [first, last] = [timed[0], timed.at(-1)];
  return !!first && !!last && last.created <= first.created && last.started - first.started < pause;
}
