/** The failures in the report for a terminal: clauses with their places, rules that are unenforced, requests that got no answer. */
import type { ClauseVerdict } from "../verdict/document.ts";
import { isInherited } from "../verdict/outcome.ts";
import type { Incident, RunResults } from "../verdict/run-results.ts";
import { shellOption } from "../wire/shell.ts";
import { upstreamText } from "./baseline.ts";
import { printable } from "./clean.ts";
import { clientsMissing, isOfField } from "./fitness.ts";
import { isRun, type ReportOptions, type Results } from "./options.ts";
import {
  type ClauseGroups,
  clauseTable,
  groupsByClause,
  placeOf,
  placesOf,
  unenforcedRules,
  unenforcedText,
} from "./outline.ts";
import type { Paint } from "./paint.ts";
import { plural } from "./plural.ts";
import { ranked } from "./ranking.ts";
import { commandsFor, flakyText } from "./reproduce.ts";
import { wrapTo } from "./terminal/width.ts";
import { causesOf, unexpected } from "./unexpected.ts";

const shownSources = 3;
/** The number of incidents that a report on one screen tells of. */
const shownIncidents = 4;
/** Columns and lines of what such a report says of one. */
const [columns, maxIncidentLines] = [100, 3];
const maxCommandLength = 5000;

const indent = (text: string, by: string): string =>
  text
    .split("\n")
    .map((line) => by + printable(line))
    .join("\n");

/** The findings of each clause: of those that fail, and of those that do not. */
export function found(
  results: Results,
  options: ReportOptions,
  paint: Paint,
): Record<"failing" | "warned" | "ofField", string[]> {
  const clauses = clauseTable(options.clauses);
  const byClause = groupsByClause(results);
  const all = ranked(results).flatMap((verdict) => {
    const groups = byClause.get(verdict.id);
    return groups ? [{ groups, verdict }] : [];
  });
  const failing = all.filter(
    ({ verdict }) => verdict?.verdict === "fail" && !verdict.expected && !isInherited(verdict),
  );
  const shown = new Set<string>();
  const warned = all.filter(
    ({ verdict }) => verdict?.verdict !== "fail" && verdict?.verdict !== "unenforced" && !isInherited(verdict),
  );
  const block = (groups: ClauseGroups, verdict: ClauseVerdict | undefined): string => {
    const { id } = groups;
    const clause = clauses.get(id);
    const failed = verdict?.verdict === "fail";
    const { places, others } = placesOf(groups);
    const first = places[0]!.finding;
    const lines = [`${failed ? paint("FAIL", "red") : paint(first.level, "yellow")} ${paint(printable(id), "bold")}`];
    if (clause) lines.push(`  ${clause.says} ${paint(`(${clause.document.name}, ${clause.document.section})`, "dim")}`);
    if (verdict?.upstream) lines.push(`  ${paint(printable(upstreamText(verdict.upstream)), "yellow")}`);
    if (verdict?.diverges !== undefined) lines.push(`  ${paint(printable(verdict.diverges), "dim")}`);
    for (const { finding, more } of places) {
      lines.push(`  ${printable(placeOf(finding))}`);
      lines.push(`    expected  ${printable(finding.expected)}`, `    actual    ${printable(finding.actual)}`);
      if (more !== undefined) lines.push(`  ${paint(more, "dim")}`);
    }
    if (others !== "") lines.push(`  ${paint(others, "dim")}`);
    const missing = isRun(results) ? clientsMissing(results, id) : "";
    if (missing !== "") lines.push(`  clients   ${printable(missing)}`);
    const flaky = failed && isRun(results) && first ? flakyText(results, first, id) : "";
    if (flaky !== "") lines.push(`  ${paint(flaky, "yellow")}`);
    if (failed && verdict) lines.push(`  fails in ${verdict.failed} of ${plural(verdict.exercised, "exchange")}`);
    const commands = failed && isRun(results) ? commandsFor(results, first, maxCommandLength, id) : [];
    for (const { says, command, note = "" } of commands) {
      // Several clauses may fail in one exchange; one command shows them all.
      if (!shown.has(command)) lines.push(paint(`  ${says}:`, "dim"), indent(command, "    "));
      // It is the same below all of them.
      if (note !== "" && !shown.has(note)) lines.push(`    (${printable(note)})`);
      shown.add(command).add(note);
    }
    return lines.join("\n");
  };
  return {
    failing: failing.map(({ groups, verdict }) => block(groups, verdict)),
    warned: warned
      .filter(({ groups: { id } }) => !isOfField(id, clauses))
      .map(({ groups, verdict }) => block(groups, verdict)),
    ofField: warned
      .filter(({ groups: { id } }) => isOfField(id, clauses))
      .map(({ groups, verdict }) => block(groups, verdict)),
  };
}

