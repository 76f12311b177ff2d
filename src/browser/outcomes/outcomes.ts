/** What all parts of the page share: its data, found by name. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { printable, shortened } from "../../report/clean.ts";
import { toneOf } from "../../report/outcomes/outline.ts";
import type { OutcomePageData } from "../../report/outcomes/page-data.ts";
import type { OutcomeCell, OutcomeTable, Tone } from "../../report/outcomes/table.ts";
import type { PageClause } from "../../report/page/data.ts";
import { createEvidenceStore, type EvidenceStore } from "../components/evidence-store.ts";

export interface Outcomes {
  readonly data: OutcomePageData;
  readonly table: OutcomeTable;
  /** Of the columns, safe to show. */
  readonly names: readonly string[];
  /** One a column. */
  readonly stores: readonly EvidenceStore[];
  toneOf(cell: OutcomeCell): Tone;
  /** The row of the index of a column. */
  rowOf(column: number, source: string, exchange: number): number | undefined;
  /** The exchanges of one source that a column holds. */
  exchangesOf(column: number, source: string): readonly number[];
  /** What an example calls an exchange, in any of its columns. */
  sayOf(source: string, exchange: number): string | undefined;
  /** Clauses as evidence is shown with them. */
  readonly clauses: ReadonlyMap<string, PageClause>;
}

const placeKey = (source: string, exchange: number): string => `${exchange} ${source.toWellFormed()}`;

/** Characters of a name that heads and cards show. */
const maxNameLength = 60;

export function createOutcomes(data: OutcomePageData): Outcomes {
  const { table, exchanges, clauses } = data;
  const rows = exchanges.map(
    ({ exchange, source, sources }) =>
      new Map(exchange.map((position, row) => [placeKey(sources[source[row]!]!, position), row])),
  );
  const cells = table.groups.flatMap((group) => group.rows.flatMap((row) => row.cells.flatMap((cell) => cell ?? [])));
  const links = cells.flatMap(({ examples }) => examples.flatMap((example) => example.exchanges));
  const says = new Map(links.map((link) => [placeKey(link.source, link.exchange), link.says]));
  return {
    data,
    table,
    names: table.columns.map(({ name }) => printable(shortened(name, maxNameLength))),
    stores: exchanges.map(createEvidenceStore),
    toneOf: (cell) => toneOf(table, cell),
    rowOf: (column, source, exchange) => rows[column]?.get(placeKey(source, exchange)),
    exchangesOf(column, source) {
      const { exchange, source: of, sources } = exchanges[column]!;
      const wanted = source.toWellFormed();
      return exchange.filter((_position, row) => sources[of[row]!]!.toWellFormed() === wanted);
    },
    sayOf: (source, exchange) => says.get(placeKey(source, exchange)),
    clauses: new Map(
      Object.values(clauses).map((clause) => [clause.id, { ...clause, verdict: "fail", exercised: 0, failed: 0 }]),
    ),
  };
}

const context = createContext<Outcomes | null>(null);
export const OutcomesProvider = context.Provider;
export const useOutcomes = (): Outcomes => useContext(context)!;
