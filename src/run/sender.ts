/** The sender of a run: every request it makes is paced alike, and asked again where the target says "later". */
import { createSender, type Sender, type SendLimits } from "../wire/send.ts";
import { withRate, withRetries } from "./retry.ts";

/** How a target wants to be asked. */
export interface Manners extends SendLimits {
  /** How often a request is sent again. */
  readonly retries: number;
  /** Requests a second at most; undefined without a bound. */
  readonly rate?: number | undefined;
}

/** A sender for one part of a run; those of later parts keep their distance to it. */
export function runSender({ retries, rate, ...limits }: Manners): Sender {
  const sender = createSender(limits);
  return withRetries(rate === undefined ? sender : withRate(sender, rate), retries);
}
