/** What a run and the thread that sends its requests say to each other. Plain data: it crosses between them. */
import type { Answers } from "../../verdict/sent-record.ts";
import type { ProbeGroup } from "../judge/judge-probes.ts";
import type { Recording } from "../plan/recordings.ts";
import type { SendContext } from "./send-cassette.ts";
import type { SenderSettings } from "./sender.ts";

/** What a run has sent. */
export interface RunOrder extends SendContext {
  /** The cassettes to send. */
  readonly recordings: readonly Recording[];
  /** What to send after them. */
  readonly probes: readonly ProbeGroup[];
  /** Model ids of probes that stand for models of the target's own. */
  readonly probedModels: ReadonlySet<string>;
  readonly settings: SenderSettings;
  /** Paths of users' own documents. */
  readonly documents: readonly string[];
}

/** What the thread is sent, once. */
export interface SuiteOrder {
  readonly order: RunOrder;
  /** How many cassettes, or groups of probes, are asked at a time. */
  readonly concurrency: number;
}

/** What came of one source. */
export interface Answered {
  readonly source: string;
  readonly answers: Answers;
}

/** What the thread sends: answers as their source ends, how touchstone failed, and that no more comes. */
export type SuiteMessage = Answered | { readonly failure: string } | { readonly done: true };
