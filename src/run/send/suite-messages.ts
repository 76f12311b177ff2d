/** The messages between a run and the thread that sends its requests. Plain data: it crosses between them. */
import type { Answers } from "../../verdict/sent-record.ts";
import type { ProbeGroup } from "../judge/judge-probes.ts";
import type { Recording } from "../plan/recordings.ts";
import type { SendContext } from "./send-cassette.ts";
import type { SenderSettings } from "./sender.ts";

/** The order of a run. */
export interface RunOrder extends SendContext {
  /** The cassettes to send. */
  readonly recordings: readonly Recording[];
  /** The probes to send after them. */
  readonly probes: readonly ProbeGroup[];
  /** Model ids of probes that stand for models of the target's own. */
  readonly probedModels: ReadonlySet<string>;
  readonly settings: SenderSettings;
  /** Paths of users' own documents. */
  readonly documents: readonly string[];
  /** Whether the code in their folders runs. */
  readonly runsCode: boolean;
}

/** The message to the thread, sent once. */
export interface SuiteOrder {
  readonly order: RunOrder;
  /** How many cassettes, or groups of probes, are asked at a time. */
  readonly concurrency: number;
}

/** The answers of one source. */
export interface Answered {
  readonly source: string;
  readonly answers: Answers;
}

/** The messages of the thread: answers as their source ends, how touchstone failed, and that no more comes. */
export type SuiteMessage = Answered | { readonly failure: string } | { readonly done: true };
