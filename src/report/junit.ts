/** JUnit XML: sections as suites, clauses as cases named by their sentence; what CI systems read. */
import type { ClauseVerdict } from "../verdict/document.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { upstreamName, upstreamText } from "./baseline.ts";
import {
  brokenOff,
  failed,
  junitXml,
  type Properties,
  passed,
  skipped,
  type TestCase,
  type TestSuite,
} from "./junit-xml.ts";
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
  type SectionOutline,
  sectionsOf,
  unenforcedRules,
} from "./outline.ts";
import { plural } from "./plural.ts";
import { ranked } from "./ranking.ts";
import { commandsFor, flakyText } from "./reproduce.ts";
import { type Times, timesOf } from "./times.ts";
import { unansweredGroups } from "./unanswered.ts";

const maxCommandLength = 5000;

/**
 * Sections and cases come in the order of failures. Failures are what fails and is not expected; a clause that is violated at
 * warning level only, is expected to fail, or also fails upstream, is a skipped case. Clauses without a verdict are one skipped case for each reason
 * and section, so that they do not hide what was judged. A suite takes as long as the answers to the requests of its section,
 * one after the other. A case that shows an exchange takes as long as that answer. All else takes no time: a verdict has none
 * of its own, and most exchanges show many.
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
  const sections = sectionsOf(results.clauses).sort((a, b) => firstOf(a) - firstOf(b));
  const suites: TestSuite[] = sections.map(({ interface: of, section, clauses: own }) => ({
    name: `${of}.${section}`,
    time: times.of(`${of}/${section}`),
    cases: [
      ...inOrder(own).flatMap((verdict) => casesOf(verdict, found.get(verdict.id), clauses, results, times)),
      ...folded(`${of}.${section}`, own, unenforced.get(`${of}.${section}`) ?? [], clauses),
    ],
  }));
  const more = isRun(results) ? runCases(results, times) : [];
  if (more.length > 0) suites.push({ name: "run", time: sumOf(more), cases: more });
  if (!results.complete) suites.push(brokenOff);
  return junitXml(suites, isRun(results) ? runProperties(results) : undefined, times.all);
}

/** The case of a clause that has a verdict of its own. */
function casesOf(
  { id, verdict, exercised, failed: failures, needs = [], expected, diverges, upstream }: ClauseVerdict,
  groups: ClauseGroups | undefined,
  clauses: Clauses,
  results: Results,
  times: Times,
): TestCase[] {
  const clause = clauses.get(id);
  const name = clause?.says ?? id;
  if (verdict === "pass") return [{ id, name, outcome: passed }];
  if (verdict === "broken") return [{ id, name, outcome: failed("error", "a check itself failed", needs.join("\n")) }];
  if (verdict !== "fail" && (verdict !== "warning" || !groups)) return [];
  const first = groups && placesOf(groups).places[0]?.finding;
  const short = first ? `expected ${first.expected}, got ${first.actual}` : "it failed";
  const flaky = isRun(results) && first ? flakyText(results, first, id) : "";
  const text = `${detailsOf(groups)}${flaky && `\n${flaky}`}`;
  const outcome = expected
    ? skipped(`known failure: ${expected.reason}`, text)
    : upstream?.outcome === "fails"
      ? skipped(`also fails upstream: ${short}`, text)
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
        ...(upstream && { upstream: upstreamText(upstream) }),
      },
    },
  ];
}

/** Clauses of one section without a verdict, one case for each reason; and the rules on requests that are unenforced, as one. */
function folded(
  section: string,
  own: readonly ClauseVerdict[],
  unenforced: readonly string[],
  known: Clauses,
): TestCase[] {
  const one = (what: string, name: string, ids: readonly string[]): TestCase => ({
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

/** Cases that only a run has: requests that were not answered as recorded or never, and expectations that nothing needs. */
function runCases(results: RunResults, times: Times): TestCase[] {
  const refused = incidentGroups(results.incidents).map(({ incidents, expected }): TestCase => {
    const [first] = incidents;
    const places = incidents.map(({ source, exchange, problem }) => `${source}, exchange ${exchange}: ${problem}`);
    return {
      id: `run.${first!.interface}`,
      name: `${first!.operation} is answered as recorded${expected === undefined ? "." : `, but for a known failure: ${expected}`}`,
      outcome:
        first!.explainedBy !== undefined
          ? skipped(`not offered: ${first!.explainedBy}`, places.join("\n"))
          : expected === undefined
            ? first!.upstream?.outcome === "fails" && first!.kind !== "rate-limited"
              ? skipped(`also fails upstream: ${first!.problem}`, places.join("\n"))
              : failed(first!.kind === "rate-limited" ? "error" : "failure", first!.problem, places.join("\n"))
            : skipped(`known failure: ${expected}`, places.join("\n")),
      ...(first!.upstream && { properties: { upstream: upstreamText(first!.upstream) } }),
      time: times.at(first!),
      commands: commandsFor(results, first!, maxCommandLength),
    };
  });
  const unanswered = unansweredGroups(results).map(
    ({ interface: of, operation, says, places }): TestCase => ({
      id: `run.${of}`,
      name: `${operation} answers every request.`,
      outcome: skipped(`warning: ${says}`, places.join("\n")),
    }),
  );
  const stale = (results.expectations?.stale ?? []).map(
    (name): TestCase => ({
      id: "run.expectations",
      name: `The known failure ${name} still fails.`,
      outcome: failed("failure", "stale: it does not fail any more; take the entry out", ""),
    }),
  );
  return [...refused, ...unanswered, ...stale];
}

function detailsOf(groups: ClauseGroups | undefined): string {
  const { places, others } = placesOf(groups ?? { id: "", groups: [] });
  const lines = places.map(
    ({ finding, more }) =>
      `${placeOf(finding)}\n  expected ${finding.expected}\n  actual   ${finding.actual}${more === undefined ? "" : `\n${more}`}`,
  );
  return [...lines, ...(others === "" ? [] : [others])].join("\n");
}

function runProperties({ target, shard, versions, documents, baseline }: RunResults): Properties {
  return {
    target: target.url ?? "the embedded reference implementation",
    ...(baseline && { baseline: upstreamName(baseline) }),
    ...(shard && { shard: `${shard.index}/${shard.of}` }),
    touchstone: versions.touchstone,
    node: versions.node,
    ...Object.fromEntries(Object.entries(documents).map(([name, hash]) => [`document ${name}`, hash])),
  };
}

const sumOf = (cases: readonly TestCase[]): number => cases.reduce((sum, { time = 0 }) => sum + time, 0);
