/** Puts together what `run --format json` prints: verdicts, and what the run was. */
import type { Catalogue } from "../check/catalogue.ts";
import type { Divergence, Level } from "../check/clause.ts";
import { byExchange } from "../check/finding-order.ts";
import { applyExpectations, createPlaces } from "./apply-expectations.ts";
import { differencesOf, explainedDocument } from "./divergence.ts";
import type { Expectation } from "./document.ts";
import { type Evidence, missedEvidence } from "./evidence.ts";
import { lackNamesOf } from "./lacked-names.ts";
import type { AnswerSigns, Incident, Plan, RunResults, UnansweredRequest } from "./run-results.ts";
import type { Answers } from "./sent-record.ts";
import { createTally } from "./tally.ts";

/** The evidence of one cassette, and the records it follows from. Plain data: it crosses from the suites to the run. */
export interface Outcome extends Answers {
  readonly source: string;
  readonly evidence: readonly Evidence[];
  /** Exchanges that could not show all that their recording shows. */
  readonly unshown: readonly Unshown[];
  readonly incidents: readonly Incident[];
  /** Requests that were never answered, without an incident; absent if there are none. */
  readonly unanswered?: readonly UnansweredRequest[];
  /** The signs in its answers besides clauses; probes leave it empty. */
  readonly signs: readonly AnswerSigns[];
  readonly reproduce: RunResults["reproduce"];
}

export interface Unshown {
  readonly exchange: number;
  readonly verdict: "no-verdict" | "broken";
  readonly why: string;
  /** Clauses the answer showed nevertheless. */
  readonly except: readonly string[];
}

/** Clauses on answers that a recorded exchange shows: what a target's own answer should show too. */
export type ClausesShown = (source: string, exchange: number) => readonly string[];

/** The facts that are known before anything is sent. */
export type RunFacts = Pick<RunResults, "target" | "plan" | "shard" | "options" | "versions" | "documents">;

export interface Terms {
  readonly expectations: readonly Expectation[] | undefined;
  readonly failsAt: Level;
  readonly diverges: readonly Divergence[];
  /** `YYYY-MM-DD` */
  readonly today: string;
}

const answerable = new WeakMap<object, ReadonlySet<string>>();

/** Whether an answer can decide a clause at all: a rule about requests alone speaks of the client, here of us. */
export function onAnswers({ clauses }: Pick<Catalogue, "clauses">): ReadonlySet<string> {
  const known = answerable.get(clauses);
  if (known) return known;
  const ids = clauses.filter(({ on, kind }) => on !== "request" && kind !== "unobservable").map(({ id }) => id);
  const set: ReadonlySet<string> = new Set(ids);
  answerable.set(clauses, set);
  return set;
}

/** Results of a run. Outcomes in any order give the same document. */
export function resultsOf(
  facts: RunFacts,
  outcomes: readonly Outcome[],
  shown: ClausesShown,
  catalogue: Pick<Catalogue, "clauses">,
  { expectations, failsAt, diverges, today }: Terms,
  complete: boolean,
): RunResults {
  const { plan } = facts;
  const tally = createTally(clausesInScope(plan, outcomes, catalogue), failsAt);
  for (const evidence of allEvidence(plan, outcomes, shown, catalogue)) tally.add(evidence);
  // Requests that need what the target lacks were not sent; an answer that ignores this unasked tells nothing new.
  const incidents = outcomes
    .flatMap((outcome) => outcome.incidents)
    .filter(({ needs }) => !needs.some((need) => plan.lacks.includes(need)))
    .sort(byExchange);
  const document = explainedDocument(tally.document(complete), differencesOf(diverges));
  const failed = new Set(incidents.map(({ source }) => source));
  const answered = new Set(outcomes.map(({ source }) => source).filter((source) => !failed.has(source)));
  const limited = incidents.some(({ kind }) => kind === "rate-limited");
  const whole =
    complete &&
    !limited &&
    facts.shard === null &&
    plan.sections.length === 0 &&
    !plan.scenarios &&
    plan.limit === null;
  const places = createPlaces(expectations ?? [], catalogue.clauses);
  for (const { source, evidence } of outcomes) places.addEvidence(source, evidence, failsAt);
  const happened = { clauses: document.clauses, incidents, seen: places.all() };
  const applied = expectations && applyExpectations(expectations, happened, answered, today, whole);
  const unanswered = outcomes.flatMap((outcome) => outcome.unanswered ?? []).sort(byExchange);
  return {
    complete,
    summary: document.summary,
    target: facts.target,
    plan,
    shard: facts.shard,
    options: facts.options,
    findings: document.findings,
    groups: document.groups,
    unjudged: document.unjudged,
    incidents: applied?.incidents ?? incidents,
    ...(unanswered.length > 0 && { unanswered }),
    answers: outcomes.flatMap((outcome) => outcome.signs).sort(byExchange),
    clauses: applied?.clauses ?? document.clauses,
    expectations: applied?.outcome ?? null,
    reproduce: outcomes.flatMap((outcome) => outcome.reproduce).sort(byExchange),
    versions: facts.versions,
    documents: facts.documents,
    ...(document.inferred && { inferred: document.inferred }),
  };
}

