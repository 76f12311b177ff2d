/** The lines that stand at the bottom of a terminal while `record` runs: totals, the latest findings, what is in flight. */
import type { Finding, Level } from "../../check/clause.ts";
import type { JudgedExchange } from "../../verdict/judged-exchange.ts";
import { printable } from "../clean.ts";
import { paint } from "../exchanges.ts";
import { plural } from "../plural.ts";
import { cutTo } from "./width.ts";

export interface Totals {
  exchanges: number;
  error: number;
  warning: number;
  note: number;
}

/** The exchanges that have passed so far. */
export interface Status {
  readonly all: Totals;
  /** By documented operation; what has none is counted together, since its paths are anybody's. */
  readonly operations: Map<string, Totals>;
  /** Errors and warnings by clause, each with its latest sentence; the latest last. */
  readonly latest: Map<string, Pick<Finding, "message" | "clause"> & { readonly level: Level }>;
}

/** The exchanges that have begun and not ended, the longest of them first. */
export interface InFlight {
  readonly count: number;
  readonly longest: readonly { readonly operation: string; readonly time: number }[];
}

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  readonly color: boolean;
}

/** The name for exchanges of no documented operation. */
export const elsewhere = "(no documented operation)";

const maxShown = { operations: 6, findings: 3 };

const none = (): Totals => ({ exchanges: 0, error: 0, warning: 0, note: 0 });

export const createStatus = (): Status => ({ all: none(), operations: new Map(), latest: new Map() });

/** Counts an exchange. */
export function addTo(
  { all, operations, latest }: Status,
  { operation, known, findings, groups }: Pick<JudgedExchange, "operation" | "known" | "findings" | "groups">,
): void {
  const name = known ? operation : elsewhere;
  const one = operations.get(name) ?? none();
  operations.set(name, one);
  for (const totals of [all, one]) {
    totals.exchanges++;
    for (const { level, count } of groups) if (level !== "unenforced") totals[level] += count;
  }
  for (const { level, message, clause } of findings) {
    if (level === "note" || level === "unenforced") continue;
    latest.delete(clause);
    latest.set(clause, { level, message, clause });
    if (latest.size > maxShown.findings) latest.delete(latest.keys().next().value!);
  }
}

/** Milliseconds for people. */
export function spell(time: number): string {
  if (time < 1000) return `${Math.round(time)} ms`;
  if (time < 60_000) return `${(time / 1000).toFixed(1)} s`;
  return `${Math.floor(time / 60_000)} min ${Math.floor((time / 1000) % 60)} s`;
}

/** Bytes for people. */
export function spellBytes(bytes: number): string {
  if (bytes < 1000) return plural(bytes, "byte");
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Bytes that are judged within a moment: nothing is said of them. */
const smallLag = 1_000_000;

const codes: Readonly<Record<Level, number>> = { error: 31, warning: 33, note: 2 };

const countsOf = ({ error, warning }: Totals): readonly (readonly [number, Level])[] => [
  [error, "error"],
  [warning, "warning"],
];

/** `POST /v1/messages     12  1 error`, by the number of exchanges. */
function operationLines({ operations }: Status, columns: number): string[] {
  const rows = [...operations].sort((a, b) => b[1].exchanges - a[1].exchanges);
  const shown = rows.slice(0, rows.length > maxShown.operations ? maxShown.operations - 1 : maxShown.operations);
  const lines = shown.map(([operation, totals]) => {
    const said = countsOf(totals).flatMap(([n, level]) => (n > 0 ? [plural(n, level)] : []));
    return `${String(totals.exchanges).padStart(7)}  ${printable(operation)}  ${operation === elsewhere ? "not judged" : said.join(", ") || "ok"}`;
  });
  if (rows.length > shown.length) lines.push(`         and ${rows.length - shown.length} more operations`);
  return lines.map((line) => cutTo(line, columns));
}

/** The lines, none wider than the terminal and no more than its height leaves room for. Text of traffic is cleaned of control characters. */
export function statusLines(status: Status, { count, longest }: InFlight, lag: number, screen: Screen): string[] {
  // A terminal that has filled its last column may wrap at once.
  const columns = Math.max(1, screen.columns - 1);
  const dim = (text: string): string => paint(cutTo(text, columns), 2, screen.color);
  const { all, latest } = status;
  const head = `${plural(all.exchanges, "exchange")}, ${countsOf(all)
    .map(([n, level]) => plural(n, level))
    .join(", ")}, ${count} in flight${lag >= smallLag ? `, judging is ${spellBytes(lag)} behind` : ""}`;
  const findings = [...latest.values()].map(({ level, message, clause }) => {
    const line = cutTo(`  ${level.padEnd(7)} ${printable(message)} [${clause}]`, columns);
    return line.startsWith(`  ${level}`)
      ? `  ${paint(level, codes[level], screen.color)}${line.slice(2 + level.length)}`
      : line;
  });
  const flying = longest.map(({ operation, time }) =>
    cutTo(`${spell(time).padStart(12)}  ${printable(operation)}`, columns),
  );
  if (flying.length > 0 && count > longest.length)
    flying.push(cutTo(`${" ".repeat(14)}and ${count - longest.length} more`, columns));
  const lines = [
    dim("─".repeat(columns)),
    cutTo(head, columns),
    ...operationLines(status, columns),
    ...(findings.length > 0 ? [dim("latest findings"), ...findings] : []),
    ...(flying.length > 0 ? [dim("in flight, the longest first"), ...flying] : []),
  ];
  // The log above keeps at least half of the screen.
  return lines.slice(0, Math.max(2, Math.floor(screen.rows / 2)));
}
