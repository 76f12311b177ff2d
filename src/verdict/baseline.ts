/** Compares a run with a baseline, the results of the upstream behind its target: what fails in both, here alone, and there alone. */
import { compare } from "../check/finding-order.ts";
import type { ClauseVerdict, Upstream, Verdict, VerdictDocument } from "./document.ts";
import { isInherited } from "./outcome.ts";
import type { Baseline, BaselineClause, Incident, RunResults } from "./run-results.ts";
import { fails } from "./tally.ts";

/** The facts about a baseline that its results do not hold. */
export type BaselineOrigin = Pick<Baseline, "kind" | "started" | "sha256">;

/** Recordings and groups of probes that an outcome names. */
const maxNamed = 10;

/** The sources in which a clause is violated as badly as its verdict says. */
interface ViolatedIn {
  readonly sources: ReadonlySet<string>;
  /** Results list fewer exchanges than violate it. */
  readonly isListedInPart: boolean;
}

const isViolated = ({ verdict }: ClauseVerdict): boolean => verdict === "fail" || verdict === "warning";

/** The sources of each violated clause. Findings are listed in part, so that answers tell the rest. */
function violatedIn({ clauses, findings, answers = [], options }: RunResults): ReadonlyMap<string, ViolatedIn> {
  const places = new Map<string, Map<string, string>>();
  const levels = new Map(clauses.filter(isViolated).map(({ id, verdict }) => [id, verdict]));
  const add = (clause: string, source: string, exchange: number): void => {
    const own = places.get(clause) ?? new Map<string, string>();
    places.set(clause, own.set(`${exchange} ${source}`, source));
  };
  for (const { clause, level, source, exchange } of findings) {
    const verdict = levels.get(clause);
    if (verdict && fails(level, verdict === "fail" ? options.level : "warning")) add(clause, source, exchange);
  }
  const counts = new Map(
    clauses.map(({ id, verdict, failed, warned = 0 }) => [id, verdict === "fail" ? failed : warned]),
  );
  const isShort = (clause: string): boolean => (places.get(clause)?.size ?? 0) < (counts.get(clause) ?? 0);
  const short = new Set([...levels.keys()].filter(isShort));
  for (const { source, exchange, violates = [] } of answers)
    for (const { clause, isNote } of violates) if (!isNote && short.has(clause)) add(clause, source, exchange);
  return new Map(
    [...levels.keys()].map((clause) => [
      clause,
      { sources: new Set(places.get(clause)?.values()), isListedInPart: isShort(clause) },
    ]),
  );
}

/** The part of an upstream's results with which a run is compared. */
export function baselineOf(results: RunResults, origin: BaselineOrigin): Baseline {
  const { target, plan, clauses, incidents, clients = [] } = results;
  const where = violatedIn(results);
  const { name, url } = target;
  return {
    kind: origin.kind,
    ...(name !== undefined && { name }),
    url,
    ...(origin.started !== undefined && { started: origin.started }),
    sha256: origin.sha256,
    recordings: plan.cassettes
      .filter(({ skipped }) => skipped === undefined)
      .map(({ source }) => source)
      .sort(compare),
    probes: plan.probes ?? [],
    passes: clauses.filter(({ verdict }) => verdict === "pass" || verdict === "unenforced").map(({ id }) => id),
    violates: clauses.filter(isViolated).map(({ id, verdict }): BaselineClause => {
      const { sources, isListedInPart } = where.get(id)!;
      return {
        id,
        verdict: verdict as BaselineClause["verdict"],
        sources: [...sources].sort(compare),
        ...(isListedInPart && { isListedInPart }),
      };
    }),
    incidents: incidents.map(({ source, exchange, kind, explainedBy }) => ({
      ...{ source, exchange, kind },
      ...(explainedBy !== undefined && { explainedBy }),
    })),
    unserved: clients
      .filter(({ outcome }) => outcome === "not served")
      .map(({ name: client, because }) => ({ name: client, because })),
  };
}

