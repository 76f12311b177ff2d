/** The findings of a run on one screen: failures in four lines each as long as there is room, all else counted. */
import stringWidth from "string-width";
import type { ClauseVerdict } from "../verdict/document.ts";
import { operationWithoutExample } from "../verdict/example-needed.ts";
import { countedClauses } from "../verdict/offered.ts";
import { isInherited } from "../verdict/outcome.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { standingWords } from "../verdict/standing.ts";
import { baselineLines, upstreamText } from "./baseline.ts";
import { printable } from "./clean.ts";
import { expectationLines } from "./expectations.ts";
import type { ReportOptions } from "./options.ts";
import { type ClauseGroups, clauseTable, groupsByClause, openQuestions, placesOf, unenforcedText } from "./outline.ts";
import type { Paint } from "./paint.ts";
import { plural } from "./plural.ts";
import { ranked } from "./ranking.ts";
import { flakyText, runAgain, toBeSet } from "./reproduce.ts";
import { cutTo, wrapTo } from "./terminal/width.ts";

/** Columns that a line takes, but for commands, which have to be whole. */
const columns = 100;
/** Lines for what fails, and for what is only warned about. */
const maxLines = 34;
/** Lines of one failure that is told whole. */
const linesOfOne = 4;
/** Entries of a file of known failures that are named of each kind. */
const maxEntries = 4;
/** Lines of one piece of advice. */
const maxAdviceLines = 4;
/** Warnings that are named. */
const maxWarnings = 8;
/** Columns of a sentence, however long the id beside it is, and of the name of a recording. */
const [leastSentence, leastSource] = [24, 24];

const more = "(--verbose lists them)";

const cut = (text: string, width = columns): string => cutTo(printable(text), width);

/** A sign, the sentence of a clause, and its id at the right edge. */
function titleOf(sign: string, color: "red" | "yellow", id: string, says: string, paint: Paint): string {
  const width = Math.max(leastSentence, columns - 3 - id.length);
  return `${paint(sign, color)} ${paint(cut(says.replace(/\.$/, ""), width).padEnd(width), "bold")} ${printable(id)}`;
}

/** Two texts that share the columns of a line: a long one takes what a short one leaves. */
function halved(one: string, other: string, room: number): [string, string] {
  const half = room / 2;
  return [cutTo(one, Math.max(half, room - stringWidth(other))), cutTo(other, Math.max(half, room - stringWidth(one)))];
}

/** The lines below the title of a failure. */
function evidenceOf(
  { id, failed, warned = 0, exercised, upstream }: ClauseVerdict,
  groups: ClauseGroups | undefined,
  results: RunResults,
): string[] {
  const first = groups && placesOf(groups).places[0]?.finding;
  if (!first) return [];
  const { source, exchange, side, in: place, event, pointer, expected, actual } = first;
  const where = place === "stream" ? `event ${event ?? "?"} of the stream` : `${side} ${place}`;
  const flaky = flakyText(results, first, id);
  const stands = upstreamText(upstream);
  const count = failed || warned;
  const extent = `  ${count} of ${plural(exercised, "exchange")}${flaky && `, ${flaky}`}, first: `;
  const position = ` #${exchange}, ${where}${pointer && ` ${pointer}`}`;
  // The end of a name tells most if the name is too long for the line.
  const room = Math.max(leastSource, columns - extent.length - position.length);
  const name = source.length > room ? `…${source.slice(1 - room)}` : source;
  const [wanted, got] = halved(printable(expected), printable(actual), columns - "  expected , got ".length);
  // A clause that fails in one exchange may be shown by no other recording.
  const again = count > 1 ? runAgain(results, undefined, id) : runAgain(results, first, id);
  return [
    cut(`${extent}${name}${position}`),
    `  expected ${wanted}, got ${got}`,
    ...(stands === "" ? [] : [cut(`  ${stands}`)]),
    `  re-run: ${printable(again)}`,
  ];
}

/** The number of failures that are told whole, and the lines that each takes below its title. */
function roomFor(results: RunResults, failing: readonly ClauseVerdict[]): { lines: number; whole: number } {
  const lines = results.baseline ? linesOfOne : linesOfOne - 1;
  return { lines, whole: Math.max(1, Math.floor((maxLines - failing.length) / lines)) };
}

