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

/**
 * A sender for one part of a run; those of later parts keep their distance to it.
 * @param reuse whether it may keep connections while others send nothing; with a pace, which has time for new ones, it never does
 */
export function runSender({ retries, rate, ...limits }: Manners, reuse = false): Sender {
  const sender = createSender({ ...limits, reuse: reuse && rate === undefined });
  return withRetries(rate === undefined ? sender : withRate(sender, rate), retries);
}
