/** Makes what the page shows of results. */
import type { Clause, Finding } from "../../check/clause.ts";
import type { ExchangePlace } from "../../check/finding-order.ts";
import { findingsByGroup } from "../../check/groups.ts";
import type { Client } from "../../verdict/client.ts";
import { countedClauses, interfacesLacking } from "../../verdict/offered.ts";
import { redsOf } from "../../verdict/outcome.ts";
import type { RunResults } from "../../verdict/run-results.ts";
import { baselineLines } from "../baseline.ts";
import { notOfferedText } from "../not-offered.ts";
import { isRun, type Results } from "../options.ts";
import {
  clauseTable,
  conclusionOf,
  countVerdicts,
  exceptionsOf,
  filtersText,
  foundOut,
  groupsByClause,
  inheritedText,
  requestRows,
  sentText,
} from "../outline.ts";
import { plural } from "../plural.ts";
import { flakyText, runAgain, toBeSet } from "../reproduce.ts";
import type { ExchangeIndex, PageClause, PageData, PageGroup, PageReading, PageVerdict } from "./data.ts";

/** The sources of a page beside results and exchanges. */
export interface PageSources {
  readonly clauses: readonly Clause[];
  readonly readings: Readonly<Record<string, PageReading>>;
  readonly clients: readonly Client[];
  /** The command that made the results; null if nobody knows. */
  readonly made: { readonly command: readonly string[]; readonly started: string } | null;
}

/** @param exchanges the index of what lies beside the results */
export function pageDataOf(results: Results, sources: PageSources, exchanges: ExchangeIndex): PageData {
  const { made, readings } = sources;
  return {
    kind: isRun(results) ? "run" : "recordings",
    name: nameOf(results),
    address: isRun(results) ? results.target.url : null,
    started: made?.started ?? null,
    command: made?.command ?? null,
    facts: isRun(results) ? factsOf(results) : [],
    verdict: verdictOf(results, sources.clauses),
    scope: isRun(results) ? scopeOf(results) : [],
    requests: isRun(results) ? requestRows(results) : [],
    lacking: interfacesLacking(results),
    summary: results.summary,
    clauses: clausesOf(results, sources),
    groups: groupsOf(results, exchanges),
    incidents: isRun(results) ? results.incidents : [],
    unanswered: unansweredOf(results),
    ...(isRun(results) && results.baseline && { baseline: baselineLines(results) }),
    unjudged: results.unjudged,
    troubles: troublesOf(results),
    features: (isRun(results) && results.features) || [],
    clients: clientsOf(results, sources.clients),
    trials: (isRun(results) && results.trials) || [],
    readings,
    exchanges,
  };
}

/** The name of a target that nobody named. */
export function nameOf(results: Results): string {
  if (!isRun(results)) return "recordings";
  const { name, url } = results.target;
  if (name !== undefined) return name;
  if (url === null) return "the embedded reference implementation";
  return URL.canParse(url) ? new URL(url).host : url;
}

/** The conclusion, for those who read one sentence only. */
function sentenceOf(results: Results, decided: number): string {
  const conclusion = conclusionOf(results);
  const { state, warned, limited } = conclusion;
  if (state === "incomplete")
    return limited > 0
      ? `This is not decided: ${plural(limited, "request")} met a limit on requests to the last.`
      : results.complete
        ? "This is not decided: every request was refused."
        : "This is not decided: it was broken off before its end.";
  if (state === "broken") return "This is not decided: a check itself failed.";
  const { failing, incidents, stale } = redsOf(results);
  const missing = notOfferedText(results);
  const tested = `${decided.toLocaleString("en")} statements tested`;
  if (state === "conforms") {
    const but = [...exceptionsOf(conclusion), ...(warned > 0 ? [plural(warned, "warning")] : [])];
    return decided === 0
      ? "Nothing was decided: no answer showed what the documents speak about."
      : `This does what the documents say, as far as it was tested: ${
          but.length === 0 ? `all ${tested} hold` : `the ${tested} hold, but for ${but.join(" and ")}`
        }.${missing === "" ? "" : ` Some things are ${missing}.`}`;
  }
  const reasons = [
    ...(failing.length > 0
      ? [`${failing.length} of the ${tested} ${failing.length === 1 ? "does" : "do"} not hold`]
      : []),
    ...(incidents.length > 0
      ? [`${plural(incidents.length, "request")} ${incidents.length === 1 ? "was" : "were"} not answered as recorded`]
      : []),
    ...(stale.length > 0 ? [`${plural(stale.length, "known failure")} did not happen`] : []),
  ];
  const shared = inheritedText(results);
  return `This does not do what the documents say: ${reasons.join(", ")}.${shared === "" ? "" : ` Also fails upstream: ${shared}.`}`;
}

function verdictOf(results: Results, clauses: readonly Clause[]): PageVerdict {
  const table = clauseTable(clauses);
  const counts = countVerdicts(countedClauses(results).filter(({ id }) => table.get(id)?.unasked === undefined));
  const shown = counts.pass + counts.warning + counts.fail;
  const of = shown + counts["no-verdict"] + counts.untested + counts.broken;
  return { state: conclusionOf(results).state, sentence: sentenceOf(results, shown), shown, of };
}