/** How many rules are unenforced, in one line; with `verbose`, which, by section. */
export function unenforced(results: Results, { verbose = false }: ReportOptions, paint: Paint): string {
  const title = unenforcedText(results);
  if (title === "") return "";
  if (!verbose) return paint(`${title} (--verbose lists them)`, "dim");
  const lines = [...unenforcedRules(results)].map(
    ([section, ids]) =>
      `  ${printable(section)}  ${printable(ids.map((id) => id.slice(section.length + 1)).join(", "))}`,
  );
  return [`${title}: requests that violate them were accepted`, ...lines].join("\n");
}

const incidentNames: Readonly<Record<Incident["kind"], string>> = {
  refused: "REFUSED",
  "server-error": "SERVER ERROR",
  unanswered: "NO ANSWER",
  absent: "NOT THERE",
  "rate-limited": "RATE LIMITED",
};

/** Advice on incidents with one problem: only an answer that says that something is not there may be lacked. */
function adviceOn(list: readonly Incident[]): string[] {
  const [first] = list;
  if (first!.kind === "rate-limited") return ["Ask slower (--rate N a second), or wait longer (--retries N)."];
  const needs = [...new Set(list.flatMap((incident) => incident.needs))];
  const sections = [...new Set(list.map(({ source }) => source.slice(0, source.lastIndexOf("/"))))];
  const [place = first!.interface] = first!.kind === "absent" || sections.length > 1 ? [] : sections;
  const names = first!.kind === "absent" ? [place] : [...needs, place];
  return first!.kind === "absent" || first!.notOffered
    ? [`If the target does not offer it, say so: ${names.map((name) => shellOption("--lacks", name)).join(" or ")}`]
    : [];
}

/** Requests without an answer that a clause could speak about, by what was the matter, each with what to do. */
export function incidents(results: RunResults, { verbose = false }: ReportOptions, paint: Paint): string {
  const causes = causesOf(unexpected(results.incidents));
  const shown = causes.slice(0, verbose ? causes.length : shownIncidents);
  const left = causes.length - shown.length;
  const lines = (text: string, from: number): string =>
    verbose ? text : wrapTo(text, columns - from, maxIncidentLines).join("\n    ");
  return [
    ...shown.map(({ says: key, incidents: list }) => {
      const [first] = list;
      const sources = list
        .slice(0, verbose ? shownSources : 1)
        .map(({ source, exchange }) => `${source}, exchange ${exchange}`);
      const more = list.length > sources.length ? `; and ${list.length - sources.length} more` : "";
      return [
        `${paint(incidentNames[first!.kind], "red")} ${lines(printable(key), incidentNames[first!.kind].length + 1)}`,
        ...(first!.kind === "absent" ? [] : [`  ${printable(sources.join("; "))}${more}`]),
        ...[flakyText(results, first!)].filter((line) => line !== "").map((line) => `  ${paint(line, "yellow")}`),
        ...adviceOn(list).map((line) => `  ${lines(printable(line), 4)}`),
        ...(verbose ? commandsFor(results, first!, maxCommandLength) : []).flatMap(({ says, command, note }) => [
          paint(`  ${says}:`, "dim"),
          indent(command, "    "),
          ...(note === undefined ? [] : [`    (${printable(note)})`]),
        ]),
      ].join("\n");
    }),
    ...(left > 0 ? [`and ${left} more that were not answered as recorded (--verbose lists them)`] : []),
  ].join(verbose ? "\n\n" : "\n");
}
