/** What results say a target is good for: features, and the clients that need them. A pure function of the results. */
import { compare } from "../check/order.ts";
import type { ClauseVerdict } from "./document.ts";
import type { ClientOutcome, FeatureOutcome, PlannedCassette, RunResults } from "./run-results.ts";

/** What a target can do, as `schemas/features.json` describes it. */
export interface Feature {
  /** `<interface>/<name>`. */
  readonly name: string;
  readonly says: string;
  /** The recordings that ask for it: those that fit one of these. */
  readonly scenarios: readonly ScenarioPattern[];
  /** Clauses without which it is broken; `*` stands for anything. */
  readonly clauses: readonly string[];
}

export interface ScenarioPattern {
  readonly sections?: readonly string[];
  /** What the recording may need of a target, and one of which it needs; nothing at all where this is empty. */
  readonly needs?: readonly string[];
  /** The recording's own name; `*` stands for anything. */
  readonly named?: readonly string[];
}

/** A client as `schemas/clients.json` describes it. */
export interface Client {
  readonly name: string;
  readonly says: string;
  readonly package: string;
  /** The version whose behaviour `needs` tells. */
  readonly version: string;
  readonly features: readonly string[];
  /** Clauses it cannot do without: what it does where one is broken, and how that was seen. */
  readonly needs: readonly { readonly clause: string; readonly effect: string; readonly evidence: string }[];
}

export interface FitnessData {
  readonly features: readonly Feature[];
  readonly clients: readonly Client[];
}

/** The results with what they say the target is good for. */
export function withFitness(results: RunResults, { features, clients }: FitnessData): RunResults {
  const verdicts = new Map(results.clauses.map((clause) => [clause.id, clause]));
  const violated = violatedIn(results);
  const outcomes = features.map((feature) => featureOutcome(feature, results, [...verdicts.values()], violated));
  const byName = new Map(outcomes.map((outcome) => [outcome.name, outcome]));
  return {
    ...results,
    features: outcomes,
    clients: clients.map((client) => clientOutcome(client, byName, violated)),
  };
}

/** Clauses that something was found of on answers, at any level: what a client needs may be a note. */
function violatedIn({ groups }: RunResults): ReadonlySet<string> {
  return new Set(groups.filter(({ side }) => side === "response").map(({ clause }) => clause));
}

const matcher = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);

/** Tells whether any of the patterns fits a name; `*` stands for anything. */
export function fittingAny(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set(patterns);
  const matchers = patterns.filter((pattern) => pattern.includes("*")).map(matcher);
  return (name) => names.has(name) || matchers.some((one) => one.test(name));
}

/** Whether a recording asks for a feature. */
export function asksFor({ name, scenarios }: Feature, cassette: Omit<PlannedCassette, "exchanges">): boolean {
  if (!name.startsWith(`${cassette.interface}/`)) return false;
  const own = cassette.needs ?? [];
  const called = cassette.source
    .split("/")
    .at(-1)!
    .replace(/\.jsonl?$/, "");
  return scenarios.some(
    ({ sections, needs, named }) =>
      (sections?.includes(cassette.section) ?? true) &&
      (needs === undefined || (own.every((need) => needs.includes(need)) && own.length > 0 === needs.length > 0)) &&
      (named === undefined || fittingAny(named)(called)),
  );
}

function featureOutcome(
  feature: Feature,
  { plan, incidents, findings }: RunResults,
  clauses: readonly ClauseVerdict[],
  violated: ReadonlySet<string>,
): FeatureOutcome {
  const { name } = feature;
  const asked = plan.cassettes.filter((cassette) => asksFor(feature, cassette));
  const sent = new Set(asked.filter(({ skipped }) => skipped === undefined).map(({ source }) => source));
  const unanswered = incidents.filter(({ source }) => sent.has(source));
  const absent = new Set(unanswered.filter(({ notOffered }) => notOffered).map(({ source }) => source));
  const lacks = incidents.some((one) => one.kind === "absent" && name.startsWith(`${one.interface}/`));
  if (lacks || (asked.length > 0 && absent.size === sent.size)) return { name, outcome: "not offered", faults: [] };
  const answered = new Set([...sent].filter((source) => !unanswered.some((one) => one.source === source)));
  const isOwn = fittingAny(feature.clauses);
  const own = clauses.filter(({ id }) => isOwn(id));
  const failed = own.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  const problems = [...new Set(unanswered.map(({ source }) => source))];
  if (failed.length > 0 || (sent.size > 0 && answered.size === 0))
    return { name, outcome: "broken", faults: [...failed, ...problems].sort(compare) };
  const shown = feature.clauses.length === 0 || own.some(({ verdict }) => verdict === "pass" || verdict === "warning");
  if (answered.size === 0 || !shown) return { name, outcome: "not shown", faults: [] };
  const found = findings.filter(
    ({ source, side, level, clause }) =>
      side === "response" && level !== "note" && answered.has(source) && violated.has(clause),
  );
  const faults = new Set([
    ...problems,
    ...found.map(({ clause }) => clause),
    ...own.filter(({ verdict }) => verdict === "warning").map(({ id }) => id),
  ]);
  return { name, outcome: faults.size > 0 ? "works, with faults" : "works", faults: [...faults].sort(compare) };
}

function clientOutcome(
  { name, features, needs }: Client,
  outcomes: ReadonlyMap<string, FeatureOutcome>,
  violated: ReadonlySet<string>,
): ClientOutcome {
  const of = features.map((feature) => outcomes.get(feature)!);
  const lacking = of.filter(({ outcome }) => outcome === "broken" || outcome === "not offered");
  const broken = needs.filter(({ clause }) => violated.has(clause));
  const because = [
    ...lacking.map((feature) => `${feature.name}: ${feature.outcome}`),
    ...broken.map(({ clause, effect }) => `${clause}: ${effect}`),
  ];
  if (because.length > 0) return { name, outcome: "not served", because };
  const unseen = of.filter(({ outcome }) => outcome === "not shown");
  if (unseen.length > 0) return { name, outcome: "not shown", because: unseen.map((one) => `${one.name}: not shown`) };
  const faulty = of.filter(({ outcome }) => outcome !== "works");
  return {
    name,
    outcome: faulty.length > 0 ? "served, with faults" : "served",
    because: faulty.map((feature) => `${feature.name}: ${feature.outcome}`),
  };
}
