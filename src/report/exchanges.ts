/** The report of `check` for a terminal: a line an exchange, its findings below it, and what it all comes to. */
import type { FindingLevel, Level } from "../check/clause.ts";
import { findingsByGroup, type GroupCount, maxReported } from "../check/groups.ts";
import type { Differences } from "../verdict/divergence.ts";
import type { Group, OperationCount, VerdictDocument } from "../verdict/document.ts";
import type { ListedExchange } from "../verdict/judged-exchange.ts";
import { printable } from "./clean.ts";
import { expectationLines } from "./expectations.ts";
import { inferredText } from "./inferred-names.ts";
import { plural } from "./plural.ts";

const codes: Readonly<Record<Level, number>> = { error: 31, warning: 33, note: 2 };
/** In colour, where that is wanted. */
export const paint = (text: string, code: number, color: boolean): string =>
  color ? `\u001b[${code}m${text}\u001b[0m` : text;

/** Findings of a group that stand below one exchange. */
const shownPerGroup = 3;

/** Whether findings of this level are listed, and not only counted. */
const isTold = (level: FindingLevel): level is "error" | "warning" => level === "error" || level === "warning";

/** Counts by level. */
export function levelsOf(groups: readonly GroupCount[]): Record<FindingLevel, number> {
  const levels = { error: 0, warning: 0, note: 0, unenforced: 0 };
  for (const { level, count } of groups) levels[level] += count;
  return levels;
}

function countsOf(groups: readonly GroupCount[], failure: string | undefined): string {
  const levels = levelsOf(groups);
  const said = (["error", "warning", "note"] as const)
    .filter((level) => levels[level] > 0)
    .map((level) => plural(levels[level], level));
  if (failure !== undefined) said.push(failure);
  return said.join(", ");
}

/** One exchange and its errors and warnings; notes are only counted. Known differences are shown once a clause. */
export function exchangeText(
  { exchange, operation, known, status, aborted, findings, groups, unjudged, broken }: ListedExchange,
  differences: Differences,
  color: boolean,
): string {
  const failure = broken === undefined ? unjudged : "touchstone failed";
  const ok = isSilent({ status, aborted }) ? "not judged" : "ok";
  const verdict = known || failure !== undefined ? countsOf(groups, failure) || ok : "unknown path, not judged";
  const lines = [`  ${String(exchange).padStart(4)}  ${printable(operation)}  ${status ?? "no response"}  ${verdict}`];
  const explained = new Set<string>();
  for (const [{ level, clause, count }, listed] of findingsByGroup(groups, findings)) {
    if (!isTold(level)) continue;
    for (const { message } of listed.slice(0, shownPerGroup))
      lines.push(`        ${paint(level.padEnd(7), codes[level], color)} ${printable(message)} [${clause}]`);
    if (count > shownPerGroup)
      lines.push(`                ${paint(`… and ${count - shownPerGroup} more like it`, 2, color)}`);
    const difference = level === "error" && !explained.has(clause) ? differences.get(clause) : undefined;
    if (difference === undefined) continue;
    lines.push(`                ${paint(printable(difference), 2, color)}`);
    explained.add(clause);
  }
  return `${lines.join("\n")}\n`;
}

/** Rows of groups, by how many findings they have. */
const shownGroups = 20;

/** Groups of which not every finding is listed: how many there were, and in how many exchanges. */
function crowdedGroups(groups: readonly Group[]): string[] {
  const many = groups.filter(({ count, level }) => count > maxReported && isTold(level));
  if (many.length === 0) return [];
  const rows = [...many].sort((a, b) => b.count - a.count).slice(0, shownGroups);
  return [
    "",
    `more often than ${maxReported} times, and not listed further:`,
    ...rows.map(
      ({ count, exchanges, level, side, in: place, pointer, clause }) =>
        `${String(count).padStart(7)} in ${plural(exchanges, "exchange")}  ${level}  ${printable(`${side} ${place}${pointer && ` at ${pointer}`}`)} [${clause}]`,
    ),
    ...(many.length > rows.length ? [`        and ${many.length - rows.length} more groups`] : []),
  ];
}

/** Exchanges that were not judged as a whole. */
function unjudgedText({ summary, unjudged }: VerdictDocument): string[] {
  if (summary.unjudged === 0) return [];
  const rows = unjudged.slice(0, shownGroups);
  return [
    "",
    "not judged as a whole:",
    ...rows.map(
      ({ source, exchange, operation, why }) =>
        `        ${printable(`${source}, exchange ${exchange}: ${operation ?? "no documented operation"}: ${why}`)}`,
    ),
    ...(summary.unjudged > rows.length ? [`        and ${summary.unjudged - rows.length} more`] : []),
  ];
}

