/** The report for a terminal. */
import type { ClauseVerdict, Incident, RunResults } from "../verdict/document.ts";
import { printable } from "./clean.ts";
import { expectationLines } from "./expectations.ts";
import { clientsMissing, fieldTitle, fitnessOf, isOfField, trialLines } from "./fitness.ts";
import { isRun, type ReportOptions, type Results } from "./options.ts";
import {
  type ClauseGroups,
  clauseTable,
  countVerdicts,
  filtersText,
  groupsByClause,
  isUnenforced,
  openQuestions,
  placeOf,
  placesOf,
  plural,
  sectionsOf,
  sentText,
  standingOf,
  unenforcedRules,
  verdicts,
  waysFound,
} from "./outline.ts";
import { commandsFor, flakyText } from "./reproduce.ts";

const shownPlaces = 3;
const shownOpen = 4;
const shownUnenforced = 6;
const longestCommand = 5000;

type Paint = (text: string, color: "red" | "green" | "yellow" | "dim" | "bold") => string;
const codes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 };
const painter = (color: boolean): Paint =>
  color ? (text, name) => `\u001b[${codes[name]}m${text}\u001b[0m` : (t) => t;

/** Sections with their counts, failures with their evidence, what is open, and one line that sums it up. */
export function formatText(results: Results, options: ReportOptions): string {
  const paint = painter(options.color ?? false);
  const { failing, warned, ofField } = found(results, options, paint);
  const parts = [
    ...(isRun(results) ? [heading(results, paint)] : []),
    table(results, paint),
    ...failing,
    ...warned,
    ...(ofField.length > 0 ? [paint(fieldTitle, "yellow"), ...ofField] : []),
    unenforced(results, paint),
    ...(isRun(results) ? [incidents(results, paint)] : []),
    admissions(results, paint),
    open(results, options, paint),
    tooMuch(results, paint),
    ...(isRun(results) ? [fitness(results, paint), trials(results, paint)] : []),
    summary(results, paint),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** What fails, each clause with its places, in the words of the report; empty where nothing does. */
export function formatFailures(results: Results, options: ReportOptions): string {
  return found(results, options, painter(options.color ?? false)).failing.join("\n\n");
}

function heading(results: RunResults, paint: Paint): string {
  const { target, plan, shard } = results;
  const name = target.url === null ? "the embedded reference implementation" : printable(target.url);
  const scope = `${sentText(results)}${filtersText(results)}${shard ? `, shard ${shard.index} of ${shard.of}` : ""}${plan.limit === null ? "" : `, at most ${plan.limit} requests`}`;
  const found = waysFound(results).map((sentence) => `\n${paint("found out:", "dim")} ${printable(sentence)}`);
  return `${paint(`Run against ${name}`, "bold")} (${scope})${found.join("")}`;
}

function table(results: Results, paint: Paint): string {
  const lines: string[] = [];
  let last = "";
  const sections = sectionsOf(results);
  const width = Math.max(0, ...sections.map(({ section }) => section.length));
  for (const { interface: of, section, clauses } of sections) {
    if (of !== last) lines.push(`${last && "\n"}${paint(printable(of), "bold")}`);
    last = of;
    const counts = countVerdicts(clauses);
    const cells = verdicts
      .filter((verdict) => counts[verdict] > 0)
      .map((verdict) => {
        const cell = `${counts[verdict]} ${verdict}`;
        return verdict === "pass"
          ? paint(cell, "green")
          : verdict === "fail" || verdict === "broken"
            ? paint(cell, "red")
            : paint(cell, verdict === "warning" ? "yellow" : "dim");
      });
    lines.push(`  ${printable(section).padEnd(width)}  ${cells.join(", ")}`);
  }
  return lines.join("\n");
}

/** What was found of each clause: of those that fail, and of those that do not. */
function found(
  results: Results,
  options: ReportOptions,
  paint: Paint,
): Record<"failing" | "warned" | "ofField", string[]> {
  const clauses = clauseTable(options.clauses);
  const verdictOn = new Map(results.clauses.map((clause) => [clause.id, clause]));
  const all = [...groupsByClause(results).values()].map((groups) => ({ groups, verdict: verdictOn.get(groups.id) }));
  const failing = all.filter(({ verdict }) => verdict?.verdict === "fail" && !verdict.expected);
  const shownCommands = new Set<string>();
  const warned = all.filter(({ verdict, groups }) => verdict?.verdict !== "fail" && !isUnenforced(groups));
  const block = (groups: ClauseGroups, verdict: ClauseVerdict | undefined): string => {
    const { id } = groups;
    const clause = clauses.get(id);
    const failed = verdict?.verdict === "fail";
    const { places, others } = placesOf(groups);
    const first = places[0]!.finding;
    const lines = [`${failed ? paint("FAIL", "red") : paint(first.level, "yellow")} ${paint(printable(id), "bold")}`];
    if (clause) lines.push(`  ${clause.says} ${paint(`(${clause.document.name}, ${clause.document.section})`, "dim")}`);
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
    for (const { says, command } of failed && isRun(results) ? commandsFor(results, first, longestCommand, id) : []) {
      // Several clauses may fail in one exchange; one command shows them all.
      if (!shownCommands.has(command)) lines.push(paint(`  ${says}:`, "dim"), indent(command, "    "));
      shownCommands.add(command);
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

/** Rules whose breach was accepted, by section: what a target lets pass is another matter than what it answers. */
function unenforced(results: Results, paint: Paint): string {
  const rules = unenforcedRules(results);
  const count = [...rules.values()].reduce((sum, ids) => sum + ids.length, 0);
  if (count === 0) return "";
  const lines = [...rules].map(([section, ids]) => {
    const names = ids.slice(0, shownUnenforced).map((id) => id.slice(section.length + 1));
    const more = ids.length > names.length ? `, and ${ids.length - names.length} more` : "";
    return `  ${printable(section)}  ${printable(names.join(", "))}${more}`;
  });
  const title = `${plural(count, "rule")} on requests ${count === 1 ? "is" : "are"} not enforced`;
  return [`${paint(title, "yellow")}: what breaks them was accepted, not refused`, ...lines].join("\n");
}

/** What the target is good for, by what was shown of it. */
function fitness(results: RunResults, paint: Paint): string {
  const shown = fitnessOf(results);
  if (!shown) return "";
  const rows: [string, ReadonlyMap<string, readonly string[]>][] = [
    ...shown.features.map((one): [string, ReadonlyMap<string, readonly string[]>] => [one.interface, one.outcomes]),
    ["clients", shown.clients],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows
    .filter(([, outcomes]) => outcomes.size > 0)
    .flatMap(([name, outcomes]) =>
      [...outcomes].map(
        ([outcome, names], i) =>
          `  ${(i === 0 ? name : "").padEnd(width)}  ${printable(`${outcome}: ${names.join(", ")}`)}`,
      ),
    );
  return [paint("What it is good for", "bold"), ...lines].join("\n");
}

/** What official clients made of the target. */
function trials(results: RunResults, paint: Paint): string {
  const lines = trialLines(results);
  return lines.length === 0
    ? ""
    : [paint("Used by official clients", "bold"), ...lines.map((line) => `  ${printable(line)}`)].join("\n");
}

const indent = (text: string, by: string): string =>
  text
    .split("\n")
    .map((line) => by + printable(line))
    .join("\n");

const incidentNames: Readonly<Record<Incident["kind"], string>> = {
  refused: "REFUSED",
  "server-error": "SERVER ERROR",
  unanswered: "NO ANSWER",
  absent: "NOT THERE",
  "rate-limited": "RATE LIMITED",
};

/** What to do about incidents with one problem: only what says that it is not there may be lacked. */
function adviceOn(list: readonly Incident[]): string[] {
  const [first] = list;
  if (first!.kind === "rate-limited") return ["Ask slower (--rate N a second), or wait longer (--retries N)."];
  const needs = [...new Set(list.flatMap((incident) => incident.needs))];
  const sections = [...new Set(list.map(({ source }) => source.slice(0, source.lastIndexOf("/"))))];
  const [place = first!.interface] = first!.kind === "absent" || sections.length > 1 ? [] : sections;
  const names = first!.kind === "absent" ? [place] : [...needs, place];
  return first!.kind === "absent" || first!.notOffered
    ? [`If the target does not offer it, say so: --lacks ${names.join(" or --lacks ")}`]
    : [];
}

function incidents(results: RunResults, paint: Paint): string {
  const groups = new Map<string, RunResults["incidents"][number][]>();
  for (const incident of results.incidents.filter(({ expected }) => !expected)) {
    const key = `${incident.interface}: ${incident.problem}`;
    groups.set(key, [...(groups.get(key) ?? []), incident]);
  }
  return [...groups]
    .map(([key, list]) => {
      const [first] = list;
      const sources = list.slice(0, shownPlaces).map(({ source, exchange }) => `${source}, exchange ${exchange}`);
      const more = list.length > shownPlaces ? `; and ${list.length - shownPlaces} more` : "";
      return [
        `${paint(incidentNames[first!.kind], "red")} ${printable(key)}`,
        ...(first!.kind === "absent" ? [] : [`  ${printable(sources.join("; "))}${more}`]),
        ...[flakyText(results, first!)].filter((line) => line !== "").map((line) => `  ${paint(line, "yellow")}`),
        ...adviceOn(list).map((line) => `  ${printable(line)}`),
        ...commandsFor(results, first!, longestCommand).flatMap(({ says, command }) => [
          paint(`  ${says}:`, "dim"),
          indent(command, "    "),
        ]),
      ].join("\n");
    })
    .join("\n\n");
}

function admissions(results: Results, paint: Paint): string {
  return expectationLines(results)
    .map(({ word, says }) => `${paint(word, word === "STALE" ? "red" : "yellow")} ${printable(says)}`)
    .join("\n");
}

/** Reasons that say what was in the way, not what is missing. */
const isPlain = (reason: string): boolean => /^(?:the model did not|rate limited)/.test(reason);

function open(results: Results, options: ReportOptions, paint: Paint): string {
  const parts: string[] = [];
  const list = (ids: readonly string[]): string =>
    printable(ids.slice(0, shownOpen).join(", ")) +
    (ids.length > shownOpen ? `, and ${ids.length - shownOpen} more` : "");
  for (const [verdict, lead] of [
    ["broken", "BROKEN, touchstone failed"],
    ["no-verdict", "no verdict without"],
    ["skipped", "skipped, since the target lacks"],
  ] as const)
    for (const [reason, ids] of openQuestions(results.clauses, verdict))
      parts.push(
        `${paint(isPlain(reason) ? "no verdict:" : lead, verdict === "broken" ? "red" : "dim")} ${printable(reason)}: ${list(ids)}`,
      );
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
    .slice(0, shownPlaces)
    .map(({ source, exchange, why }) => `${source}, exchange ${exchange}: ${why}`);
  return lines.length === 0
    ? ""
    : `${paint("not judged as a whole:", "yellow")} ${printable(lines.join("; "))}${count > lines.length ? `; and ${count - lines.length} more` : ""}`;
}

function summary(results: Results, paint: Paint): string {
  const counts = countVerdicts(results.clauses);
  const { exchanges, errors, warnings, notes } = results.summary;
  const parts = verdicts.filter((verdict) => counts[verdict] > 0).map((verdict) => `${counts[verdict]} ${verdict}`);
  const { state, reasons, excused, limited, unjudged } = standingOf(results);
  const verdict = {
    incomplete: paint(
      `INCOMPLETE${results.complete ? `: ${plural(limited, "request")} ${limited === 1 ? "was" : "were"} rate limited to the last` : ""}`,
      "red",
    ),
    broken: paint("BROKEN: touchstone itself failed", "red"),
    fails: paint(`DOES NOT CONFORM: ${reasons.join(", ")}`, "red"),
    conforms: paint(
      `${excused > 0 ? `conforms but for ${plural(excused, "expected failure")}` : "conforms"} as far as tested`,
      "green",
    ),
  }[state];
  return `${verdict}\n${plural(results.clauses.length, "clause")}: ${parts.join(", ") || "none"}; ${plural(exchanges, "exchange")} judged, ${plural(errors, "error")}, ${plural(warnings, "warning")}, ${plural(notes, "note")}${
    unjudged > 0 ? `; ${plural(unjudged, "exchange")} too much to judge` : ""
  }`;
}
