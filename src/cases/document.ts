/** The outward shape of a run against a client: what `client --format json` prints and `results.json` of its folder holds. */

import type { ExchangePlace } from "../check/finding-order.ts";
import type { Bindings } from "../check/names.ts";
import type { Admission, Summary, VerdictDocument } from "../verdict/document.ts";

/** `legal`: the documents and the transport allow it. `odd`: outside the documents, seen in the field. `fault`: something fails. */
export type CaseKind = "legal" | "odd" | "fault";

/**
 * The outcome of a case. `works`: it handed back the whole answer. `error`: it raised an error where one is due.
 * `loses`: a part is missing, and no error tells. `garbles`: it is altered, doubled or out of order. `crashes`: it broke, or
 * refused a legal answer. `hangs`: it had not ended within its time. `silent`: it took a failure or a cut for success.
 * `asks-wrongly`: it asked again too soon, too often or for nothing. `leaks`: its key went to another origin. `not-shown`:
 * nothing can be said from outside.
 */
export const caseOutcomes = [
  "leaks",
  "silent",
  "loses",
  "garbles",
  "crashes",
  "hangs",
  "asks-wrongly",
  "not-shown",
  "error",
  "works",
] as const;
export type CaseOutcome = (typeof caseOutcomes)[number];

/** The outcome of one case. */
export interface CaseResult {
  /** The id of the case. */
  readonly case: string;
  readonly interface: string;
  readonly kind: CaseKind;
  /** One sentence: how the server answers. */
  readonly says: string;
  /** The reason why it is legal, odd or a fault: ids of clauses and readings, sections of an RFC or of WHATWG, addresses of reports. */
  readonly restsOn: readonly string[];
  readonly outcome: CaseOutcome;
  /** Null where the client did well; `note` where nothing was shown. */
  readonly level: "error" | "warning" | "note" | null;
  /** One sentence. */
  readonly why: string;
  /** The client's result, shortened; absent if nothing came. */
  readonly printed?: string;
  /** Places in `exchanges.jsonl`. */
  readonly exchanges: readonly ExchangePlace[];
  /** The client admits to this failure. */
  readonly expected?: Admission;
}

/** The settings that results depend on besides the evidence and the catalogue. */
export interface ClientOptions {
  /** The interfaces that the client was tried with. */
  readonly interfaces: readonly string[];
  /** The patterns of `--case`; empty: all. */
  readonly cases: readonly string[];
  /** Whether the client is a command, and no package. */
  readonly isCommand: boolean;
  /** Whether one process answered all cases. */
  readonly once: boolean;
  /** Milliseconds after which one case follows another; null where each case is asked for by itself. */
  readonly every: number | null;
  /** Milliseconds a case may take. */
  readonly timeout: number;
  /** Milliseconds after which the client gives up by itself; null where that is not known. */
  readonly limit: number | null;
  /** The name of one that ships with touchstone, or what the file says; null without one. */
  readonly preset: string | object | null;
  /** Of `--bind`, in layers; later ones win. */
  readonly bindings: readonly Bindings[];
  readonly readings: readonly string[];
  /** The day for which expectations were read, `YYYY-MM-DD`. */
  readonly today: string;
}

export interface ClientSummary extends Summary {
  /** Cases by outcome. */
  readonly outcomes: Readonly<Record<CaseOutcome, number>>;
  /** Cases by level, those the client admits to left out. */
  readonly cases: { readonly errors: number; readonly warnings: number };
}

/** A run against a client. Findings, groups and clauses are of its requests; a finding's source is `<interface>/<case>`. */
export interface ClientDocument extends VerdictDocument {
  readonly kind: "client";
  /** The package with its version, or the command. */
  readonly client: string;
  /** `touchstone`, `node`, and of a package its own. */
  readonly versions: Readonly<Record<string, string>>;
  /** Document name to the SHA-256 of what restates it. */
  readonly documents: Readonly<Record<string, string>>;
  readonly options: ClientOptions;
  /** By interface and case. */
  readonly cases: readonly CaseResult[];
  readonly summary: ClientSummary;
}
