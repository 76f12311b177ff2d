/** Sets tables of one kind side by side: their columns beside one another, their rows by group and id. */
import { version } from "../../home.ts";
import type { OutcomeCell, OutcomeColumn, OutcomeGroup, OutcomeMeaning, OutcomeRow, OutcomeTable } from "./table.ts";

/** What `report A=DIR B=DIR --format json` prints of gateways or clients. */
export interface OutcomesSideBySide extends OutcomeTable {
  /** The version that made it. */
  readonly touchstone: string;
}

/** @param title of them all. Tables of one kind, at least one; the names of columns are replaced where they are given. */
export function besideOneAnother(
  tables: readonly OutcomeTable[],
  title: string,
  names: readonly string[] = [],
): OutcomesSideBySide {
  const columns = tables.flatMap((table) => table.columns);
  const width = columns.length;
  const groups = new Map<string, OutcomeGroup & { readonly rows: OutcomeRow[] }>();
  const places = new Map<string, { readonly row: OutcomeRow; readonly cells: (OutcomeCell | null)[] }>();
  let from = 0;
  for (const table of tables) {
    for (const group of table.groups) {
      const known = groups.get(group.name) ?? { ...group, rows: [] };
      groups.set(group.name, known);
      for (const row of group.rows) {
        const key = JSON.stringify([group.name, row.id]);
        let place = places.get(key);
        if (!place) {
          const cells = Array.from({ length: width }, () => null);
          place = { row: { ...row, cells }, cells };
          places.set(key, place);
          known.rows.push(place.row);
        }
        for (const [i, cell] of row.cells.entries()) place.cells[from + i] = cell;
      }
    }
    from += table.columns.length;
  }
  return {
    touchstone: version(),
    kind: tables[0]!.kind,
    title,
    columns: columns.map((column, i): OutcomeColumn => ({ ...column, name: names[i] ?? column.name })),
    legend: legendOf(tables),
    groups: [...groups.values()],
  };
}

/** Meanings of all, each once, in the order of the first table that has them. */
const legendOf = (tables: readonly OutcomeTable[]): OutcomeMeaning[] => [
  ...new Map(tables.flatMap(({ legend }) => legend).map((one) => [one.outcome, one])).values(),
];
