/** Makes what the page shows of results. */
import type { Clause } from "../../check/clause.ts";
import type { Client } from "../../verdict/fitness.ts";
import { isRun, type Results } from "../options.ts";
import {
  clauseTable,
  countVerdicts,
  filtersText,
  groupsByClause,
  isUnenforced,
  plural,
  sentText,
  standingOf,
  waysFound,
} from "../outline.ts";
import type { ExchangeIndex, PageClause, PageData, PageReading, PageVerdict } from "./data.ts";

/** What a page needs beside results and exchanges. */
export interface PageSources {
  readonly clauses: readonly Clause[];
  readonly readings: Readonly<Record<string, PageReading>>;
  readonly clients: readonly Client[];
  /** What made the results; null where nobody knows. */
  readonly made: { readonly command: readonly string[]; readonly started: string } | null;
}

/** @param exchanges the index of what lies beside the results */
export function pageDataOf(results: Results, sources: PageSources, exchanges: ExchangeIndex): PageData {
  const { made, readings } = sources;
  return {
    kind: isRun(results) ? "run" : "recordings",
    name: nameOf(results),
    started: made?.started ?? null,
    command: made?.command ?? null,
    facts: isRun(results) ? factsOf(results) : [],
    verdict: verdictOf(results, sources.clauses),
    scope: isRun(results) ? scopeOf(results) : [],
    summary: results.summary,
    clauses: clausesOf(results, sources),
    groups: results.groups.map(({ first, ...group }) => ({
      ...group,
      first: first.slice(0, 3).map((i) => results.findings[i]!),
      at: [],
    })),
    incidents: isRun(results) ? results.incidents : [],
    troubles: [],
    features: (isRun(results) && results.features) || [],
    clients: clientsOf(results, sources.clients),
    trials: (isRun(results) && results.trials) || [],
    readings,
    exchanges,
  };
}

/** What a target is called where nobody named it. */
export function nameOf(results: Results): string {
  if (!isRun(results)) return "recordings";
  const { url } = results.target;
  if (url === null) return "the embedded reference implementation";
  return URL.canParse(url) ? new URL(url).host : url;
}

const sentence: Readonly<Record<PageVerdict["state"], (reasons: readonly string[], excused: number) => string>> = {
  incomplete: () => "This was broken off before its end, so nothing is decided.",
  broken: () => "touchstone itself failed, so nothing is decided.",
  fails: (reasons) => `It does not do what the documents say: ${reasons.join(", ")}.`,
  conforms: (_, excused) =>
    `It does what the documents say, as far as it was tested${excused > 0 ? `, but for ${plural(excused, "failure")} that it admits to` : ""}.`,
};

function verdictOf(results: Results, clauses: readonly Clause[]): PageVerdict {
  const { state, reasons, excused } = standingOf(results);
  const table = clauseTable(clauses);
  const counts = countVerdicts(results.clauses.filter(({ id }) => table.get(id)?.unasked === undefined));
  const shown = counts.pass + counts.warning + counts.fail;
  const of = shown + counts["no-verdict"] + counts.untested + counts.broken;
  return { state, sentence: sentence[state](reasons, excused), shown, of };
}

function factsOf({ versions, options, documents }: Extract<Results, { plan: unknown }>): PageData["facts"] {
  const { preset, readings } = options;
  return [
    ["touchstone", versions.touchstone],
    ["preset", preset === null ? "none" : typeof preset === "string" ? preset : "a file"],
    ["readings", readings.join(", ") || "default"],
    ...Object.entries(documents).map(([name, digest]) => [name, digest] as const),
  ];
}

const scopeOf = (results: Extract<Results, { plan: unknown }>): string[] => [
  `${sentText(results)}${filtersText(results)}${results.shard ? `, shard ${results.shard.index} of ${results.shard.of}` : ""}`,
  ...waysFound(results),
];

function clausesOf(results: Results, { clauses, clients }: PageSources): PageClause[] {
  const table = clauseTable(clauses);
  const found = groupsByClause(results);
  const needed = new Map<string, { name: string; effect: string; evidence: string }[]>();
  for (const { name, needs } of clients)
    for (const { clause, effect, evidence } of needs)
      needed.set(clause, [...(needed.get(clause) ?? []), { name, effect, evidence }]);
  return results.clauses.map((verdict) => {
    const [of = "", section = ""] = verdict.id.split(".");
    const known = table.get(verdict.id);
    const groups = found.get(verdict.id);
    const own = needed.get(verdict.id);
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
      ...(own && { clients: own }),
      ...(verdict.verdict === "warning" && groups && isUnenforced(groups) && { unenforced: true }),
    };
  });
}

function clientsOf(results: Results, known: readonly Client[]): PageData["clients"] {
  const outcomes = (isRun(results) && results.clients) || [];
  return outcomes.map((outcome) => {
    const { says = "", package: of = "", version = "" } = known.find(({ name }) => name === outcome.name) ?? {};
    return { ...outcome, says, package: of, version };
  });
}
