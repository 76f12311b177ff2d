/** The outward shape of what a gateway keeps: what `gateway --format json` prints and `results.json` of its folder holds. Types alone. */
import type { Level } from "../check/clause.ts";
import type { VerdictDocument } from "../verdict/document.ts";
import type { RunResults, RunSettings } from "../verdict/run-results.ts";
import type { FactOutcome, FactSide, Json, Route, Trip } from "./trip.ts";

/** All four messages of a trip, as far as they tell what became of a fact: values of the fact, or the beginning of a body. */
export interface FactExample {
  /** The trip that shows it. Its evidence has this source: exchange 0 is the client's, those after it the upstream's. */
  readonly trip: string;
  readonly outcome: FactOutcome;
  /** The client's question, and what arrived at the upstream. */
  readonly asked: Json;
  readonly arrived: Json;
  /** The upstream's answer, and what the client got. */
  readonly answered: Json;
  readonly got: Json;
  /** A fair conversion that was applied, in one sentence. */
  readonly conversion?: string;
  /** Why the outcome is what it is, in one sentence. */
  readonly why?: string;
  /** Sends the request again, with credentials as environment variables; absent where no command can. */
  readonly curl?: string;
}

/** The outcome of one fact on all trips of a route. */
export interface FactResult {
  readonly fact: string;
  readonly side: FactSide;
  /** The fact in one sentence. */
  readonly says: string;
  /** The worst that was seen; `not-shown` only where nothing else was. */
  readonly outcome: FactOutcome;
  /** Its level; null if nothing is held against the gateway. */
  readonly level: Level | null;
  /** Trips with this outcome. */
  readonly count: number;
  /** Trips by outcome; all outcomes are named. */
  readonly outcomes: Readonly<Record<FactOutcome, number>>;
  /** The worst outcome first, three of it at most, then one of each other outcome. */
  readonly examples: readonly FactExample[];
}

/** The settings that the document depends on besides trips and catalogue: all that judging them again needs. Without credentials. */
export interface GatewaySettings
  extends Pick<
    RunSettings,
    "level" | "readings" | "preset" | "bindings" | "models" | "headers" | "keys" | "unsetKeys" | "ways"
  > {
  /** Whether lost facts are errors. */
  readonly gate: "fidelity" | null;
  /** Facts whose loss is an error; sorted. */
  readonly keep: readonly string[];
  /** Whether fair conversions count as changes. */
  readonly strict: boolean;
  /** The client library that was asked in the place of a gateway; absent for a gateway. */
  readonly client?: string;
  /** Features that the target does not offer; sorted. */
  readonly lacks: readonly string[];
  /** `HOST:PORT` at which the embedded upstream listened. */
  readonly upstream: string;
}

/** An operation that the gateway does not have: all its requests were answered so, and nothing arrived at the upstream. */
export interface NotOffered {
  /** Method and path. */
  readonly operation: string;
  readonly status: number;
  /** Requests that were answered so. */
  readonly requests: number;
}

/** Everything known before the first request. */
export interface GatewayFacts {
  readonly target: RunResults["target"];
  readonly route: Route;
  readonly options: GatewaySettings;
  readonly versions: RunResults["versions"];
  readonly documents: RunResults["documents"];
  /** Trips that are to be made, so that a part of them cannot look whole. */
  readonly planned: number;
}

/** A trip as its evidence has it. */
export type TripPlace = Pick<Trip, "id" | "situation" | "timing">;

export interface GatewayDocument extends VerdictDocument, GatewayFacts {
  readonly kind: "gateway";
  /** Worst first, then by side and name. */
  readonly facts: readonly FactResult[];
  /** Sorted by operation. */
  readonly notOffered: readonly NotOffered[];
  /** The trips on which the gateway ended, and how; it was started again. Sorted by trip. */
  readonly ended: readonly { readonly trip: string; readonly how: string }[];
  /** Trips that were made. */
  readonly trips: number;
}
