/** The data of the page of several targets: the document, and the exchanges that its cells name. */
import type { Clause } from "../../check/clause.ts";
import type { ExchangeIndex, PageReading } from "../page/data.ts";
import type { SideBySide } from "./document.ts";

export interface ComparePageData {
  readonly document: SideBySide;
  /** Facts about clauses that evidence is shown with, beside what rows have. */
  readonly clauses: Readonly<Record<string, Pick<Clause, "on" | "kind" | "basis" | "readings">>>;
  readonly readings: Readonly<Record<string, PageReading>>;
  /** One a column: the exchanges in which something was found first. */
  readonly exchanges: readonly ExchangeIndex[];
}