/** The failures: as many in four lines as leave a line for each of the others. */
function failures(
  results: RunResults,
  failing: readonly ClauseVerdict[],
  options: ReportOptions,
  paint: Paint,
): string {
  const known = clauseTable(options.clauses);
  const found = groupsByClause(results);
  const { lines, whole } = roomFor(results, failing);
  const shown = failing.slice(0, Math.max(whole, maxLines - whole * lines));
  const note = toBeSet(results);
  return [
    ...shown.flatMap((verdict, i) => [
      titleOf("✗", "red", verdict.id, known.get(verdict.id)?.says ?? verdict.id, paint),
      ...(i < whole ? evidenceOf(verdict, found.get(verdict.id), results) : []),
    ]),
    ...(failing.length > shown.length ? [`and ${plural(failing.length - shown.length, "failure")} more ${more}`] : []),
    ...(failing.length > 0 && note !== "" ? [`(${printable(note)})`] : []),
  ].join("\n");
}

/** The warnings: a line each, with their evidence as long as failures leave room. */
function warnings(
  results: RunResults,
  warned: readonly ClauseVerdict[],
  failing: readonly ClauseVerdict[],
  options: ReportOptions,
  paint: Paint,
): string {
  const known = clauseTable(options.clauses);
  const found = groupsByClause(results);
  const shown = warned.slice(0, maxWarnings);
  const { lines, whole } = roomFor(results, failing);
  const taken = failing.length + lines * Math.min(whole, failing.length);
  const told = Math.floor((maxLines - taken - shown.length) / lines);
  return [
    ...shown.flatMap((verdict, i) => [
      titleOf("!", "yellow", verdict.id, known.get(verdict.id)?.says ?? verdict.id, paint),
      ...(i < told ? evidenceOf(verdict, found.get(verdict.id), results) : []),
    ]),
    ...(warned.length > shown.length ? [`and ${plural(warned.length - shown.length, "warning")} more ${more}`] : []),
  ].join("\n");
}

/** A line each: known failures, unenforced rules, what has no verdict; and what is to be mended in the file of known failures. */
function counts(results: RunResults, paint: Paint): string {
  const told = expectationLines(results);
  const admitted = told.filter(({ word }) => word === "known failure").length;
  const unenforced = unenforcedText(results);
  const broken = [...openQuestions(results.clauses, "broken")].map(
    ([reason, ids]) =>
      `${paint("BROKEN, a check itself failed", "red")} ${cut(reason)}: ${plural(ids.length, "clause")}`,
  );
  const clauses = countedClauses(results);
  const open = (["no-verdict", "skipped", "untested"] as const).flatMap((verdict) => {
    const count = clauses.filter((clause) => clause.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${standingWords[verdict].word}`];
  });
  return [
    ...baselineLines(results).map(({ says, names }) => `${printable(says)}${names.length > 0 ? ` ${more}` : ""}`),
    ...(["STALE", "expired", "no reason", "unobserved"] as const).flatMap((word) => {
      const own = told.filter((one) => one.word === word);
      const left = own.length - maxEntries;
      return [
        ...own
          .slice(0, maxEntries)
          .map(({ says }) => `${paint(word, word === "STALE" ? "red" : "yellow")} ${printable(says)}`),
        ...(left > 0 ? [`and ${plural(left, "entry", "entries")} more: ${word} ${more}`] : []),
      ];
    }),
    ...(admitted > 0 ? [`${plural(admitted, "known failure")} ${more}`] : []),
    ...(unenforced === "" ? [] : [`${unenforced} ${more}`]),
    ...broken,
    ...withoutExample(results, paint),
    ...(open.length > 0 ? [paint(`${open.join(", ")} (--verbose says why)`, "dim")] : []),
    ...(results.summary.unjudged > 0
      ? [paint(`${plural(results.summary.unjudged, "exchange")} not judged as a whole ${more}`, "yellow")]
      : []),
  ].join("\n");
}

/** Operations of own documents of which nothing was shown, and what to do. */
function withoutExample({ clauses }: RunResults, paint: Paint): string[] {
  const operations = [...openQuestions(clauses, "no-verdict").keys()].flatMap(
    (reason) => operationWithoutExample(reason) ?? [],
  );
  if (operations.length === 0) return [];
  const says = `The target refuses requests with made-up values: ${operations.join(", ")}. Give examples of their parameters and bodies in the document, or send recordings of your own (--recordings).`;
  return wrapTo(printable(says), columns, maxAdviceLines).map((line) => paint(line, "yellow"));
}

/** Paragraphs on what was found. @param incidents what is said of requests that got no answer a clause could speak about */
export function briefFindings(results: RunResults, options: ReportOptions, paint: Paint, incidents: string): string[] {
  const clauses = ranked(results);
  const failing = clauses.filter((one) => one.verdict === "fail" && !one.expected && !isInherited(one));
  const warned = clauses.filter((one) => one.verdict === "warning" && !isInherited(one));
  return [
    failures(results, failing, options, paint),
    incidents,
    warnings(results, warned, failing, options, paint),
    counts(results, paint),
  ];
}
