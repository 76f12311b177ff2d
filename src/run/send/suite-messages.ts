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

/** The message to the thread. The next one follows its `done`. */
export interface SuiteOrder {
  readonly order: RunOrder;
  /** How many cassettes, or groups of probes, are asked at a time. */
  readonly concurrency: number;
  /** Variables of the process, which may have changed since the thread began. */
  readonly environment: Readonly<NodeJS.ProcessEnv>;
}

/** The answers of one source. */
export interface Answered {
  readonly source: string;
  readonly answers: Answers;
}

/** The end of an order. A thread in which code of a user's own ran takes no further one. */
export interface Done {
  readonly done: true;
  readonly isReusable: boolean;
}

/** The messages of the thread: answers as their source ends, how touchstone failed, and that no more comes. */
export type SuiteMessage = Answered | { readonly failure: string } | Done;
