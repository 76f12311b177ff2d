/** The options of a run. */
import type { Catalogue } from "../check/catalogue.ts";
import type { Level } from "../check/clause.ts";
import type { Names } from "../check/names.ts";
import type { JudgingArgs } from "../interfaces/judging.ts";
import { UserError } from "../user-error.ts";
import type { Enforcement } from "../verdict/run-results.ts";
import type { Listening } from "../wire/listen.ts";
import type { ProbeChoice } from "./send/probes.ts";

export interface RunOptions extends JudgingArgs {
  /** The target's name in reports; its host by default. */
  readonly name?: string | undefined;
  /** Only these interfaces. */
  readonly interface?: readonly string[] | undefined;
  /**
   * Runs the code in folders of documents that only the target file names. Without it, the clauses that this code decides have no
   * verdict. The code of `documents` given here always runs.
   */
  readonly allowCode?: boolean | undefined;
  /** Only plans the run. No code of documents runs. */
  readonly dryRun?: boolean | undefined;
  /** Receives one sentence for each thing that the run leaves out; `process.emitWarning` by default. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** Only these sections: `streaming`, or `messages/streaming`. */
  readonly section?: readonly string[] | undefined;
  /** Only recordings that show these clauses, judged by these alone. */
  readonly clause?: readonly string[] | undefined;
  /**
   * Only these, asked whole: recordings, `chat-completions/response/text`, and groups of probes, `probes/messages/request/top-k-type`, as findings
   * name them.
   */
  readonly scenario?: readonly string[] | undefined;
  /** Features that the target does not offer: needs of recordings, interfaces, sections. */
  readonly lacks?: readonly string[] | undefined;
  /** Headers to send as well: `Name: value`. */
  readonly header?: readonly string[] | undefined;
  /** The target's models: `ID`, or `INTERFACE=ID`, `KIND=ID`, `RECORDED=ID`. */
  readonly model?: readonly string[] | undefined;
  /** Credentials: `$VARIABLE`, or `INTERFACE=$VARIABLE`; `$TOUCHSTONE_KEY` by default. */
  readonly key?: readonly string[] | undefined;
  /** File of failures the target admits to. */
  readonly expectations?: string | undefined;
  /** Whether that file is about to be rewritten, and may not be there yet. */
  readonly updateExpectations?: boolean | undefined;
  /**
   * The upstream behind the target: a folder or file of its results, its base URL, or its target file. What fails there alike
   * fails no run.
   */
  readonly baseline?: string | undefined;
  /** The least level that fails a clause; `error` by default. */
  readonly level?: Level | undefined;
  /** The weight of accepted violations of rules on requests; `unenforced`, a verdict of its own, by default. `off`: reports do not mention them. */
  readonly enforcement?: Enforcement | undefined;
  /** The I-th of N parts: `I/N`. */
  readonly shard?: string | undefined;
  /** Recordings asked at a time; 4 by default. */
  readonly concurrency?: number | undefined;
  /**
   * Send no more requests than these. Besides them come one an interface to see whether it answers at all, and those of
   * official clients. `retries` bounds what is sent again after a 429, 503, 529 or reset.
   */
  readonly maxRequests?: number | undefined;
  /** Whether the clients that are installed use the target as well. Nothing that is logged meanwhile is printed. */
  readonly clients?: boolean | undefined;
  /** Requests made from clauses: `cheap` by default, `all`, or false for none. A folder of one's own recordings has none. */
  readonly probes?: ProbeChoice | false | undefined;
  /** How often a request is sent again that was answered 429, 503 or 529, or not at all; 3 by default. */
  readonly retries?: number | undefined;
  /**
   * Requests with which each failure is asked again, ever smaller; 0 by default. `free`: 40 where they cost nothing, on this
   * machine and without a bound on requests or their pace, else 0.
   */
  readonly shrink?: number | "free" | undefined;
  /** Seconds that the whole run may take; what is left then is not asked, and the run is incomplete. No bound by default. */
  readonly maxTime?: number | undefined;
  /** Tokens, in and out, after which nothing more is asked: as the answers count them, so that what is in flight comes on top. */
  readonly maxTokens?: number | undefined;
  /** The same in money, by `price` or the target file's prices. */
  readonly maxCost?: number | undefined;
  /** The price of a million tokens, in and out, and of an image: `3/15`, `INTERFACE=3/15`, `images=5/40/0.04`. */
  readonly price?: readonly string[] | undefined;
  /** Requests a second at most, of every kind; no bound by default. */
  readonly rate?: number | undefined;
  /** Seconds to wait until the target listens; 0 by default. */
  readonly wait?: number | undefined;
  /** Whether any certificate of the target is accepted. */
  readonly insecure?: boolean | undefined;
  /** Seconds to wait for an answer and each part of it; 60 by default. */
  readonly timeout?: number | undefined;
  /** Folder of cassettes, `INTERFACE/SECTION/NAME.json`; those that ship with touchstone by default. */
  readonly recordings?: string | undefined;
  /** Starts the implementation to ask where no target is named. */
  readonly startReference?: ((catalogue: Catalogue, names: Names) => Promise<Listening>) | undefined;
  /** Told as recordings are done. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
}

/** The bounds of numbers: the least, the most, and whether they are whole. */
const bounds = [
  ["concurrency", 1, 256, true],
  ["maxRequests", 1, 1_000_000, true],
  ["maxTime", 0.001, 1_000_000, false],
  ["maxTokens", 1, 1_000_000_000_000, true],
  ["maxCost", 0, 1_000_000_000, false],
  ["retries", 0, 20, true],
  ["shrink", 0, 1000, true],
  ["rate", 0.01, 10_000, false],
  ["timeout", 0.001, 3600, false],
  ["wait", 0, 3600, false],
] as const;

/** UserError for a number outside its bounds. */
export function checkNumbers(options: RunOptions): void {
  for (const [option, min, max, whole] of bounds) {
    const value = options[option];
    if (value === undefined || value === "free") continue;
    if (!(value >= min && value <= max) || (whole && !Number.isInteger(value)))
      throw new UserError(
        `--${option.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)} must be a ${whole ? "whole " : ""}number from ${min} to ${max}`,
        "touchstone run --help shows it.",
      );
  }
}
