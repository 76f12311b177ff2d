/** The data of a page about one target: plain JSON that crosses into the browser. */
import type { Clause, Finding, Level } from "../../check/clause.ts";
import type { ClauseVerdict, Group, Summary, Unjudged } from "../../verdict/document.ts";
import type { ClientOutcome, ClientTrial, FeatureOutcome, Incident, Recheck } from "../../verdict/run-results.ts";
import type { ViewedExchange } from "../../view/viewed.ts";

/** All but the exchanges, which the page inflates only when they are looked at. */
export interface PageData {
  /** A run against a target, or recordings that were judged. */
  readonly kind: "run" | "recordings";
  /** The name of the target: its owner's, else its host. */
  readonly name: string;
  /** The base URL that was judged; null for recordings and the embedded reference. */
  readonly address: string | null;
  /** ISO 8601; null where nobody knows. */
  readonly started: string | null;
  /** The command line, without credentials; null where nobody knows. */
  readonly command: readonly string[] | null;
  /** The terms by which it was judged, each with a name: versions, preset, readings, digests of documents. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly verdict: PageVerdict;
  /** The scope of the run, as sentences. */
  readonly scope: readonly string[];
  /** The planned requests, by what became of them: rows that add up to the first. Empty for recordings. */
  readonly requests: readonly (readonly [says: string, count: number])[];
  /** The interfaces that the target does not offer: nothing counts their clauses. */
  readonly lacking: readonly string[];
  readonly summary: Summary;
  /** In the order of their ids. */
  readonly clauses: readonly PageClause[];
  readonly groups: readonly PageGroup[];
  readonly incidents: readonly Incident[];
  /** Requests that were never answered, each with a sentence. */
  readonly unanswered: readonly { readonly source: string; readonly exchange: number; readonly says: string }[];
  /** Sentences on what it was compared with, each with the clauses and recordings that it counts; absent without a baseline. */
  readonly baseline?: readonly { readonly says: string; readonly names: readonly string[] }[];
  /** Exchanges that were not judged as a whole: the first of them. */
  readonly unjudged: readonly Unjudged[];
  /** Sentences about expectations that do not hold, and what else is to be mended by whoever ran it. */
  readonly troubles: readonly string[];
  readonly features: readonly FeatureOutcome[];
  readonly clients: readonly PageClient[];
  readonly trials: readonly ClientTrial[];
  /** Readings that clauses or findings name, by id. */
  readonly readings: Readonly<Record<string, PageReading>>;
  readonly exchanges: ExchangeIndex;
}

export interface PageVerdict {
  readonly state: "incomplete" | "broken" | "fails" | "conforms";
  /** One sentence for those who do not read clauses. */
  readonly sentence: string;
  /** Clauses that were decided, of all those that could have been. */
  readonly shown: number;
  readonly of: number;
}

/** A clause with its sentence and what became of it. */
export interface PageClause
  extends Pick<
      Clause,
      "id" | "interface" | "section" | "says" | "on" | "kind" | "level" | "basis" | "document" | "readings" | "unasked"
    >,
    Omit<ClauseVerdict, "id"> {
  /** The reactions of official clients if it is broken. */
  readonly clients?: readonly { readonly name: string; readonly effect: string; readonly evidence: string }[];
  /** A sentence that it passed when it was sent again, if it did. */
  readonly flaky?: string;
  /** The command line of a run that asks the first failure again. */
  readonly rerun?: string;
  /** The variables of the commands that hold nothing yet, as a demand. */
  readonly toBeSet?: string;
}

/** Findings that differ only in positions: one cause. */
export interface PageGroup extends Omit<Group, "first"> {
  /** The first findings, a few. */
  readonly first: readonly Finding[];
  /** Positions in the index of the exchanges that have a listed one. */
  readonly at: readonly number[];
}

export interface PageClient extends ClientOutcome {
  readonly says: string;
}

/** A question that the documents leave open, and how it is read. */
export interface PageReading {
  readonly asks: string;
  readonly default: string;
  readonly strict: string;
}

/** Every exchange that the page knows of, as columns; a row is named by its position. */
export interface ExchangeIndex {
  /** The exchanges that lie beside the results; `absent` where nobody gave any. */
  readonly kept: "all" | "failing" | "none" | "absent";
  readonly sources: readonly string[];
  /** Method and path. */
  readonly operations: readonly string[];
  /** Positions in `sources` and `operations`. */
  readonly source: readonly number[];
  readonly operation: readonly number[];
  /** The position in its source. */
  readonly exchange: readonly number[];
  /** Null where no answer came, or nobody knows. */
  readonly status: readonly (number | null)[];
  /** The worst finding: 0 none, 1 note, 2 warning, 3 error or not answered as recorded. */
  readonly worst: readonly number[];
  /** The block of the page that holds it, and its position there; block -1 where only its name stands in the page. */
  readonly block: readonly number[];
  readonly item: readonly number[];
  /** The block of each shared text; those of one block follow one another. */
  readonly shared: readonly number[];
}

export const worstLevels: readonly (Level | null)[] = [null, "note", "warning", "error"];

/** The facts about one exchange: an item of a block. */
export interface PageEvidence {
  /** Those that the results list. */
  readonly findings: readonly Finding[];
  /** Absent where it lies in no file beside the results. */
  readonly exchange?: ViewedExchange;
  /** The command line that sends it again. */
  readonly curl?: string;
  /** The result of sending it again. */
  readonly again?: readonly Recheck[];
}

/** A reference in an item in place of a long text: the position of a shared one. */
export interface SharedText {
  readonly shared: number;
}
