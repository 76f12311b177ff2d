/** Puts the shards of one run together again: the same results as if it had never been split. */

import { byExchange, compare } from "../check/finding-order.ts";
import { applyExpectations, createPlaces } from "./apply-expectations.ts";
import { mergeBaselines } from "./baseline.ts";
import { differencesAmong, explained } from "./divergence.ts";
import type { ClauseVerdict, Verdict } from "./document.ts";
import type { Plan, PlannedProbes, Recheck, RunResults } from "./run-results.ts";
import { inOrder } from "./shard.ts";
import { createTally, firstOf, shareOf } from "./tally.ts";

export type Merged =
  | { readonly ok: true; readonly results: RunResults }
  /** Why these results are not the shards of one run. */
  | { readonly ok: false; readonly problem: string };

/** Strongest first: what one shard saw outweighs what another did not. */
const order: readonly Verdict[] = [
  "fail",
  "broken",
  "warning",
  "unenforced",
  "pass",
  "no-verdict",
  "skipped",
  "untested",
];

/**
 * Merges all shards of one run, in any order; one that is there twice counts once.
 * @param today `YYYY-MM-DD`, for expectations that expire
 */
export function mergeShards(given: readonly RunResults[], today: string): Merged {
  if (given.some(({ complete }) => !complete))
    return { ok: false, problem: "one of them is incomplete: its run was broken off" };
  if (given.length === 1 && given[0]!.shard === null) return { ok: true, results: given[0]! };
  const problem = whyNot(given);
  if (problem) return { ok: false, problem };
  const parts = inOrder(given);
  if (typeof parts === "string") return { ok: false, problem: parts };
  const first = parts[0]!;
  const sums = createTally([]);
  for (const part of parts) sums.absorb(shareOf(part));
  const { summary, findings, groups, unjudged, inferred } = sums.document(true);
  const differences = differencesAmong(parts.flatMap((part) => part.clauses));
  const plan = mergePlans(parts.map((part) => part.plan));
  const { cassettes, sections, scenarios, limit } = plan;
  const incidents = parts
    .flatMap((part) =>
      part.incidents.map(({ expected: _expected, explainedBy: _explained, upstream: _upstream, ...rest }) => rest),
    )
    .sort(byExchange);
  const unanswered = parts.flatMap((part) => part.unanswered ?? []).sort(byExchange);
  const clauses = mergeClauses(parts.map((part) => part.clauses));
  const entries = first.expectations?.entries;
  const failed = new Set(incidents.map(({ source }) => source));
  const answered = new Set(
    cassettes.filter(({ source, skipped }) => skipped === undefined && !failed.has(source)).map(({ source }) => source),
  );
  const trials = parts.flatMap((part) => part.trials ?? []);
  const again = firstOfEach(parts.flatMap((part) => part.again ?? []).sort(byExchange));
  const baselines = parts.flatMap(({ baseline }) => baseline ?? []);
  const found = parts.flatMap(({ options }) => Object.entries(options.ways)).sort(([a], [b]) => compare(a, b));
  const ways = Object.fromEntries(found);
  const whole =
    sections.length === 0 && !scenarios && limit === null && !incidents.some(({ kind }) => kind === "rate-limited");
  const places = createPlaces(entries ?? []);
  for (const { expectations } of parts) places.absorb(expectations?.seen ?? []);
  const happened = { clauses, incidents, seen: places.all() };
  const applied = entries && applyExpectations(entries, happened, answered, today, whole);
  return {
    ok: true,
    results: {
      ...first,
      options: { ...first.options, ways, ...(entries && { today }) },
      summary,
      findings: explained(findings, differences),
      groups: explained(groups, differences),
      unjudged,
      ...(inferred && { inferred }),
      clauses: applied?.clauses ?? clauses,
      plan,
      shard: null,
      incidents: applied?.incidents ?? incidents,
      ...(unanswered.length > 0 && { unanswered }),
      ...(first.answers && { answers: parts.flatMap((part) => part.answers ?? []).sort(byExchange) }),
      expectations: applied?.outcome ?? null,
      reproduce: parts.flatMap((part) => part.reproduce).sort(byExchange),
      ...(trials.length > 0 && { trials }),
      ...(again.length > 0 && { again }),
      ...(baselines.length > 0 && { baseline: mergeBaselines(baselines) }),
    },
  };
}

