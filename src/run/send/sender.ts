/** Sends every request of a run at the same pace, and retries what the target asks to retry. */
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createSender, type Sender, type SendLimits, type Sent } from "../../wire/send.ts";
import { withRate, withRetries } from "./retry.ts";

/** How requests are sent to a target. */
export interface SenderSettings extends SendLimits {
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
export function runSender({ retries, rate, ...limits }: SenderSettings, reuse = false, left?: AbortSignal): Sender {
  const bounds = { ...limits, reuse: reuse && rate === undefined };
  const sender = withEnd(createSender(bounds), bounds);
  const leaving = left ? withLeave(sender, left) : sender;
  const clock = { now: Date.now, wait: (ms: number) => sleep(ms, undefined, left && { signal: left }) };
  return withRetries(rate === undefined ? leaving : withRate(leaving, rate, clock), retries, clock);
}

/** Answers that may go on without end before nothing more is asked. */
const maxEndless = 8;

/** The first of them are waited for as long as the limits say. Later ones get a tenth of the time, and none if no answer was whole. */
const patientFor = 2;

/** The beginning of the problem of a target with endless answers. */
export const endlessAnswers = "its answers go on without end";

/**
 * A sender that stops asking a target whose answers do not end: each of them takes minutes and memory, and a run has a thousand.
 * @param bounds those of the sender; the time shrinks once the target has shown what it does with it
 */
function withEnd(sender: Sender, bounds: { maxTimeMs: number }): Sender {
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  let endless = 0;
  /** Those of them that took all the time they were given. */
  let slow = 0;
  let hasWhole = false;
  let last = "";
  const shorter = Math.min(bounds.maxTimeMs, Math.max(10_000, bounds.maxTimeMs / 10));
  const gone = (sent: Omit<Sent, "failure">): Sent => ({
    ...sent,
    failure: { kind: "unreachable", problem: `${endlessAnswers}: ${endless} were broken off, the last since ${last}` },
  });
  return {
    async send(origin, request, watch) {
      const { signal } = over;
      if (signal.aborted) return gone({ exchange: { origin, request, response: null, aborted: "upstream" } });
      const left = watch ? AbortSignal.any([watch.left, signal]) : signal;
      const sent = await sender.send(origin, request, { head: () => {}, piece: () => {}, ...watch, left });
      if (signal.aborted) return gone(sent);
      hasWhole ||= sent.failure === undefined;
      if (!sent.failure?.endless) return sent;
      last = sent.failure.problem;
      if (++endless >= patientFor) bounds.maxTimeMs = shorter;
      if (sent.failure.kind === "timed-out") slow++;
      if (endless >= maxEndless || (slow >= patientFor && !hasWhole)) over.abort();
      return sent;
    },
    close: () => sender.close(),
  };
}

/** A sender whose exchanges can all be ended at once. */
const withLeave = (sender: Sender, left: AbortSignal): Sender => ({
  send: (origin, request, watch) =>
    sender.send(origin, request, watch ?? { left, head: () => undefined, piece: () => undefined }),
  close: () => sender.close(),
});