/** Clauses whose check failed itself. */
function brokenText({ clauses }: VerdictDocument, color: boolean): string[] {
  const broken = clauses.filter(({ verdict }) => verdict === "broken");
  const reasons = broken.flatMap(({ needs = [] }) => needs.slice(0, 3));
  if (broken.length === 0) return [];
  return [
    "",
    `${paint("not decided", 31, color)}, since a check itself failed:`,
    ...reasons.slice(0, shownGroups).map((why) => `        ${printable(why)}`),
    ...(reasons.length > shownGroups ? [`        and ${reasons.length - shownGroups} more`] : []),
  ];
}

/** Whether the service gave no response at all: it could not be reached, or ended the connection. */
const isSilent = ({ status, aborted }: { readonly [Name in "status" | "aborted"]: ListedExchange[Name] | undefined }) =>
  status === null && aborted === "upstream";

/** Exchanges that the service left without any response. */
export interface Silence {
  readonly silent: number;
  /** Whether other exchanges of documented operations were judged. Requests alone do not show that a service conforms. */
  readonly isJudged: boolean;
}

/** Counts them. */
export function createSilence() {
  let silent = 0;
  let isJudged = false;
  return {
    add({ known, status, aborted }: Pick<ListedExchange, "known" | "status" | "aborted">): void {
      if (isSilent({ status, aborted })) silent++;
      else isJudged ||= known;
    },
    get: (): Silence => ({ silent, isJudged }),
  };
}

/** Exchanges by operation, the clauses that failed most, and one line that sums up. */
export function operationsText(
  operations: readonly OperationCount[],
  document: VerdictDocument,
  color: boolean,
  { silent, isJudged }: Silence,
): string {
  const { summary, clauses } = document;
  const inferred = inferredText(document.inferred);
  const lines = [""];
  for (const { operation, exchanges, known } of operations)
    lines.push(
      `${String(exchanges).padStart(7)}  ${printable(operation)}${known ? "" : "  (no documented operation)"}`,
    );
  const failed = clauses
    .filter(({ verdict, expected }) => verdict === "fail" && !expected)
    .sort((a, b) => b.failed - a.failed || (a.id < b.id ? -1 : 1));
  if (failed.length > 0) lines.push("", "failed clauses, by how many exchanges fail them:");
  for (const { id, failed: times, exercised, diverges } of failed) {
    lines.push(`${String(times).padStart(7)} of ${exercised}  ${printable(id)}`);
    if (diverges !== undefined) lines.push(`         ${paint(printable(diverges), 2, color)}`);
  }
  lines.push(
    ...(inferred === "" ? [] : ["", inferred]),
    ...crowdedGroups(document.groups),
    ...unjudgedText(document),
    ...brokenText(document, color),
  );
  const told = expectationLines(document);
  if (told.length > 0) lines.push("");
  for (const { word, says } of told) lines.push(`${paint(word, word === "STALE" ? 31 : 33, color)} ${printable(says)}`);
  const isStale = told.some(({ word }) => word === "STALE");
  const excused = clauses.filter(({ expected }) => expected).length;
  const verdict =
    failed.length > 0 || isStale
      ? paint("does not conform", 31, color)
      : clauses.some(({ verdict: one }) => one === "broken")
        ? paint("BROKEN: a check itself failed", 31, color)
        : isJudged
          ? paint(excused > 0 ? `conforms but for ${plural(excused, "known failure")}` : "conforms", 32, color)
          : paint("nothing was judged", 33, color);
  const passed = clauses.filter(({ verdict: one }) => one === "pass").length;
  const warned = clauses.filter(({ verdict: one }) => one === "warning").length;
  const untested = clauses.filter(({ verdict: one }) => one === "untested").length;
  lines.push(
    "",
    `${verdict}: ${plural(summary.exchanges, "exchange")}, ${plural(summary.errors, "error")}, ${plural(summary.warnings, "warning")}, ` +
      `${plural(summary.notes, "note")}; ${plural(passed, "clause")} passed, ` +
      `${warned > 0 ? `${warned} only warned about, ` : ""}${failed.length} failed, ${untested} not exercised` +
      (summary.unjudged > 0 ? `; ${plural(summary.unjudged, "exchange")} too much to judge` : "") +
      (silent > 0 ? `; no response from the service to ${plural(silent, "request")}` : ""),
  );
  return `${lines.join("\n")}\n`;
}