function factsOf({ target, plan, versions, options, documents }: RunResults): PageData["facts"] {
  const { preset, readings, level, enforcement, models } = options;
  return [
    ...(target.url === null ? [] : [["address", target.url] as const]),
    ["touchstone", `${versions.touchstone}, on node ${versions.node}`],
    ...(level === "error" ? [] : [["fails at", level] as const]),
    ...(plan.lacks.length === 0 ? [] : [["lacks", plan.lacks.join(", ")] as const]),
    ...Object.entries(models).map(([of, id]) => [`model of ${of}`, id] as const),
    ["preset", preset === null ? "none" : typeof preset === "string" ? preset : "a file"],
    ...(enforcement === undefined ? [] : [["enforcement", enforcement] as const]),
    ["readings", readings.join(", ") || "default"],
    ...Object.entries(documents).map(([name, digest]) => [`document ${name}`, `sha256 ${digest}`] as const),
  ];
}

const scopeOf = (results: RunResults): string[] => [
  `${sentText(results)}${filtersText(results)}${results.shard ? `, shard ${results.shard.index} of ${results.shard.of}` : ""}`,
  ...foundOut(results),
];

/** Findings of a group that stand beside it. */
const shownFirst = 3;

/** Groups with their first findings, of as many exchanges as there are, and the rows of all exchanges that have one. */
function groupsOf(results: Results, { sources, source, exchange }: ExchangeIndex): PageGroup[] {
  const keyOf = (place: ExchangePlace): string => `${place.exchange} ${place.source}`;
  const rows = new Map(
    exchange.map((position, row) => [keyOf({ source: sources[source[row]!]!, exchange: position }), row]),
  );
  const listed = findingsByGroup(results.groups, results.findings);
  return results.groups.map((group) => {
    const { first: _first, ...counts } = group;
    const findings = listed.get(group) ?? [];
    const ofEach = new Map(findings.map((finding) => [keyOf(finding), finding]).reverse() as [string, Finding][]);
    const apart = [...ofEach.values()].reverse();
    return {
      ...counts,
      first: (apart.length < shownFirst ? findings : apart).slice(0, shownFirst),
      at: [...ofEach.keys()].flatMap((key) => rows.get(key) ?? []).sort((a, b) => a - b),
    };
  });
}

function unansweredOf(results: Results): PageData["unanswered"] {
  const { unanswered = [] } = isRun(results) ? results : {};
  return unanswered.map(({ source, exchange, operation, problem, tries }) => ({
    source,
    exchange,
    says: `${operation}: ${problem}${tries === undefined ? "" : `, each of ${tries} times`}`,
  }));
}

/** Sentences on expectations that are to be mended. */
function troublesOf({ expectations }: Results): string[] {
  const { stale = [], expired = [], unreasoned = [] } = expectations ?? {};
  return [
    ...stale.map((one) => `${one} is a known failure, and does not fail: take the entry out`),
    ...expired.map((one) => `the entry of ${one} has passed its day and excuses nothing`),
    ...unreasoned.map((one) => `the entry of ${one} excuses nothing until its reason is written`),
  ];
}

function clausesOf(results: Results, { clauses, clients }: PageSources): PageClause[] {
  const table = clauseTable(clauses);
  const found = groupsByClause(results);
  const note = isRun(results) ? toBeSet(results) : "";
  const isOff = isRun(results) && results.options.enforcement === "off";
  const needed = new Map<string, { name: string; effect: string; evidence: string }[]>();
  for (const { name, needs } of clients)
    for (const { clause, effect, evidence } of needs) {
      const own = needed.get(clause) ?? [];
      // The client's reaction in one scenario stands for the others.
      if (!own.some((one) => one.name === name)) needed.set(clause, [...own, { name, effect, evidence }]);
    }
  return results.clauses.map((verdict) => {
    const [of = "", section = ""] = verdict.id.split(".");
    const known = table.get(verdict.id);
    const groups = found.get(verdict.id);
    const own = needed.get(verdict.id);
    const first = groups?.groups[0]?.[1][0];
    const flaky = isRun(results) && first ? flakyText(results, first, verdict.id) : "";
    return {
      interface: of,
      section,
      says: known?.says ?? "",
      on: known?.on ?? "response",
      kind: known?.kind ?? "behaviour",
      level: known?.level ?? "must",
      basis: known?.basis ?? "document",
      document: known?.document ?? { name: "", section: "" },
      readings: known?.readings ?? [],
      ...(known?.unasked !== undefined && { unasked: known.unasked }),
      ...verdict,
      // A run that does not look at enforcement says nothing of it.
      ...(isOff && verdict.verdict === "unenforced" && { verdict: "untested" as const }),
      ...(own && { clients: own }),
      ...(flaky !== "" && { flaky }),
      ...(isRun(results) && first && { rerun: runAgain(results, first, verdict.id) }),
      ...(note !== "" && first && { toBeSet: note }),
    };
  });
}

function clientsOf(results: Results, known: readonly Client[]): PageData["clients"] {
  const outcomes = (isRun(results) && results.clients) || [];
  return outcomes.map((outcome) => {
    const { says = "" } = known.find(({ name }) => name === outcome.name) ?? {};
    return { ...outcome, says };
  });
}
