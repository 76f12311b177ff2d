/** The sender of a run: every request it makes is paced alike, and asked again where the target says "later". */
import { setTimeout as sleep } from "node:timers/promises";
import { createSender, type Sender, type SendLimits } from "../wire/send.ts";
import { withRate, withRetries } from "./retry.ts";

/** How a target wants to be asked. */
export interface Manners extends SendLimits {
  /** How often a request is sent again. */
  readonly retries: number;
  /** Requests a second at most; undefined without a bound. */
  readonly rate?: number | undefined;
}

/**
 * A sender for one part of a run; those of later parts keep their distance to it.
 * @param reuse whether it may keep connections while others send nothing; with a pace, which has time for new ones, it never does
 * @param left ends what is in flight and what waits, when aborted
 */
export function runSender({ retries, rate, ...limits }: Manners, reuse = false, left?: AbortSignal): Sender {
  const sender = createSender({ ...limits, reuse: reuse && rate === undefined });
  const leaving = left ? withLeave(sender, left) : sender;
  const clock = { now: Date.now, wait: (ms: number) => sleep(ms, undefined, left && { signal: left }) };
  return withRetries(rate === undefined ? leaving : withRate(leaving, rate, clock), retries, clock);
}

/** A sender whose exchanges can all be ended at once. */
const withLeave = (sender: Sender, left: AbortSignal): Sender => ({
  send: (origin, request, watch) =>
    sender.send(origin, request, watch ?? { left, head: () => undefined, piece: () => undefined }),
  close: () => sender.close(),
});
