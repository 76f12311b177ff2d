/** Counts on how much each column is ahead of another: what helps to choose between targets. */
import type { Standing } from "../../verdict/standing.ts";
import type { Outcomes, SideBySide } from "./document.ts";

/** Ranks of what can be compared; an accepted invalid request is no violation, and an admitted failure is a failure. */
const verdictRanks: Partial<Record<Standing, number>> = { pass: 0, warning: 1, fail: 2, expected: 2 };
const featureOutcomes = ["works", "works, with faults", "broken", "not offered"];
const clientOutcomes = ["served", "served, with faults", "not served"];

/** One kind of thing on which columns are compared. */
export interface Ahead {
  readonly what: string;
  /** One a column: on how many it is better than another column. */
  readonly counts: readonly number[];
}

/** @param ranks one list for each thing, one rank a column: 0 is the best, and a negative one cannot be compared */
function counted(what: string, columns: number, ranks: readonly (readonly number[])[]): Ahead {
  const compared = ranks.filter((row) => row.every((rank) => rank >= 0));
  const counts = Array.from(
    { length: columns },
    (_, column) => compared.filter((row) => row[column]! < Math.max(...row)).length,
  );
  return { what: what.replace("%", String(compared.length)), counts };
}

/** Empty if there is one column alone. */
export function aheadOf({ columns, sections, features, clients }: SideBySide): Ahead[] {
  if (columns.length < 2) return [];
  const ranksIn = (outcomes: readonly Outcomes[], order: readonly string[]): number[][] =>
    outcomes.map(({ cells }) => cells.map((cell) => (cell ? order.indexOf(cell.outcome) : -1)));
  const rows = sections.flatMap((section) => section.rows);
  return [
    counted(
      "clauses, of % with a verdict for all",
      columns.length,
      rows.map(({ cells }) => cells.map(({ state }) => verdictRanks[state] ?? -1)),
    ),
    counted("features", columns.length, ranksIn(features, featureOutcomes)),
    counted("clients", columns.length, ranksIn(clients, clientOutcomes)),
  ];
}
