/** The messages between the follower and a judge, a process of its own. */
import type { Head } from "../../cassette/range.ts";
import type { Level, Policy, Side } from "../../check/clause.ts";
import type { Bindings } from "../../check/names.ts";
import type { JudgedExchange } from "../../verdict/judged-exchange.ts";
import type { Share } from "../../verdict/tally.ts";

/** How exchanges are judged; the judge's first message. */
export interface JudgeSettings {
  /** Paths of users' own documents. */
  readonly documents: readonly string[];
  /** Later layers outweigh earlier ones; all of them what a recording says of itself. */
  readonly bindings: readonly Bindings[];
  readonly policy: Policy;
  readonly side?: Side | undefined;
  /** The least level that fails a clause. */
  readonly failsAt: Level;
  /** Findings that are made of those that differ only in positions; a hundred unless said. */
  readonly maxPerGroup?: number;
  /** Headers by which a vendor is known, where nothing says what it calls the documents' names. */
  readonly vendorHeaders?: readonly string[];
  /** Whether credentials are taken out before; false for what a keeper has written. */
  readonly redacts: boolean;
}

/** Asks for the next exchanges of a recording to be judged. */
export interface BatchRequest {
  /** The name of the recording in findings: its path, or `-`. */
  readonly source: string;
  /** The recording itself where no file holds it, or null where the judge has been given it before. */
  readonly bytes?: Uint8Array | null;
  /** Set for a `.jsonl`, which is read by byte positions; other recordings are read whole, and their exchanges counted. */
  readonly head?: Head;
  /** The beginning: a byte position behind the head, or how many exchanges stand before. */
  readonly at: number;
  /** Byte position at which the segment ends. */
  readonly to: number;
  /** Whether a line begins at `at`; else what stands there belongs to the segment before. */
  readonly atLineStart: boolean;
  /** Whether to wait for more at the end. */
  readonly growing: boolean;
  /** How many lines stand before `at`, where that is known: notes count from there. */
  readonly linesBefore: number;
  /** `one`: a single exchange, announced before it is judged; `skip`: a single exchange, unread. */
  readonly mode: "batch" | "one" | "skip";
  /** The facts about the exchange that is skipped. */
  readonly announced?: JudgedExchange;
}

/** The result of a request. */
export interface BatchResult {
  /** In order; findings count exchanges from the first of the batch. */
  readonly exchanges: readonly JudgedExchange[];
  readonly share: Share;
  /** Notes on what was passed over, as sentences. */
  readonly notes: readonly string[];
  /** The beginning of the next request, and whether a line begins there. */
  readonly at: number;
  readonly atLineStart: boolean;
  /** Lines that were read. */
  readonly lines: number;
  /** Whether nothing is left of the segment. */
  readonly done: boolean;
}

/** Why there is no result: input that cannot be read, with a remedy, or our own failure. */
export interface JudgeFailure {
  readonly message: string;
  readonly remedy?: string | undefined;
  readonly stack?: string | undefined;
}

/** The progress of a judge: so many bytes, or, if one exchange is asked for by itself, this one. */
export type Progress = { readonly bytes: number } | { readonly exchange: JudgedExchange };

/** `finish`: files grow no more. */
export type ToJudge =
  | { readonly settings: JudgeSettings }
  | { readonly request: BatchRequest }
  | { readonly finish: true };

/** `ready`: it has loaded its code and its settings, which takes a while. */
export type FromJudge =
  | { readonly ready: true }
  | { readonly progress: Progress }
  | { readonly result: BatchResult }
  | { readonly failure: JudgeFailure };
