/** JUnit XML: sections as suites, clauses as cases named by their sentence; what CI systems read. */
import type { ClauseVerdict } from "../verdict/document.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { printable, shortened, xmlText } from "./clean.ts";
import { isRun, type ReportOptions, type Results } from "./options.ts";
import {
  type ClauseGroups,
  type Clauses,
  clauseTable,
  groupsByClause,
  incidentGroups,
  openReasons,
  placeOf,
  placesOf,
  plural,
  type SectionOutline,
  sectionsOf,
  unenforcedRules,
} from "./outline.ts";
import { ranked } from "./ranking.ts";
import { type Command, commandsFor, flakyText } from "./reproduce.ts";
import { withoutCommands } from "./terminal/workflow-commands.ts";
import { type Times, timesOf } from "./times.ts";

/** Characters of one attribute, of what one case says, and of what all cases say together: pages of CI systems show no more. */
const [longestAttribute, longestText, maxText] = [500, 4000, 1_000_000];
const maxCommandLength = 5000;

/**
 * Sections and cases come in the order of failures. Failures are what fails and is not expected; a clause that is violated at warning level only, or expected to fail, is a skipped
 * case. Clauses without a verdict are one skipped case for each reason and section, so that they do not hide what was judged.
 * A suite takes as long as the answers to the requests of its section, one after the other, and a case that shows an exchange as long
 * as that answer. All else takes no time: a verdict has none of its own, and most exchanges show many.
 * @param times of the exchanges, where somebody kept them
 */
