/** The output of `diff --format json`. */
import type { InferredNames } from "../verdict/document.ts";

/** The kind of change at a place. */
export type ChangeKind = "added" | "removed" | "type" | "nullability" | "enum" | "order" | "status" | "header";

export interface ExchangeName {
  readonly source: string;
  readonly exchange: number;
}

/** In how many of the exchanges that could show it. */
export interface SeenIn {
  readonly in: number;
  readonly of: number;
  /** The first place at which it can be seen; null if there is none. */
  readonly example: ExchangeName | null;
  /** The first exchange that could show it, if nothing does, such as one whose object lacks the member. */
  readonly lacking: ExchangeName | null;
}

/** The party that would have to move for the two sides to agree: the document, the vendor that was recorded, the target that was asked; nobody. */
export type Mover = "document" | "vendor" | "target" | "nobody";

export interface Change {
  readonly kind: ChangeKind;
  readonly interface: string;
  readonly operation: string;
  readonly side: "request" | "response";
  readonly in: "headers" | "query" | "body" | "form" | "stream" | "status";
  /** JSON Pointer, positions in lists as `*`; of a stream into the data of events. */
  readonly pointer: string;
  /** The variants it is told of, such as `type: tool_use`, or the lines of a stream; empty for all. */
  readonly where: readonly string[];
  /** The former content, in words; null for nothing. */
  readonly before: string | null;
  readonly after: string | null;
  /** How often the side that shows it shows it, and in how many exchanges. */
  readonly count: number;
  readonly exchanges: number;
  readonly seen: { readonly before: SeenIn; readonly after: SeenIn };
  /** How often chance alone would bring such a difference, from 0 to 1 (Fisher's exact test). */
  readonly chance: number;
  /** Whether the document allows what is there now; null where it says nothing. */
  readonly allowed: boolean | null;
  /** The same of what was there before. */
  readonly allowedBefore: boolean | null;
  /** The clause that speaks of it. */
  readonly clause: string | null;
  /** Only where a target was asked. */
  readonly move?: Mover;
}

/** An exchange that was not sent again. */
export interface Unsent {
  readonly source: string;
  readonly exchange: number;
  readonly why: string;
}

/** An interface of which one side refused every request for its key, and the other did not. */
export interface RefusedKey {
  readonly interface: string;
  readonly side: "before" | "after";
  readonly answers: number;
  /** The statuses of these answers. */
  readonly statuses: readonly string[];
}

export interface DriftSummary {
  readonly changes: number;
  /** Changes the documents forbid. */
  readonly forbidden: number;
  /** Exchanges of documented operations. */
  readonly exchanges: { readonly before: number; readonly after: number };
  /** Those whose answers were read and compared. */
  readonly compared: { readonly before: number; readonly after: number };
  /** The number of those with the same request to the letter. */
  readonly alike: number;
  /** Exchanges whose request has no like on the other side: their answers are not compared. */
  readonly unmatched: { readonly before: number; readonly after: number };
  /** Exchanges whose answer could not be read, or broke off: their status and headers alone are compared. */
  readonly unread: { readonly before: number; readonly after: number };
  /** Exchanges of no documented operation. */
  readonly undocumented: { readonly before: number; readonly after: number };
  /** Their answers are not compared. */
  readonly refused?: readonly RefusedKey[];
  /** Vendors' names that messages of either side carried and nobody bound, by the neutral name they count as (reading X-NAMES). */
  readonly inferred?: InferredNames;
  /** Why exchanges of a target were not compared. */
  readonly unsent?: readonly Unsent[];
  /** There was more structure than is kept: what is told is right, and not all. */
  readonly incomplete?: true;
}

export interface DriftDocument {
  readonly changes: readonly Change[];
  readonly summary: DriftSummary;
}

export interface VerdictChange {
  /** The id of a clause; of gateways and clients also `GROUP/ID` of a fact or a case. */
  readonly clause: string;
  /** A verdict; of gateways and clients an outcome. */
  readonly before: string;
  readonly after: string;
  /** Whether an outcome was lost (1), won (-1), or is only another one (0); verdicts say it themselves. */
  readonly turn?: -1 | 0 | 1;
}

/** Verdicts of two results that differ: lost ones first, then won ones, then all others. */
export interface VerdictsDocument {
  readonly verdicts: readonly VerdictChange[];
}
