/** The report of `check` for a terminal: a line an exchange, its findings below it, and what it all comes to. */
import type { Finding, Level } from "../check/clause.ts";
import type { Differences } from "../verdict/divergence.ts";
import type { VerdictDocument } from "../verdict/document.ts";
import { printable } from "./clean.ts";
import { plural } from "./outline.ts";

export interface ExchangeLine {
  readonly exchange: number;
  readonly operation: string;
  readonly known: boolean;
  readonly status: number | null;
  readonly findings: readonly Finding[];
  /** Why there is no verdict on some of it. */
  readonly unjudged?: string;
  /** Set where judging itself failed. */
  readonly broken?: string;
}

const codes: Readonly<Record<Level, number>> = { error: 31, warning: 33, note: 2 };
/** In colour, where that is wanted. */
export const paint = (text: string, code: number, color: boolean): string =>
  color ? `\u001b[${code}m${text}\u001b[0m` : text;

function countsOf(findings: readonly Finding[]): string {
  const count = (level: Level): number => findings.filter((finding) => finding.level === level).length;
  const parts = [
    [count("error"), "error"],
    [count("warning"), "warning"],
    [count("note"), "note"],
  ] as const;
  const said = parts.filter(([n]) => n > 0).map(([n, noun]) => plural(n, noun));
  return said.length > 0 ? said.join(", ") : "ok";
}

/** One exchange and its errors and warnings; notes are only counted. Known differences are told once a clause. */
export function exchangeText(
  { exchange, operation, known, status, findings, unjudged, broken }: ExchangeLine,
  differences: Differences,
  color: boolean,
): string {
  const failure = broken === undefined ? unjudged : "touchstone failed";
  const found = findings.length > 0 || failure === undefined ? [countsOf(findings)] : [];
  const verdict =
    known || failure !== undefined
      ? [...found, ...(failure === undefined ? [] : [failure])].join(", ")
      : "no documented operation, not judged";
  const lines = [`  ${String(exchange).padStart(4)}  ${printable(operation)}  ${status ?? "no response"}  ${verdict}`];
  const told = new Set<string>();
  for (const { level, message, clause } of findings) {
    if (level === "note") continue;
    lines.push(`        ${paint(level.padEnd(7), codes[level], color)} ${printable(message)} [${clause}]`);
    const difference = level === "error" && !told.has(clause) ? differences.get(clause) : undefined;
    if (difference === undefined) continue;
    lines.push(`                ${paint(printable(difference), 2, color)}`);
    told.add(clause);
  }
  return `${lines.join("\n")}\n`;
}

/** Exchanges by operation, the clauses that failed most, and one line that sums up. */
export function operationsText(
  operations: readonly { readonly operation: string; readonly exchanges: number; readonly known: boolean }[],
  { summary, clauses }: VerdictDocument,
  color: boolean,
): string {
  const lines = [""];
  for (const { operation, exchanges, known } of operations)
    lines.push(
      `${String(exchanges).padStart(7)}  ${printable(operation)}${known ? "" : "  (no documented operation)"}`,
    );
  const failed = clauses
    .filter(({ verdict }) => verdict === "fail")
    .sort((a, b) => b.failed - a.failed || (a.id < b.id ? -1 : 1));
  if (failed.length > 0) lines.push("", "failed clauses, by how many exchanges fail them:");
  for (const { id, failed: times, exercised, diverges } of failed) {
    lines.push(`${String(times).padStart(7)} of ${exercised}  ${id}`);
    if (diverges !== undefined) lines.push(`         ${paint(printable(diverges), 2, color)}`);
  }
  const judged = operations.some(({ known }) => known);
  const verdict =
    failed.length > 0
      ? paint("does not conform", 31, color)
      : judged
        ? paint("conforms", 32, color)
        : paint("nothing was judged", 33, color);
  const passed = clauses.filter(({ verdict: one }) => one === "pass").length;
  const untested = clauses.filter(({ verdict: one }) => one === "untested").length;
  lines.push(
    "",
    `${verdict}: ${plural(summary.exchanges, "exchange")}, ${plural(summary.errors, "error")}, ${plural(summary.warnings, "warning")}, ` +
      `${plural(summary.notes, "note")}; ${plural(passed, "clause")} passed, ${failed.length} failed, ${untested} never met`,
  );
  return `${lines.join("\n")}\n`;
}
