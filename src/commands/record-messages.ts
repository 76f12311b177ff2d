/** What the recorder and its keeper, a process of its own, say to each other. */
import type { VerdictDocument } from "../verdict/document.ts";
import type { Line } from "./check-work.ts";
import type { JudgingArgs } from "./options.ts";

/** The keeper's first line of input; frames of the tape follow it. */
export interface KeeperSettings {
  /** The cassette to create. */
  readonly out: string;
  readonly judging: JudgingArgs;
  readonly keepHeaders: readonly string[];
  /** Sources of regular expressions. */
  readonly redact: readonly string[];
}

/** An exchange that was kept and judged, without its secrets. */
export interface Shown extends Line {
  readonly exchange: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Milliseconds, where a response came. */
  readonly time: number | undefined;
  readonly aborted: "client" | "upstream" | undefined;
}

export interface Summary {
  readonly judged: VerdictDocument;
  readonly operations: readonly { readonly operation: string; readonly exchanges: number; readonly known: boolean }[];
  /** Exchanges that are in the cassette, and those that could not be written. */
  readonly kept: number;
  readonly lost: number;
  /** Exchanges at which judging itself failed. */
  readonly broken: number;
}

/** One line of the keeper's output. */
export type KeeperMessage =
  | { readonly ready: true }
  | { readonly failure: { readonly message: string; readonly remedy: string | undefined } }
  | { readonly shown: readonly Shown[] }
  | { readonly trouble: string }
  | { readonly summary: Summary };
