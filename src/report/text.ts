import { countedClauses, interfacesLacking } from "../verdict/offered.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { baselineLines } from "./baseline.ts";
import { printable } from "./clean.ts";
import { expectationLines } from "./expectations.ts";
import { fieldTitle, fitnessOf, trialLines } from "./fitness.ts";
import { notOfferedLines } from "./not-offered.ts";
import { isRun, type ReportOptions, type Results } from "./options.ts";
import {
  clausesText,
  clauseTable,
  conclusionOf,
  conclusionText,
  countTexts,
  filtersText,
  foundOut,
  openQuestions,
  requestRows,
  sectionsOf,
  sentText,
} from "./outline.ts";
import { type Paint, painter } from "./paint.ts";
import { plural } from "./plural.ts";
import { cutTo, wrapTo } from "./terminal/width.ts";
import { briefFindings } from "./text-brief.ts";
import { found, incidents, unenforced } from "./text-failures.ts";
import { unansweredLine } from "./unanswered.ts";

const shownUnjudged = 3;
const shownOpen = 4;
/** Columns that a line takes, but for commands and lists of a verbose report. */
const columns = 100;
/** Lines that one text takes on one screen. */
const maxHanging = 3;

/** The findings, the uses of the target, and one line that sums it up; of a run on one screen, unless more is asked for. */
export function formatText(results: Results, options: ReportOptions): string {
  const paint = painter(options.color ?? false);
  const parts = [
    ...(isRun(results) ? [heading(results, paint)] : []),
    ...(isRun(results) && !options.verbose
      ? briefFindings(results, options, paint, incidents(results, options, paint))
      : findings(results, options, paint)),
    unansweredLine(results, options, paint),
    notOffered(results, options, paint),
    ...(isRun(results) ? [fitness(results, options, paint), trials(results, options, paint)] : []),
    summary(results, paint),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** All that was found, with what shows each failure again. */
function findings(results: Results, options: ReportOptions, paint: Paint): string[] {
  const { failing, warned, ofField } = found(results, options, paint);
  return [
    table(results, paint),
    ...failing,
    ...warned,
    ...(ofField.length > 0 ? [paint(fieldTitle, "yellow"), ...ofField] : []),
    unenforced(results, options, paint),
    ...(isRun(results) ? [incidents(results, options, paint)] : []),
    compared(results, paint),
    admissions(results, paint),
    open(results, options, paint),
    tooMuch(results, paint),
  ];
}

/** The failures, each clause with its places, and requests without an answer, in the words of the report; empty if nothing fails. */
export function formatFailures(results: Results, options: ReportOptions): string {
  const paint = painter(options.color ?? false);
  const unanswered = isRun(results) ? incidents(results, { ...options, verbose: true }, paint) : "";
  return [...found(results, options, paint).failing, ...(unanswered === "" ? [] : [unanswered])].join("\n\n");
}

function heading(results: RunResults, paint: Paint): string {
  const { target, plan, shard } = results;
  const name = target.url === null ? "the embedded reference implementation" : printable(target.url);
  const scope = `${sentText(results)}${filtersText(results)}${shard ? `, shard ${shard.index} of ${shard.of}` : ""}${plan.limit === null ? "" : `, at most ${plan.limit} requests`}`;
  const found = foundOut(results).map(
    (sentence) => `\n${paint("found out:", "dim")} ${hanging(sentence, "found out: ".length, false)}`,
  );
  return `${paint(`Run against ${name}`, "bold")} (${scope})${found.join("")}`;
}

function table(results: Results, paint: Paint): string {
  const lines: string[] = [];
  let last = "";
  const sections = sectionsOf(countedClauses(results));
  const width = Math.max(0, ...sections.map(({ section }) => section.length));
  for (const { interface: of, section, clauses } of sections) {
    if (of !== last) lines.push(`${last && "\n"}${paint(printable(of), "bold")}`);
    last = of;
    const cells = countTexts(clauses).map(({ verdict, text }) =>
      verdict === "pass"
        ? paint(text, "green")
        : verdict === "fail" || verdict === "broken"
          ? paint(text, "red")
          : paint(text, verdict === "warning" ? "yellow" : "dim"),
    );
    lines.push(`  ${printable(section).padEnd(width)}  ${cells.join(", ")}`);
  }
  return lines.join("\n");
}

/** What the target does not offer: an interface in one line, a feature with the reason. */
function notOffered(results: Results, { verbose = false }: ReportOptions, paint: Paint): string {
  const lacking = interfacesLacking(results);
  return notOfferedLines(results)
    .map(({ name, says }) => {
      const line = !verbose && lacking.includes(name) ? cutTo(printable(says), columns) : hanging(says, 2, verbose);
      return paint(line, "dim");
    })
    .join("\n");
}

/** The uses of the target, by what was shown of it. */
function fitness(results: RunResults, { verbose = false }: ReportOptions, paint: Paint): string {
  const shown = fitnessOf(results, verbose);
  if (!shown) return "";
  const lacking = interfacesLacking(results);
  const offered = shown.features.filter((one) => !lacking.includes(one.interface));
  const rows: [string, ReadonlyMap<string, readonly string[]>][] = [
    ...offered.map((one): [string, ReadonlyMap<string, readonly string[]>] => [one.interface, one.outcomes]),
    ["clients", shown.clients],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows
    .filter(([, outcomes]) => outcomes.size > 0)
    .flatMap(([name, outcomes]) =>
      [...outcomes].map(
        ([outcome, names], i) =>
          `  ${(i === 0 ? name : "").padEnd(width)}  ${hanging(`${outcome}: ${names.join(", ")}`, width + 4, verbose)}`,
      ),
    );
  return [paint("Features and SDKs", "bold"), ...lines].join("\n");
}

/** The experience of clients with the target. */
function trials(results: RunResults, { verbose = false }: ReportOptions, paint: Paint): string {
  const lines = trialLines(results);
  return lines.length === 0
    ? ""
    : [paint("SDK test runs", "bold"), ...lines.map((line) => `  ${hanging(line, 2, verbose)}`)].join("\n");
}

/** What became of it beside the baseline, with every name. */
function compared(results: Results, paint: Paint): string {
  return baselineLines(results)
    .map(
      ({ says, names }) => `${paint(printable(says), "bold")}${names.map((name) => `\n  ${printable(name)}`).join("")}`,
    )
    .join("\n");
}

/** A text that begins at a column: as it is, or wrapped below itself and cut after some lines. */
const hanging = (text: string, from: number, isWhole: boolean): string =>
  isWhole ? printable(text) : wrapTo(printable(text), columns - from, maxHanging).join(`\n${" ".repeat(from)}`);

function admissions(results: Results, paint: Paint): string {
  return expectationLines(results)
    .map(({ word, says }) => `${paint(word, word === "STALE" ? "red" : "yellow")} ${printable(says)}`)
    .join("\n");
}

/** Reasons that say what was in the way, not what is missing. */
const isPlain = (reason: string): boolean => /^(?:the model did not|rate limited)/.test(reason);

/** How the reason begins of rules that could not be probed. */
const refusedTwin = "acceptance of a request within the rule";

/** Advice on good requests that a target refuses. */
const onRefusedTwins =
  "A rule is not probed if the request within it was refused. --clause ID --out DIR sends and keeps that request alone. --model may name a model that takes it. --lacks leaves out what the target does not offer.";

function open(results: Results, options: ReportOptions, paint: Paint): string {
  const parts: string[] = [];
  const list = (ids: readonly string[]): string =>
    printable(ids.slice(0, shownOpen).join(", ")) +
    (ids.length > shownOpen ? `, and ${ids.length - shownOpen} more` : "");
  for (const [verdict, lead] of [
    ["broken", "BROKEN, a check itself failed"],
    ["no-verdict", "no verdict without"],
    ["skipped", "skipped, since the target lacks"],
  ] as const)
    for (const [reason, ids] of openQuestions(results.clauses, verdict))
      parts.push(
        `${paint(isPlain(reason) ? "no verdict:" : lead, verdict === "broken" ? "red" : "dim")} ${printable(reason)}: ${list(ids)}`,
      );
  if ([...openQuestions(results.clauses, "no-verdict").keys()].some((reason) => reason.startsWith(refusedTwin)))
    parts.push(onRefusedTwins);
  const known = clauseTable(options.clauses);
  const untested = results.clauses.filter(({ verdict }) => verdict === "untested").map(({ id }) => id);
  const asked = untested.filter((id) => known.get(id)?.unasked === undefined);
  const unasked = untested.length - asked.length;
  if (asked.length > 0) parts.push(`${paint("untested, since no answer showed them:", "dim")} ${list(asked)}`);
  if (unasked > 0)
    parts.push(
      `${paint("untested, since no run asks for them:", "dim")} ${plural(unasked, "clause")} (touchstone clauses --untested results.json says why)`,
    );
  return parts.join("\n");
}

function tooMuch({ unjudged, summary: { unjudged: count } }: Results, paint: Paint): string {
  const lines = unjudged
    .slice(0, shownUnjudged)
    .map(({ source, exchange, why }) => `${source}, exchange ${exchange}: ${why}`);
  return lines.length === 0
    ? ""
    : `${paint("not judged as a whole:", "yellow")} ${printable(lines.join("; "))}${count > lines.length ? `; and ${count - lines.length} more` : ""}`;
}

function summary(results: Results, paint: Paint): string {
  const { exchanges, errors, warnings, notes } = results.summary;
  const { state, unjudged } = conclusionOf(results);
  const verdict = paint(conclusionText(results), state === "conforms" ? "green" : "red");
  const findings = `${plural(errors, "error")}, ${plural(warnings, "warning")}, ${plural(notes, "note")}`;
  const tooMuch = unjudged > 0 ? `; ${plural(unjudged, "exchange")} too much to judge` : "";
  return [
    verdict,
    clausesText(results),
    `${plural(exchanges, "exchange")} judged: ${findings}${tooMuch}`,
    ...(isRun(results) ? requestsTable(results) : []),
  ].join("\n");
}

/** The planned requests, a line each; none if all responses were judged. */
function requestsTable(results: RunResults): string[] {
  const rows = requestRows(results);
  const [[, planned], [, judged]] = rows as [[string, number], [string, number]];
  if (planned === judged) return [];
  const width = String(planned).length;
  return rows
    .filter(([, count]) => count > 0)
    .map(([says, count], i) => `${i === 0 ? "" : "  "}${String(count).padStart(width)} ${says}`);
}
