/** The state that all parts of the page share: its data, found by name, and what its address selects. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { PageClause } from "../../report/page/data.ts";
import type { Row, SideBySide } from "../../report/side-by-side/document.ts";
import type { ComparePageData } from "../../report/side-by-side/page-data.ts";
import { nameOf } from "../../report/side-by-side/words.ts";
import { createEvidenceStore, type EvidenceStore } from "../components/evidence-store.ts";
import { holdsWords, wordsOf } from "../components/filters.tsx";
import { hrefTo, type Route } from "../components/route.ts";

export interface Comparison {
  readonly data: ComparePageData;
  readonly document: SideBySide;
  /** The names of the columns, safe to show. */
  readonly names: readonly string[];
  /** One a column. */
  readonly stores: readonly EvidenceStore[];
  /** The row of the index of a column. */
  rowOf(column: number, source: string, exchange: number): number | undefined;
  /** Clauses as evidence of a column is shown with them. */
  clausesOf(column: number): ReadonlyMap<string, PageClause>;
}

const placeKey = (source: string, exchange: number): string => `${exchange} ${source.toWellFormed()}`;

export function createComparison(data: ComparePageData): Comparison {
  const { document, exchanges } = data;
  const rows = exchanges.map(
    ({ exchange, source, sources }) =>
      new Map(exchange.map((position, row) => [placeKey(sources[source[row]!]!, position), row])),
  );
  const tables = new Map<number, ReadonlyMap<string, PageClause>>();
  return {
    data,
    document,
    names: document.columns.map(nameOf),
    stores: exchanges.map(createEvidenceStore),
    rowOf: (column, source, exchange) => rows[column]!.get(placeKey(source, exchange)),
    clausesOf(column) {
      const table = tables.get(column) ?? clauseTable(data, column);
      tables.set(column, table);
      return table;
    },
  };
}

function clauseTable({ document, clauses }: ComparePageData, column: number): Map<string, PageClause> {
  const rows = document.sections.flatMap(({ interface: of, section, rows: own }) =>
    own.map((row): [string, PageClause] => {
      const { exercised = 0, failed = 0, warned, unenforced, state } = row.cells[column]!;
      const known = clauses[row.clause];
      return [
        row.clause,
        {
          id: row.clause,
          interface: of,
          section,
          says: row.says ?? "",
          on: known?.on ?? "response",
          kind: known?.kind ?? "behaviour",
          level: row.level ?? "must",
          basis: known?.basis ?? "document",
          document: row.document ?? { name: "", section: "" },
          readings: known?.readings ?? [],
          verdict: state === "expected" || state === "inherited" ? "fail" : state === "unasked" ? "untested" : state,
          exercised,
          failed,
          ...(warned !== undefined && { warned }),
          ...(unenforced !== undefined && { unenforced }),
        },
      ];
    }),
  );
  return new Map(rows);
}

/** The rows that are shown. */
export type Show = "differing" | "violated" | "rules" | "all";

/** The selection in the address. */
export interface Selection {
  readonly show: Show;
  /** `messages`, `messages/streaming`, or empty. */
  readonly section: string;
  readonly search: string;
  /** The clause that is opened, and the column and the place of it whose exchange is shown; empty or absent where none is. */
  readonly clause: string;
  readonly column?: number;
  readonly place?: number;
}

const shows: readonly Show[] = ["differing", "violated", "rules", "all"];

export const isShown: Readonly<Record<Show, (row: Row) => boolean>> = {
  differing: ({ agreement }) => agreement === "differs",
  violated: ({ cells }) => cells.some(({ state }) => ["fail", "expected", "inherited", "warning"].includes(state)),
  rules: ({ agreement }) => agreement === "enforcement" || agreement === "unenforced",
  all: () => true,
};

/** The selection in an address. By default it takes the differences, if there are any, and whatever holds the clause it names. */
export function selectionOf({ document }: Comparison, { path, query }: Route): Selection {
  const [view, clause = "", column, place] = path;
  const named = view === "clause" ? clause : "";
  const rows = document.sections.flatMap((section) => section.rows);
  const row = rows.find(({ clause: id }) => id === named);
  const usable = shows.filter((show) => (row ? isShown[show](row) : rows.some(isShown[show])));
  const asked = shows.find((show) => show === query.get("show"));
  return {
    show: asked && (!row || usable.includes(asked)) ? asked : (usable[0] ?? "all"),
    section: query.get("section") ?? "",
    search: query.get("search") ?? "",
    clause: row ? named : "",
    ...(row &&
      column !== undefined &&
      row.cells[Number(column)] && { column: Number(column), place: Number(place ?? 0) }),
  };
}

/** The address of a selection. */
export function hrefOf({ show, section, search, clause, column, place }: Selection): string {
  const at = column === undefined ? [] : [String(column), String(place ?? 0)];
  return hrefTo(clause === "" ? [] : ["clause", clause, ...at], { show, section, search });
}

/** Sections with the rows that a selection shows; those without any are left out. */
export function sectionsOf({ document }: Comparison, { show, section, search }: Selection) {
  const words = wordsOf(search);
  return document.sections.flatMap((own) => {
    const path = `${own.interface}/${own.section}`;
    if (section !== "" && section !== path && section !== own.interface) return [];
    const rows = own.rows.filter(
      (row) => isShown[show](row) && holdsWords(`${row.clause} ${row.says ?? ""}`.toLowerCase(), words),
    );
    return rows.length > 0 ? [{ ...own, path, rows }] : [];
  });
}

const context = createContext<Comparison | null>(null);
export const ComparisonProvider = context.Provider;
export const useComparison = (): Comparison => useContext(context)!;