export function formatJunit(results: Results, options: ReportOptions, times: Times = timesOf([])): string {
  const clauses = clauseTable(options.clauses);
  const found = groupsByClause(results);
  const unenforced = unenforcedRules(results);
  const places = new Map(ranked(results).map(({ id }, i) => [id, i]));
  const inOrder = (own: readonly ClauseVerdict[]): readonly ClauseVerdict[] =>
    [...own].sort((a, b) => places.get(a.id)! - places.get(b.id)!);
  const firstOf = ({ clauses: own }: SectionOutline): number => Math.min(...own.map(({ id }) => places.get(id)!));
  const sections = sectionsOf(results).sort((a, b) => firstOf(a) - firstOf(b));
  const suites = sections.map(({ interface: of, section, clauses: own }) => ({
    name: `${of}.${section}`,
    time: times.of(`${of}/${section}`),
    cases: [
      ...inOrder(own).flatMap((verdict) => casesOf(verdict, found.get(verdict.id), clauses, results, times)),
      ...folded(`${of}.${section}`, own, unenforced.get(`${of}.${section}`) ?? [], clauses),
    ],
  }));
  const more = isRun(results) ? runCases(results, times) : [];
  if (more.length > 0) suites.push({ name: "run", time: sumOf(more), cases: more });
  if (!results.complete) {
    const outcome = failed("error", "it was broken off", "What was judged so far does not count: run it again.");
    suites.push({ name: "complete", time: 0, cases: [{ id: "complete", name: "The run came to its end.", outcome }] });
  }
  const properties = isRun(results) ? runProperties(results) : "";
  const budget = { left: maxText };
  const written = suites.map((suite) => writeSuite(suite, properties, budget));
  return withoutCommands()(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="touchstone" ${countsOf(
    suites.flatMap(({ cases }) => cases),
    times.all,
  )}>
${written.join("")}</testsuites>
`);
}

interface Outcome {
  readonly kind: "passed" | "failure" | "error" | "skipped";
  readonly message: string;
  readonly text: string;
}
interface Case {
  /** Its class name: a clause id, or what stands in for one. */
  readonly id: string;
  readonly name: string;
  readonly outcome: Outcome;
  /** Milliseconds that the answer it shows took. */
  readonly time?: number | undefined;
  readonly properties?: Readonly<Record<string, string | number>>;
  /** How to see it again. */
  readonly commands?: readonly Command[];
}

const skipped = (message: string, text = ""): Outcome => ({ kind: "skipped", message, text });
const failed = (kind: "failure" | "error", message: string, text: string): Outcome => ({ kind, message, text });

/** The case of a clause that has a verdict of its own. */
function casesOf(
  { id, verdict, exercised, failed: failures, needs = [], expected, diverges }: ClauseVerdict,
  groups: ClauseGroups | undefined,
  clauses: Clauses,
  results: Results,
  times: Times,
): Case[] {
  const clause = clauses.get(id);
  const name = clause?.says ?? id;
  if (verdict === "pass") return [{ id, name, outcome: { kind: "passed", message: "", text: "" } }];
  if (verdict === "broken") return [{ id, name, outcome: failed("error", "touchstone failed", needs.join("\n")) }];
  if (verdict !== "fail" && (verdict !== "warning" || !groups)) return [];
  const first = groups && placesOf(groups).places[0]?.finding;
  const short = first ? `expected ${first.expected}, got ${first.actual}` : "it failed";
  const flaky = isRun(results) && first ? flakyText(results, first, id) : "";
  const text = `${detailsOf(groups)}${flaky && `\n${flaky}`}`;
  const outcome = expected
    ? skipped(`known failure: ${expected.reason}`, text)
    : verdict === "warning"
      ? skipped(`warning: ${short}`, text)
      : failed("failure", short, text);
  return [
    {
      id,
      name,
      outcome,
      time: first && times.at(first),
      commands: isRun(results) && first ? commandsFor(results, first, maxCommandLength, id) : [],
      properties: {
        ...(clause && { document: `${clause.document.name}, ${clause.document.section}`, level: clause.level }),
        exchanges: exercised,
        failed: failures,
        ...(diverges !== undefined && { diverges }),
      },
    },
  ];
}

/** Clauses of one section without a verdict, one case for each reason; and the rules on requests that are unenforced, as one. */
function folded(section: string, own: readonly ClauseVerdict[], unenforced: readonly string[], known: Clauses): Case[] {
  const one = (what: string, name: string, ids: readonly string[]): Case => ({
    id: `${section}.${what}`,
    name,
    outcome: skipped(plural(ids.length, "clause"), ids.join("\n")),
  });
  return [
    ...openReasons(own, known).map(({ verdict, reason, ids }) => one(verdict, `${verdict}: ${reason}`, ids)),
    ...(unenforced.length > 0
      ? [one("unenforced", "unenforced: requests that violate these rules are accepted", unenforced)]
      : []),
  ];
}

/** What only a run has: requests that were not answered as recorded, and expectations that nothing needs. */
function runCases(results: RunResults, times: Times): Case[] {
  const refused = incidentGroups(results.incidents).map(({ incidents, expected }): Case => {
    const [first] = incidents;
    const places = incidents.map(({ source, exchange, problem }) => `${source}, exchange ${exchange}: ${problem}`);
    return {
      id: `run.${first!.interface}`,
      name: `${first!.operation} is answered as recorded${expected === undefined ? "." : `, but for a known failure: ${expected}`}`,
      outcome:
        first!.explainedBy !== undefined
          ? skipped(`not offered: ${first!.explainedBy}`, places.join("\n"))
          : expected === undefined
            ? failed(first!.kind === "rate-limited" ? "error" : "failure", first!.problem, places.join("\n"))
            : skipped(`known failure: ${expected}`, places.join("\n")),
      time: times.at(first!),
      commands: commandsFor(results, first!, maxCommandLength),
    };
  });
  const stale = (results.expectations?.stale ?? []).map(
    (name): Case => ({
      id: "run.expectations",
      name: `The known failure ${name} still fails.`,
      outcome: failed("failure", "stale: it does not fail any more; take the entry out", ""),
    }),
  );
  return [...refused, ...stale];
}

function detailsOf(groups: ClauseGroups | undefined): string {
  const { places, others } = placesOf(groups ?? { id: "", groups: [] });
  const lines = places.map(
    ({ finding, more }) =>
      `${placeOf(finding)}\n  expected ${finding.expected}\n  actual   ${finding.actual}${more === undefined ? "" : `\n${more}`}`,
  );
  return [...lines, ...(others === "" ? [] : [others])].join("\n");
}

function runProperties({ target, shard, versions, documents }: RunResults): string {
  return propertiesOf({
    target: target.url ?? "the embedded reference implementation",
    ...(shard && { shard: `${shard.index}/${shard.of}` }),
    touchstone: versions.touchstone,
    node: versions.node,
    ...Object.fromEntries(Object.entries(documents).map(([name, hash]) => [`document ${name}`, hash])),
  });
}

const attribute = (text: string): string => xmlText(printable(shortened(text, longestAttribute)));

function propertiesOf(properties: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(properties).map(
    ([name, value]) => `<property name="${attribute(name)}" value="${attribute(String(value))}"/>`,
  );
  return `<properties>${lines.join("")}</properties>`;
}

const sumOf = (cases: readonly Case[]): number => cases.reduce((sum, { time = 0 }) => sum + time, 0);

/** Milliseconds as seconds. */
const seconds = (time = 0): string => String(Math.round(time) / 1000);

const countsOf = (cases: readonly Case[], time: number): string => {
  const count = (kind: Outcome["kind"]): number => cases.filter(({ outcome }) => outcome.kind === kind).length;
  return `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}" time="${seconds(time)}"`;
};

interface Suite {
  readonly name: string;
  /** Milliseconds. */
  readonly time: number;
  readonly cases: readonly Case[];
}

function writeSuite({ name, time, cases }: Suite, properties: string, budget: { left: number }): string {
  const texts = cases.map((one) => writeCase(one, budget)).join("");
  return `  <testsuite name="${attribute(name)}" ${countsOf(cases, time)}>\n${properties && `    ${properties}\n`}${texts}  </testsuite>\n`;
}

function writeCase({ id, name, outcome, time, properties, commands = [] }: Case, budget: { left: number }): string {
  const open = `    <testcase classname="${attribute(id)}" name="${attribute(name)}" time="${seconds(time)}"`;
  if (outcome.kind === "passed") return `${open}/>\n`;
  const text = shortened(outcome.text, Math.min(longestText, Math.max(0, budget.left)));
  budget.left -= text.length;
  const inner = [
    ...(properties ? [propertiesOf(properties)] : []),
    `<${outcome.kind} message="${attribute(outcome.message)}">${xmlText(text)}</${outcome.kind}>`,
    ...(commands.length === 0
      ? []
      : [
          `<system-out>${xmlText(commands.map(({ says, command, note }) => `${says}:\n${command}${note === undefined ? "" : `\n(${note})`}`).join("\n\n"))}</system-out>`,
        ]),
  ];
  return `${open}>\n${inner.map((line) => `      ${line}\n`).join("")}    </testcase>\n`;
}
