/** A table of outcomes: facts of gateways or cases of clients as rows, one gateway or client a column. Every report of both is made of it. */

import type { Level } from "../../check/clause.ts";
import type { Admission } from "../../verdict/document.ts";

/** `good`: as it should be; `bad` and `warn`: not so; `quiet`: nothing was shown, or nothing is held against anyone. */
export type Tone = "good" | "bad" | "warn" | "quiet";

/** An exchange in the evidence of a column. */
export interface ExchangeLink {
  /** What it is, in a few words: `at the upstream`. */
  readonly says: string;
  readonly source: string;
  /** 0-based, within its source. */
  readonly exchange: number;
}

/** An excerpt with its label: `asked`, `arrived`, `printed`. */
export interface Excerpt {
  readonly label: string;
  readonly text: string;
  /** Whether it is what is amiss. */
  readonly isAmiss?: true;
}

/** A command that shows something again. */
export interface OutcomeCommand {
  /** What it is for: `curl`, `re-run`. */
  readonly says: string;
  readonly command: string;
}

/** One place where an outcome was seen. */
export interface OutcomeExample {
  /** Which trip or which try it is. */
  readonly title: string;
  /** One sentence for people. */
  readonly why?: string;
  readonly excerpts: readonly Excerpt[];
  readonly exchanges: readonly ExchangeLink[];
  readonly commands: readonly OutcomeCommand[];
}

/** What a row comes to in one column. */
export interface OutcomeCell {
  /** One of the legend. */
  readonly outcome: string;
  /** What it weighs; null where nothing is held against the column. */
  readonly level: Level | null;
  /** One sentence: why. */
  readonly why?: string;
  /** How often it was seen, and of how many that could have shown it; absent where that says nothing. */
  readonly count?: number;
  readonly of?: number;
  /** The failure is known, and accepted for now. */
  readonly expected?: Admission;
  /** The first places where it was seen. */
  readonly examples: readonly OutcomeExample[];
}

/** A fact, a case or a clause. */
export interface OutcomeRow {
  /** Unlike all others of its group. */
  readonly id: string;
  /** One sentence. */
  readonly says: string;
  /** What it rests on: a place in a document, a reading, a report. */
  readonly basis?: string;
  /** One a column; null where the column has no such row. */
  readonly cells: readonly (OutcomeCell | null)[];
}

export interface OutcomeGroup {
  /** Unlike all others; short, since it stands in addresses and names of tests. */
  readonly name: string;
  readonly title: string;
  /** What a row of it is: `fact`, `case`, `clause`. */
  readonly noun: string;
  readonly rows: readonly OutcomeRow[];
}

export interface OutcomeColumn {
  readonly name: string;
  /** When it was asked, ISO 8601; null where nobody knows. */
  readonly started: string | null;
  /** What was tested and how: label and value. In what columns differ is told beside them. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Whether its results are all there. */
  readonly complete: boolean;
  /** Sentences about what is to be mended by whoever ran it; each fails it: stale known failures. */
  readonly troubles: readonly string[];
}

/** What an outcome means. */
export interface OutcomeMeaning {
  readonly outcome: string;
  readonly says: string;
  /** Of a cell without a level: `good` or `quiet`; of others `bad` or `warn`, what it is at its worst. */
  readonly tone: Tone;
}

export interface OutcomeTable {
  readonly kind: "gateway" | "client";
  readonly title: string;
  readonly columns: readonly OutcomeColumn[];
  /** Every outcome that a cell may have, the worst first. */
  readonly legend: readonly OutcomeMeaning[];
  readonly groups: readonly OutcomeGroup[];
}
