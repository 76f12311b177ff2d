/** The requests of a run and their answers, as plain records: all that its results say of a target follows from them. */

import type { ExchangePlace } from "../check/finding-order.ts";
import type { Exchange } from "../wire/exchange.ts";

/**
 * Why a run sent a request: it is a recording's, the good request of a group of probes, one made from it, a smoke test, or one
 * for an address that a reply handed out. The last stands behind the requests of its recording.
 */
export type Part = "scenario" | "twin" | "probe" | "smoke test" | "address";

/** A request that was sent, at the place that findings name: its source and its position there. */
export interface SentRecord extends ExchangePlace {
  readonly interface: string;
  readonly part: Part;
  /** The exchange without credentials: a masked part keeps its length. Judging sees nothing else of it. */
  readonly passed: Exchange;
  /** Why no whole answer came, in words; absent where one did. */
  readonly failure?: string;
  /** HTTP does not let the request pass, so that it was not sent: we failed. */
  readonly unsendable?: true;
  /** How often it was sent, where more than once; this is what came last. */
  readonly tries?: number;
  /** How to send it again, with credentials as environment variables; absent where no command can. */
  readonly curl?: string;
}

/** A request that was not to be sent, since something it takes from elsewhere was not there. */
export interface Unsent {
  /** Its position in its source. */
  readonly exchange: number;
  /** The missing value. */
  readonly why: string;
}

/** The result of sending one source. */
export interface Answers {
  readonly sent: readonly SentRecord[];
  readonly unsent: readonly Unsent[];
  /** Why the target could not be reached any more; nothing after it was sent. */
  readonly unreachable?: string;
  /** Positions of the requests that were sent when the target went; absent where it is there. */
  readonly inFlight?: readonly number[];
}
