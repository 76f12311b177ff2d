/** Several targets side by side as data: what `report A B --format json` prints, and what text, Markdown and page are made of. */
import type { Finding } from "../../check/clause.ts";
import type { Standing, StandingCounts } from "../../verdict/standing.ts";
import type { Conclusion } from "../outline.ts";

/** The place of a finding, with what was demanded and what came. */
export type CellPlace = Pick<
  Finding,
  "source" | "exchange" | "side" | "in" | "event" | "pointer" | "level" | "expected" | "actual"
>;

export interface Cell {
  readonly state: Standing;
  /** Exchanges that held what the clause speaks about, in which it failed, and in which it was only warned about; absent for 0. */
  readonly exercised?: number;
  readonly failed?: number;
  readonly warned?: number;
  /** Exchanges in which its violation was accepted, and nothing worse came; absent for 0. */
  readonly unenforced?: number;
  /** Violations in all; absent for 0. */
  readonly findings?: number;
  /** The first of them; absent where there are none. */
  readonly places?: readonly CellPlace[];
  /** Why the target admits to it, why it was skipped, or what would decide it. */
  readonly why?: readonly string[];
  /** How well-known services fail it, too. */
  readonly diverges?: string;
}

/**
 * How the columns that have a verdict agree: `differs`: one passes what another violates, or one fails where another only warns;
 * `violated` by all of them; `enforcement`: some refuse what breaks the rule, others accept it, and nothing else is the matter;
 * `unenforced`: all accept it; `kept` by all; `open`: none has a verdict.
 */
export type Agreement = "differs" | "violated" | "enforcement" | "unenforced" | "kept" | "open";

/** One clause. */
export interface Row {
  readonly clause: string;
  /** Null for a clause that this version does not know. */
  readonly says: string | null;
  readonly document: { readonly name: string; readonly section: string } | null;
  readonly level: "must" | "should" | "may" | null;
  readonly agreement: Agreement;
  /** One a column. */
  readonly cells: readonly Cell[];
}

/** Clauses of one section in the order of `Agreement`, then by id. */
export interface Section {
  readonly interface: string;
  readonly section: string;
  readonly differing: number;
  /** One a column. */
  readonly counts: readonly StandingCounts[];
  readonly rows: readonly Row[];
}

/** How a column was judged and asked, as far as it says what may be compared. */
export interface Terms {
  readonly touchstone: string;
  readonly documents: Readonly<Record<string, string>>;
  /** The name of one, `a file`, or `none`. */
  readonly preset: string;
  readonly readings: readonly string[];
  readonly level: string;
  /** The weight of accepted violations of rules on requests; null: `unenforced`. */
  readonly enforcement: "off" | "warning" | "error" | null;
  readonly probes: string;
  readonly filters: readonly string[];
  readonly lacks: readonly string[];
  readonly limit: number | null;
  readonly recordings: "touchstone's" | "of its own";
}

/** One target, or one run of it. */
export interface Column {
  readonly name: string;
  /** Base URL; null for the embedded reference. */
  readonly url: string | null;
  /** When its run began, ISO 8601; of results without a manifest the day only. */
  readonly started: string;
  readonly standing: Conclusion;
  /** The conclusion, in one sentence. */
  readonly says: string;
  /** Clauses that fail and requests that are not answered as recorded, to which the target admits. */
  readonly admitted: number;
  readonly counts: StandingCounts;
  /** Clauses in all, and those of them that have a verdict; without what is unenforced. */
  readonly clauses: number;
  readonly shown: number;
  readonly summary: {
    readonly exchanges: number;
    readonly errors: number;
    readonly warnings: number;
    readonly notes: number;
  };
  readonly terms: Terms;
}

/** Something besides the target in which the columns are not alike. */
export interface Unlike {
  readonly what: string;
  /** One a column. */
  readonly values: readonly string[];
}

/** The outcome of a feature or a client in one column. */
export interface OutcomeCell {
  readonly outcome: string;
  readonly because: readonly string[];
  /** The deciding fact, in one phrase, as the report of that column alone says it; empty if nothing is to be said. */
  readonly why: string;
}

/** A feature or a client, and what it comes to in each column; null where nobody looked. */
export interface Outcomes {
  readonly name: string;
  readonly differs: boolean;
  readonly cells: readonly (OutcomeCell | null)[];
}

export interface UnansweredCell {
  readonly requests: number;
  /** The outcome of the first. */
  readonly first: string;
  /** The source of the first. */
  readonly source: string;
  readonly exchange: number;
  /** The target admits to all of them. */
  readonly expected: boolean;
}

/** Requests of one operation that were not answered as recorded. */
export interface Unanswered {
  readonly interface: string;
  readonly operation: string;
  /** One a column; null where all were answered. */
  readonly cells: readonly (UnansweredCell | null)[];
}

export interface SideBySide {
  readonly touchstone: string;
  readonly columns: readonly Column[];
  readonly unlike: readonly Unlike[];
  /** Clauses by how the columns agree. */
  readonly agreement: Readonly<Record<Agreement, number>>;
  readonly features: readonly Outcomes[];
  readonly clients: readonly Outcomes[];
  readonly unanswered: readonly Unanswered[];
  readonly sections: readonly Section[];
}