/** Keeps the first failure of a clause or problem: a whole run rechecks that one. */
function firstOfEach(all: readonly Recheck[]): Recheck[] {
  return all.filter(
    (one, i) => all.findIndex(({ clause, problem }) => clause === one.clause && problem === one.problem) === i,
  );
}

/** The plan of all shards of one run. */
export function mergePlans(plans: readonly Plan[]): Plan {
  const probes = mergeProbes(plans.flatMap((plan) => plan.probes ?? []));
  return {
    ...plans[0]!,
    cassettes: plans.flatMap((plan) => plan.cassettes).sort((a, b) => compare(a.source, b.source)),
    exchanges: plans.reduce((sum, plan) => sum + plan.exchanges, 0),
    ...(probes.length > 0 && { probes }),
  };
}

/** The sums of each interface. */
function mergeProbes(all: readonly PlannedProbes[]): PlannedProbes[] {
  const names = [...new Set(all.map((one) => one.interface))].sort();
  return names.map((name) => {
    const own = all.filter((one) => one.interface === name);
    const sum = (of: "requests" | "paid"): number => own.reduce((total, one) => total + one[of], 0);
    return { interface: name, requests: sum("requests"), paid: sum("paid") };
  });
}

function whyNot(parts: readonly RunResults[]): string | undefined {
  const [first] = parts;
  if (!first) return "there are no results";
  const sameRun = (part: RunResults): string => {
    const { cassettes: _cassettes, exchanges: _exchanges, probes: _probes, ...filters } = part.plan;
    const { ways: _ways, today: _today, started: _started, ...options } = part.options;
    const baseline = part.baseline && [part.baseline.kind, part.baseline.url];
    return JSON.stringify([
      ...[part.target, filters, part.shard?.of, options, part.versions.touchstone, part.documents],
      baseline ?? null,
    ]);
  };
  return parts.every((part) => sameRun(part) === sameRun(first))
    ? undefined
    : "they differ in target, filters, number of shards, options, version or baseline";
}

/** Adds up counts clause by clause; the strongest verdict stands. */
export function mergeClauses(lists: readonly (readonly ClauseVerdict[])[]): ClauseVerdict[] {
  const merged = new Map<string, ClauseVerdict>();
  for (const clause of lists.flat()) {
    const { expected: _expected, upstream: _upstream, ...bare } = clause;
    const other = merged.get(clause.id);
    merged.set(clause.id, other ? mergeClause(other, bare) : bare);
  }
  return [...merged.values()].sort((a, b) => compare(a.id, b.id));
}

function mergeClause(a: ClauseVerdict, b: ClauseVerdict): ClauseVerdict {
  const verdict = order.find((one) => one === a.verdict || one === b.verdict)!;
  const needs = [a, b].flatMap((one) => (one.verdict === verdict ? (one.needs ?? []) : []));
  const sorted = [...new Set(needs)].sort();
  const diverges = a.diverges ?? b.diverges;
  const warned = (a.warned ?? 0) + (b.warned ?? 0);
  const unenforced = (a.unenforced ?? 0) + (b.unenforced ?? 0);
  const shownIn = firstOf(a.shownIn, b.shownIn);
  return {
    id: a.id,
    verdict,
    exercised: a.exercised + b.exercised,
    failed: a.failed + b.failed,
    ...(warned > 0 && { warned }),
    ...(unenforced > 0 && { unenforced }),
    ...(verdict === "pass" && shownIn && { shownIn }),
    ...(sorted.length > 0 && { needs: sorted }),
    ...(diverges !== undefined && { diverges }),
  };
}
