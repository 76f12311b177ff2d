/** What the recorder and its keeper, a process of its own, say to each other. */
import type { JudgingArgs } from "../../interfaces/judging.ts";

/** The keeper's first line of input; frames follow it. */
export interface KeeperSettings {
  /** The cassette to create. */
  readonly out: string;
  readonly judging: JudgingArgs;
  readonly keepHeaders: readonly string[];
  /** Sources of regular expressions. */
  readonly redact: readonly string[];
}

/** What was kept when all is written. */
export interface Kept {
  /** Exchanges that are in the cassette, and those that could not be written. */
  readonly kept: number;
  readonly lost: number;
  /** Exchanges that are not kept, since taking out their credentials failed. */
  readonly broken: number;
}

/** One line of the keeper's output. */
export type KeeperMessage =
  | { readonly ready: true }
  | { readonly failure: { readonly message: string; readonly remedy: string | undefined } }
  | { readonly trouble: string }
  | { readonly kept: Kept };
