/** What the address selects: which rows are shown, which one is open, and which exchange is looked at. */
import { isAlike, isAmiss } from "../../report/outcomes/outline.ts";
import type { OutcomeGroup, OutcomeRow } from "../../report/outcomes/table.ts";
import { holdsWords, wordsOf } from "../components/filters.tsx";
import { hrefTo, type Route } from "../components/route.ts";
import type { Outcomes } from "./outcomes.ts";

/** `differ` and `amiss` are for several columns; empty: what the page shows unless told. */
export type Show = "" | "differ" | "amiss" | "all" | "fail" | "warn" | "known" | "quiet" | "good";
const shows: readonly string[] = ["differ", "amiss", "all", "fail", "warn", "known", "quiet", "good"] satisfies Show[];

export interface Selection {
  readonly show: Show;
  /** An outcome, or empty. */
  readonly outcome: string;
  /** The name of a group, or empty. */
  readonly group: string;
  readonly search: string;
  /** The row that is open: its group, its id, and the column that is looked at. */
  readonly row?: readonly [group: string, id: string];
  readonly column?: number;
}

export function selectionOf({ path, query }: Route): Selection {
  const [view, group = "", id = "", column] = path;
  const show = query.get("show") ?? "";
  return {
    show: shows.includes(show) ? (show as Show) : "",
    outcome: query.get("outcome") ?? "",
    group: query.get("group") ?? "",
    search: query.get("q") ?? "",
    ...(view === "row" && { row: [group, id] as const }),
    ...(view === "row" && column !== undefined && { column: Number(column) }),
  };
}

/** Characters of a name that stand in an address: those of touchstone are shorter. */
const maxNameLength = 200;

const inAddress = (name: string): string => name.slice(0, maxNameLength).toWellFormed();

/** Whether it is the row that is open. */
export const isOpen = ({ row }: Selection, group: OutcomeGroup, { id }: OutcomeRow): boolean =>
  row !== undefined && row[0] === inAddress(group.name) && row[1] === inAddress(id);

/** The address of a selection. */
export function hrefOf({ show, outcome, group, search, row, column }: Partial<Selection>): string {
  const path = row ? ["row", ...row.map(inAddress), ...(column === undefined ? [] : [String(column)])] : [];
  return hrefTo(path, {
    show: show ?? "",
    outcome: inAddress(outcome ?? ""),
    group: inAddress(group ?? ""),
    q: search ?? "",
  });
}

export const exchangeHref = (column: number, source: string, exchange: number, clause = ""): string =>
  hrefTo(["exchange", String(column), source, String(exchange)], { clause });

/** Whether nothing narrows the rows. */
export const isWide = ({ show, outcome, group, search }: Selection): boolean =>
  show === "" && outcome === "" && group === "" && search === "";

/** Whether a row is of those that a choice shows. */
export function isShown({ toneOf }: Pick<Outcomes, "toneOf">, show: Show, row: OutcomeRow): boolean {
  const cells = row.cells.flatMap((cell) => cell ?? []);
  const tones = cells.map(toneOf);
  if (show === "differ") return !isAlike(row);
  if (show === "amiss") return tones.some(isAmiss);
  if (show === "fail") return tones.includes("bad");
  if (show === "warn") return tones.includes("warn");
  if (show === "known") return cells.some(({ expected }) => expected);
  if (show === "quiet") return cells.some((cell, i) => tones[i] === "quiet" && !cell.expected);
  if (show === "good") return tones.every((tone) => tone === "good");
  return true;
}

/** Whether a row of a group is selected. */
export function isSelected(outcomes: Outcomes, selection: Selection, { name }: OutcomeGroup, row: OutcomeRow): boolean {
  const { show, outcome, group, search } = selection;
  if (group !== "" && group !== inAddress(name)) return false;
  if (outcome !== "" && !row.cells.some((cell) => cell && inAddress(cell.outcome) === outcome)) return false;
  if (!isShown(outcomes, show, row)) return false;
  return holdsWords(`${row.id} ${row.says} ${row.basis ?? ""}`.toLowerCase(), wordsOf(search));
}