/** The evidence that was judged, and gaps in it: exchanges that could not show all, and cassettes that were left out. */
function* allEvidence(
  plan: Plan,
  outcomes: readonly Outcome[],
  shown: ClausesShown,
  catalogue: Pick<Catalogue, "clauses">,
): Generator<Evidence> {
  for (const { source, evidence, unshown } of outcomes) {
    yield* evidence;
    for (const { exchange, verdict, why, except } of unshown) {
      const clauses = shown(source, exchange).filter((id) => !except.includes(id));
      yield missedEvidence({ clauses, verdict, why });
    }
  }
  for (const [why, clauses] of lackedClauses(plan, catalogue))
    yield missedEvidence({ clauses, verdict: "skipped", why });
  for (const { source, exchanges, skipped } of plan.cassettes)
    for (let exchange = 0; skipped !== undefined && exchange < exchanges; exchange++)
      yield missedEvidence({ clauses: shown(source, exchange), verdict: "skipped", why: skipped });
}

/** All clauses on answers of the interfaces and sections that a target lacks, and those that no probe is left for, by what is lacked. */
function lackedClauses(
  { lacks, lackedProbes = {} }: Plan,
  catalogue: Pick<Catalogue, "clauses">,
): Map<string, readonly string[]> {
  const decidable = onAnswers(catalogue);
  const lacked = new Map(Object.entries(lackedProbes).map(([need, clauses]) => [need, new Set(clauses)]));
  for (const { id, interface: of, section } of catalogue.clauses) {
    const name = lackNamesOf(of, section).find((one) => lacks.includes(one));
    if (name === undefined || !decidable.has(id)) continue;
    lacked.set(name, (lacked.get(name) ?? new Set()).add(id));
  }
  return new Map([...lacked].map(([name, ids]) => [name, [...ids]]));
}

/** Clauses that answers can decide, within the filters, and whatever else was seen along the way. */
function clausesInScope(
  plan: Plan,
  outcomes: readonly Outcome[],
  catalogue: Pick<Catalogue, "clauses">,
): Catalogue["clauses"] {
  const decidable = onAnswers(catalogue);
  const seen = new Set(
    outcomes.flatMap(({ evidence }) =>
      evidence.flatMap(({ exercised, groups, missed }) => [
        ...exercised,
        ...groups.map(({ clause }) => clause),
        ...missed.flatMap(({ clauses }) => clauses),
      ]),
    ),
  );
  for (const ids of lackedClauses(plan, catalogue).values()) for (const id of ids) seen.add(id);
  return catalogue.clauses.filter(({ id, interface: of, section }) => {
    if (plan.clauses.length > 0) return plan.clauses.includes(id);
    if (plan.interfaces.length > 0 && !plan.interfaces.includes(of)) return false;
    const inSection =
      plan.sections.length === 0 || plan.sections.includes(section) || plan.sections.includes(`${of}/${section}`);
    return seen.has(id) || (inSection && decidable.has(id));
  });
}
