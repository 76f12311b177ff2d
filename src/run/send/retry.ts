/**
 * Retries requests after 429, 503 and 529, after a connection reset without a response (reading X-RETRY), and after a refused
 * connection soon after such a reset.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { WireResponse } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";
import type { Sender, Sent } from "../../wire/send.ts";
import { pathOf } from "../../wire/target.ts";

/** Statuses that say "later", not "no". */
const later = new Set([429, 503, 529]);

/** The longest wait, in milliseconds, whatever a target asks for. */
const maxWaitMs = 60_000;

/** Milliseconds after which a path that says nothing but "later" is waited for no longer. */
const hopeless = 180_000;

/** Whether an answer says nothing but that it comes too early. */
export const saysLater = (response: Pick<WireResponse, "status"> | null | undefined): boolean =>
  response !== null && response !== undefined && later.has(response.status);

/** The time, and waiting. */
export interface Clock {
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
}

const realClock: Clock = { now: Date.now, wait: (milliseconds) => sleep(milliseconds) };

/**
 * Milliseconds until a request may be sent again: as `retry-after` says, in seconds or as a date, else twice as long each time.
 * @param attempt how often it was sent already, from 1
 */
export function delayBefore(
  response: WireResponse | null,
  attempt: number,
  now = Date.now(),
  chance = Math.random(),
): number {
  const said = response && headerValue(response.headers, "retry-after")?.trim();
  const until = !said
    ? Number.NaN
    : /^\d+(\.\d+)?$/.test(said)
      ? Number(said) * 1000
      : /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(said)
        ? Date.parse(said) - now
        : Number.NaN;
  const wait = Number.isNaN(until) ? 500 * 2 ** (attempt - 1) * (0.5 + chance) : until;
  return Math.min(maxWaitMs, Math.max(0, wait));
}

/** Milliseconds that a supervised server usually needs to restart. */
const restartMs = 5000;

const counted = (sent: Sent, tries: number): Sent => (tries > 1 ? { ...sent, tries } : sent);

/** The state of one path: requests to it wait together. */
interface Lane {
  /** When it may be asked again. */
  open: number;
  /** The time since which it has said nothing but "later". */
  since?: number | undefined;
}

/**
 * A sender that asks again, at most `retries` times a request; a path that says "later" for long is waited for no longer.
 * After a reset, a request is retried while no other is in flight, because a request that stops the server also resets others.
 */
export function withRetries(sender: Sender, retries: number, clock: Clock = realClock): Sender {
  const lanes = new Map<string, Lane>();
  const inFlight = new Set<Promise<Sent>>();
  /** Time of the last reset. A server refuses connections while it restarts. */
  let lastReset = Number.NEGATIVE_INFINITY;
  /** Settles when all requests that are sent alone have finished. */
  let alone: Promise<unknown> = Promise.resolve();
  function sendBesideOthers(...request: Parameters<Sender["send"]>): Promise<Sent> {
    const sending = sender.send(...request);
    inFlight.add(sending);
    const ended = (): void => void inFlight.delete(sending);
    sending.then(ended, ended);
    return sending;
  }
  function sendAlone(...request: Parameters<Sender["send"]>): Promise<Sent> {
    const sending = alone.then(() => Promise.allSettled(inFlight)).then(() => sender.send(...request));
    alone = sending.catch(() => undefined);
    return sending;
  }
  return {
    async send(origin, request, watch) {
      const name = `${origin} ${request.method} ${pathOf(request.target)}`;
      const lane = lanes.get(name) ?? { open: 0 };
      lanes.set(name, lane);
      let wasReset = false;
      for (let attempt = 1; ; ) {
        for (let left = lane.open - clock.now(); left > 0; left = lane.open - clock.now()) await clock.wait(left);
        for (let last: unknown; last !== alone && !wasReset; ) await (last = alone);
        const sent: Sent = await (wasReset ? sendAlone : sendBesideOthers)(origin, request, watch);
        const now = clock.now();
        const isReset = sent.failure?.kind === "reset";
        wasReset ||= isReset;
        if (isReset) lastReset = now;
        const mayRestart = retries > 0 && sent.failure?.kind === "unreachable" && now - lastReset < restartMs;
        if (!isReset && !mayRestart && !saysLater(sent.exchange.response)) {
          lane.since = undefined;
          return counted(sent, attempt);
        }
        lane.since ??= now;
        // A refused connection is no attempt while the server may restart.
        const until = now + delayBefore(sent.exchange.response, mayRestart ? 1 : attempt, now);
        if ((!mayRestart && attempt > retries) || until - lane.since > hopeless) return counted(sent, attempt);
        lane.open = Math.max(lane.open, until);
        if (!mayRestart) attempt++;
      }
    },
    close: () => sender.close(),
  };
}

/** Gives a turn at most `rate` times a second; the first of them as far from now as from the next. */
export function paceOf(rate: number, clock: Clock = realClock): () => Promise<void> {
  const between = 1000 / rate;
  let next = clock.now() + between;
  return async () => {
    const at = Math.max(next, clock.now());
    next = at + between;
    const left = at - clock.now();
    if (left > 0) await clock.wait(left);
  };
}

/** A sender that begins at most `rate` requests a second. */
export function withRate(sender: Sender, rate: number, clock: Clock = realClock): Sender {
  const turn = paceOf(rate, clock);
  return {
    async send(origin, request, watch) {
      await turn();
      return sender.send(origin, request, watch);
    },
    close: () => sender.close(),
  };
}
