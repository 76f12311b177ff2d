/** One client request on its way through a gateway, as seen at both ends, and the outcome of each fact. Types alone. */
import type { TripTiming } from "../cassette/format.ts";
import type { Exchange } from "../wire/exchange.ts";

/** The interface that a gateway speaks to its clients, and the one it speaks to its upstream, by their names. */
export interface Route {
  readonly from: string;
  readonly to: string;
}

/** JSON as parsed. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The side of a fact: what requests ask, or what answers say. */
export type FactSide = "request" | "answer";

/**
 * The outcome of one fact. - `kept`: it arrived, perhaps after a fair conversion.
 * - `refused`: an error names it.
 * - `dropped`: it is gone without a word.
 * - `changed`: it arrived with another value.
 * - `invented`: it arrived, and nobody had said it.
 * - `no-counterpart`: the other interface has no word for it, and it is gone.
 * - `not-shown`: this trip cannot show it.
 */
export type FactOutcome = "kept" | "refused" | "dropped" | "changed" | "invented" | "no-counterpart" | "not-shown";

/** All outcomes, worst first. */
export const factOutcomes: readonly FactOutcome[] = [
  "dropped",
  "changed",
  "invented",
  "no-counterpart",
  "refused",
  "not-shown",
  "kept",
];

/** One request of a client through the gateway, with all that was seen of it at both ends. */
export interface Trip {
  /** The origin of the question: a recording or the source of a twin, its position, and `+stream` where it was turned into a stream. */
  readonly id: string;
  /** As sent to the gateway, and what came back; its response is null where none came. */
  readonly client: Exchange;
  /** Requests that arrived at the embedded upstream because of it, in order, with their answers. */
  readonly upstream: readonly Exchange[];
  /**
   * The behaviour of the upstream: `error-429`, `stream-error`, `cut`, `unfinished`, `slow`, `disconnect`. Absent for a plain good answer.
   */
  readonly situation?: string;
  /** How the gateway ended on this trip. Touchstone had started it, and started it again. */
  readonly ended?: string;
  readonly timing?: TripTiming;
}

/** The outcome of one fact on one trip. */
export interface FactComparison {
  readonly fact: string;
  readonly side: FactSide;
  readonly outcome: FactOutcome;
  /** For requests: what the client asked, and what arrived at the upstream. Normalised values, as bounded excerpts. */
  readonly asked?: Json;
  readonly arrived?: Json;
  /** For answers: what the upstream said, and what the client got. */
  readonly answered?: Json;
  readonly got?: Json;
  /** A fair conversion that was applied, in one sentence. */
  readonly conversion?: string;
  /** Why the outcome is what it is, in one sentence for people. */
  readonly why?: string;
}
