/** What the follower and its judge, a process of its own, say to each other. */
import type { Head } from "../cassette/range.ts";
import type { Level, Policy, Side } from "../check/clause.ts";
import type { Bindings } from "../check/names.ts";
import type { JudgedExchange } from "../verdict/judged-exchange.ts";
import type { Share } from "../verdict/tally.ts";

/** How exchanges are judged; the judge's first message. */
export interface JudgeSettings {
  /** Later layers outweigh earlier ones; all of them what a recording says of itself. */
  readonly bindings: readonly Bindings[];
  readonly policy: Policy;
  readonly side?: Side | undefined;
  /** The least level that fails a clause. */
  readonly failsAt: Level;
  /** Findings that are made of those that differ only in positions; a hundred unless said. */
  readonly alike?: number;
  /** Headers by which a vendor is known, where nothing says what it calls the documents' names. */
  readonly vendorHeaders?: readonly string[];
  /** Whether credentials are taken out before; false for what a keeper has written. */
  readonly redacts: boolean;
}

/** What is asked of a judge: the next exchanges of a recording. */
export interface Ask {
  /** What findings call the recording: its path, or `-`. */
  readonly source: string;
  /** The recording itself where no file holds it, or null where the judge has been given it before. */
  readonly bytes?: Uint8Array | null;
  /** Set for a `.jsonl`, which is read by byte positions; other recordings are read whole, and their exchanges counted. */
  readonly head?: Head;
  /** Where to begin: a byte position behind the head, or how many exchanges stand before. */
  readonly at: number;
  /** Byte position at which the stretch ends. */
  readonly to: number;
  /** Whether a line begins at `at`; else what stands there belongs to the stretch before. */
  readonly begins: boolean;
  /** Whether to wait for more at the end. */
  readonly growing: boolean;
  /** How many lines stand before `at`, where that is known: complaints count from there. */
  readonly line: number;
  /** `one`: a single exchange, announced before it is judged; `skip`: a single exchange, unread. */
  readonly what: "batch" | "one" | "skip";
  /** What is known of the exchange that is skipped. */
  readonly row?: Row;
}

/** One exchange, as reports show it. */
export type Row = JudgedExchange;

/** What came of an ask. */
export interface Answer {
  /** In order; findings count exchanges from the first of the answer. */
  readonly rows: readonly Row[];
  readonly share: Share;
  /** What was noticed and passed over, as sentences. */
  readonly notes: readonly string[];
  /** Where the next ask begins, and whether a line begins there. */
  readonly at: number;
  readonly begins: boolean;
  /** Lines that were passed. */
  readonly lines: number;
  /** Whether nothing is left. */
  readonly done: boolean;
}

/** Why there was none: input that cannot be read, with a remedy, or our own failure. */
export interface Failure {
  readonly message: string;
  readonly remedy?: string | undefined;
  readonly stack?: string | undefined;
}

export type ToJudge = { readonly settings: JudgeSettings } | { readonly ask: Ask } | { readonly release: true };
export type FromJudge =
  /** It has started, which takes its time. */
  | { readonly ready: true }
  | { readonly progress: Progress }
  | { readonly answer: Answer }
  | { readonly failure: Failure };

/** What a judge is at: so many bytes, or, where one exchange is asked for by itself, this one. */
export type Progress = { readonly bytes: number } | { readonly row: Row };
