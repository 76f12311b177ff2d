/** Asks again where a target says "later": 429, 503, 529, and connections reset before an answer began (reading X-RETRY). */
import { setTimeout as sleep } from "node:timers/promises";
import type { WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import type { Sender, Sent } from "../wire/send.ts";

/** Statuses that say "later", not "no". */
const later = new Set([429, 503, 529]);

/** The longest wait, in milliseconds, whatever a target asks for. */
const longest = 60_000;

/** Whether an answer says nothing but that it comes too early. */
export const saysLater = (response: Pick<WireResponse, "status"> | null | undefined): boolean =>
  response !== null && response !== undefined && later.has(response.status);

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
  const said = response && headerValue(response.headers, "retry-after");
  const seconds = said ? Number(said) : Number.NaN;
  const until = Number.isNaN(seconds) && said ? Date.parse(said) - now : seconds * 1000;
  const wait = Number.isNaN(until) ? 500 * 2 ** (attempt - 1) * (0.5 + chance) : until;
  return Math.min(longest, Math.max(0, wait));
}

const isWorthAsking = ({ exchange, failure }: Sent): boolean =>
  saysLater(exchange.response) || (failure?.kind === "unanswered" && exchange.response === null);

/** A sender that asks again, at most `retries` times a request. */
export function withRetries(sender: Sender, retries: number): Sender {
  return {
    async send(origin, request, watch) {
      for (let attempt = 1; ; attempt++) {
        const sent = await sender.send(origin, request, watch);
        if (attempt > retries || !isWorthAsking(sent)) return sent;
        await sleep(delayBefore(sent.exchange.response, attempt));
      }
    },
    close: () => sender.close(),
  };
}
