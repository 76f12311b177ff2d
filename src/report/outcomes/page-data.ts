/** What the page of a table of outcomes shows: the table, and of each column the exchanges that its folder holds. */
import type { Clause } from "../../check/clause.ts";
import type { ExchangeIndex, PageReading } from "../page/data.ts";
import type { OutcomeTable } from "./table.ts";

export interface OutcomePageData {
  readonly table: OutcomeTable;
  /** The command line of the only column, without credentials; null where nobody knows it, or there are several. */
  readonly command: readonly string[] | null;
  /** The clauses that findings name, by id. */
  readonly clauses: Readonly<Record<string, Clause>>;
  readonly readings: Readonly<Record<string, PageReading>>;
  /** One a column. */
  readonly exchanges: readonly ExchangeIndex[];
}