/** Tells whether the baseline was sent a recording or a group of probes of a run, and answered each of its requests. */
function answeredBy({ recordings, probes, incidents }: Baseline, { plan }: RunResults): (source: string) => boolean {
  const unanswered = new Set(incidents.map(({ source }) => source));
  const answered = new Set(recordings.filter((source) => !unanswered.has(source)));
  const interfaces = new Set([...answered].map((source) => source.split("/")[0]!));
  const here = new Map((plan.probes ?? []).map((one) => [one.interface, one.requests]));
  // A plan counts probes, and names none. As many of one interface are the same ones.
  const probed = new Set(probes.filter((one) => here.get(one.interface) === one.requests).map((one) => one.interface));
  return (source) => {
    const [kind, of = ""] = source.split("/");
    if (kind === "smoke-test") return interfaces.has(of);
    return kind === "probes" ? probed.has(of) && !unanswered.has(source) : answered.has(source);
  };
}

/** How a violated clause stands in the baseline. */
function clauseUpstream(
  { id, verdict }: ClauseVerdict,
  { sources, isListedInPart }: ViolatedIn,
  passes: ReadonlySet<string>,
  violated: BaselineClause | undefined,
  isAnswered: (source: string) => boolean,
): Upstream {
  const own = [...sources].sort(compare);
  const told = (outcome: Upstream["outcome"], only: readonly string[]): Upstream => ({
    outcome,
    ...(only.length > 0 && { onlyIn: only.slice(0, maxNamed) }),
  });
  if (!violated) return { outcome: passes.has(id) && own.some(isAnswered) ? "passes" : "not-shown" };
  // A warning there and a failure here are two things.
  if (verdict === "fail" && violated.verdict === "warning") return { outcome: "differs" };
  if (violated.isListedInPart) return { outcome: "fails" };
  const there = new Set(violated.sources);
  const missing = own.filter((source) => !there.has(source));
  const only = missing.filter(isAnswered);
  if (only.length > 0) return told("differs", only);
  if (own.length > 0 && missing.length === own.length) return { outcome: "not-shown" };
  return { outcome: isListedInPart ? "differs" : "fails" };
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const own = groups.get(keyOf(one));
    if (own) own.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

/** Failures of an upstream that leave a gateway nothing but an error of its own. */
const noAnswer: readonly Incident["kind"][] = ["unanswered", "absent"];

/** How a request that was not answered as recorded stands in the baseline. */
function incidentUpstream(
  { kind, source }: Incident,
  there: readonly Pick<Incident, "kind">[],
  isAnswered: (source: string) => boolean,
): Upstream {
  if (there.some((one) => one.kind === kind || noAnswer.includes(one.kind))) return { outcome: "fails" };
  if (there.some((one) => one.kind !== "rate-limited")) return { outcome: "differs" };
  return { outcome: isAnswered(source) ? "passes" : "not-shown" };
}

/** The results with how each violation and each request without an answer stands in the baseline. They may have been compared before. */
export function withBaseline(results: RunResults, baseline: Baseline): RunResults {
  const isAnswered = answeredBy(baseline, results);
  const where = violatedIn(results);
  const passes = new Set(baseline.passes);
  const violates = new Map(baseline.violates.map((clause) => [clause.id, clause]));
  const unanswered = grouped(baseline.incidents, ({ source }) => source);
  return {
    ...results,
    clauses: results.clauses.map(({ upstream: _earlier, ...clause }) => {
      const own = where.get(clause.id);
      if (!own) return clause;
      return { ...clause, upstream: clauseUpstream(clause, own, passes, violates.get(clause.id), isAnswered) };
    }),
    incidents: results.incidents.map(({ upstream: _earlier, ...incident }) => ({
      ...incident,
      upstream: incidentUpstream(incident, unanswered.get(incident.source) ?? [], isAnswered),
    })),
    baseline,
  };
}

/** Failures that the baseline shares, without those that the target admits to. */
export interface Inherited {
  /** Ids of failing clauses. */
  readonly clauses: readonly string[];
  /** Ids of clauses that are violated at warning level. */
  readonly warnings: readonly string[];
  /** Requests that were not answered as recorded. */
  readonly incidents: readonly Incident[];
}

export function inheritedIn({
  clauses,
  incidents = [],
}: VerdictDocument & Partial<Pick<RunResults, "incidents">>): Inherited {
  const shared = clauses.filter((one) => isInherited(one) && !one.expected);
  const idsOf = (verdict: Verdict): string[] => shared.filter((one) => one.verdict === verdict).map(({ id }) => id);
  return {
    clauses: idsOf("fail"),
    warnings: idsOf("warning"),
    incidents: incidents.filter(
      (one) => isInherited(one) && one.kind !== "rate-limited" && !one.expected && one.explainedBy === undefined,
    ),
  };
}

/** Failures of the baseline that are in order here. */
export interface Mended {
  /** Ids of clauses. */
  readonly clauses: readonly string[];
  /** Recordings and groups of probes with requests that were not answered as recorded. */
  readonly sources: readonly string[];
}

export function mendedIn({ clauses, incidents, plan, baseline }: RunResults): Mended {
  if (!baseline) return { clauses: [], sources: [] };
  const kept = new Set(clauses.filter(({ verdict }) => verdict === "pass").map(({ id }) => id));
  const unanswered = new Set(incidents.map(({ source }) => source));
  const sent = new Set(plan.cassettes.filter(({ skipped }) => skipped === undefined).map(({ source }) => source));
  const failing = baseline.incidents.filter(({ kind }) => kind !== "rate-limited").map(({ source }) => source);
  return {
    clauses: baseline.violates.filter(({ id, verdict }) => verdict === "fail" && kept.has(id)).map(({ id }) => id),
    sources: [...new Set(failing)].filter((source) => sent.has(source) && !unanswered.has(source)).sort(compare),
  };
}

/** Baselines of the shards of one run, as one. */
export function mergeBaselines(all: readonly Baseline[]): Baseline {
  const [first] = all as readonly [Baseline];
  const isOne = first.kind === "results" && all.every(({ sha256 }) => sha256.join() === first.sha256.join());
  if (all.length === 1 || isOne) return first;
  const violates = grouped(
    all.flatMap((one) => one.violates),
    ({ id }) => id,
  );
  const probes = grouped(
    all.flatMap((one) => one.probes),
    (one) => one.interface,
  );
  const { unserved: _unserved, ...facts } = first;
  const sum = (of: readonly number[]): number => of.reduce((total, one) => total + one, 0);
  return {
    ...facts,
    sha256: all.flatMap(({ sha256 }) => sha256),
    recordings: all.flatMap(({ recordings }) => recordings).sort(compare),
    probes: [...probes].map(([of, own]) => ({
      interface: of,
      requests: sum(own.map(({ requests }) => requests)),
      paid: sum(own.map(({ paid }) => paid)),
    })),
    passes: [...new Set(all.flatMap(({ passes }) => passes))].filter((id) => !violates.has(id)).sort(compare),
    violates: [...violates]
      .map(([id, own]): BaselineClause => {
        const verdict = own.some((one) => one.verdict === "fail") ? "fail" : "warning";
        const worst = own.filter((one) => one.verdict === verdict);
        return {
          ...{ id, verdict },
          sources: [...new Set(worst.flatMap(({ sources }) => sources))].sort(compare),
          ...(worst.some((one) => one.isListedInPart) && { isListedInPart: true as const }),
        };
      })
      .sort((a, b) => compare(a.id, b.id)),
    incidents: all.flatMap(({ incidents }) => incidents),
  };
}
