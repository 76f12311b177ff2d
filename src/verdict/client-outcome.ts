/** Says of one client whether a target serves it: by what it did there, or else by the clauses that it cannot do without. */
import { type Client, type Effect, offendingKind } from "./client.ts";
import { asksFor, type Feature } from "./feature-outcome.ts";
import type { ClientOutcome, ClientTrial, FeatureOutcome, Incident, RunResults } from "./run-results.ts";

/** What a run shows of what clients need. */
export interface ClientEvidence {
  readonly features: ReadonlyMap<string, FeatureOutcome>;
  /** Feature to the recordings that ask for it and were sent. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly sent: ReadonlySet<string>;
  readonly incidents: ReadonlyMap<string, readonly Incident[]>;
  /** Recordings that were answered with an error though nothing was wrong with them. */
  readonly errors: ReadonlySet<string>;
  /** Clause to where an answer violated it, and with what. */
  readonly violations: ReadonlyMap<string, readonly Violation[]>;
  /** Clauses that every answer violated which could, in more exchanges than results list. */
  readonly everywhere: ReadonlySet<string>;
  /** By client and scenario. */
  readonly trials: ReadonlyMap<string, ClientTrial>;
}

interface Violation {
  readonly source: string;
  readonly exchange: number;
  readonly kind: string;
}

/** What one scenario of a client came to. */
interface State {
  readonly is: "fine" | "faulty" | "harmed" | "not offered" | "not shown";
  readonly because: readonly string[];
}

/** Reads what clients need to know once for all of them. */
export function clientEvidence(
  { plan, clauses, incidents, findings, answers = [], trials = [] }: RunResults,
  features: readonly Feature[],
  outcomes: ReadonlyMap<string, FeatureOutcome>,
): ClientEvidence {
  // Where some clauses alone are judged, the others show nothing of a client.
  const cassettes = plan.clauses.length > 0 ? [] : plan.cassettes.filter(({ skipped }) => skipped === undefined);
  const bySource = new Map<string, Incident[]>();
  for (const one of incidents) bySource.set(one.source, [...(bySource.get(one.source) ?? []), one]);
  const violations = new Map<string, Violation[]>();
  for (const finding of findings) {
    if (finding.side !== "response") continue;
    const own = violations.get(finding.clause) ?? [];
    if (own.length === 0) violations.set(finding.clause, own);
    own.push({ source: finding.source, exchange: finding.exchange, kind: offendingKind(finding) });
  }
  const listed = (clause: string): number =>
    new Set((violations.get(clause) ?? []).map(({ source, exchange }) => `${source} ${exchange}`)).size;
  return {
    features: outcomes,
    sources: new Map(
      features.map((feature) => [
        feature.name,
        cassettes.filter((cassette) => asksFor(feature, cassette)).map(({ source }) => source),
      ]),
    ),
    sent: new Set(cassettes.map(({ source }) => source)),
    incidents: bySource,
    errors: new Set(answers.filter(({ isError }) => isError).map(({ source }) => source)),
    violations,
    everywhere: new Set(
      clauses
        .filter(({ id, exercised, failed, warned = 0 }) => failed + warned === exercised && listed(id) < exercised)
        .map(({ id }) => id),
    ),
    trials: new Map(trials.map((trial) => [`${trial.client} ${trial.scenario}`, trial])),
  };
}

/** What a run showed of one client. What was seen of the client itself stands above what follows from clauses. */
export function clientOutcome(client: Client, evidence: ClientEvidence): ClientOutcome {
  const { name, package: of } = client;
  const trials = Object.keys(client.scenarios).flatMap((scenario) => evidence.trials.get(`${name} ${scenario}`) ?? []);
  const predicted = outcomeOf(client, (scenario) => predictedState(client, scenario, evidence));
  if (!trials.some(({ outcome }) => outcome !== "not shown"))
    return { name, package: of, version: client.version, by: "predicted", ...predicted };
  const seen = outcomeOf(client, (scenario) => {
    const expected = predictedState(client, scenario, evidence);
    const trial = evidence.trials.get(`${name} ${scenario}`);
    return trial ? seenState(trial, expected) : expected;
  });
  const version = trials.find((trial) => trial.version !== undefined)?.version ?? client.version;
  return { name, package: of, version, by: "seen", ...seen, predicted: predicted.outcome };
}

const isOfErrors = ({ scenarios }: Client, scenario: string): boolean =>
  scenarios[scenario]!.features.every((feature) => feature.endsWith("/errors"));

function outcomeOf(client: Client, stateOf: (scenario: string) => State): Pick<ClientOutcome, "outcome" | "because"> {
  const all = Object.keys(client.scenarios).map((scenario) => ({
    ...stateOf(scenario),
    ofErrors: isOfErrors(client, scenario),
  }));
  // How errors reach a client that asked for something wrong keeps nobody from using it.
  const main = all.filter(({ ofErrors }) => !ofErrors);
  const told = (states: readonly State[]): string[] => [...new Set(states.flatMap(({ because }) => because))];
  const which = (...states: readonly State["is"][]): typeof all => main.filter(({ is }) => states.includes(is));
  if (which("harmed").length > 0) return { outcome: "not served", because: told(which("harmed")) };
  if (which("not shown").length > 0 || which("fine", "faulty").length === 0)
    return { outcome: "not shown", because: told(which("not shown", "not offered")) };
  const faulty = [
    ...which("faulty", "not offered"),
    ...all.filter(({ is, ofErrors }) => ofErrors && (is === "faulty" || is === "harmed")),
  ];
  return { outcome: faulty.length > 0 ? "served, with faults" : "served", because: told(faulty) };
}

const harmful: readonly string[] = ["throws", "drops", "mixes", "waits"] satisfies Effect[];

/** What a trial shows; what is expected where it could not show anything. */
function seenState({ scenario, outcome, detail }: ClientTrial, expected: State): State {
  const because = [`${scenario}: ${detail === "" ? outcome : `${outcome}: ${detail}`}`];
  // What it meets where there is nothing for it is no fault of what is there.
  if (outcome !== "fine" && expected.is === "not offered") return expected;
  if (outcome === "fine") return { is: "fine", because: [] };
  if (harmful.includes(outcome))
    return { is: "harmed", because: [...because, ...(expected.is === "harmed" ? expected.because : [])] };
  if (outcome === "asks again") return { is: "faulty", because };
  if (outcome !== "refused") return expected;
  return { is: "not shown", because };
}

/** What follows of one scenario from how requests like its own were answered. */
function predictedState({ scenarios, needs }: Client, scenario: string, evidence: ClientEvidence): State {
  const { features, like, laws = [] } = scenarios[scenario]!;
  const outcomes = features.map((feature) => evidence.features.get(feature)!);
  const all = new Set(features.flatMap((feature) => evidence.sources.get(feature) ?? []));
  const alike = like.filter((source) => evidence.sent.has(source));
  // Recordings of one's own have other names.
  const path = new Set(alike.length > 0 ? alike : all);
  const told = (outcome: string): string[] =>
    outcomes.filter((one) => one.outcome === outcome).map((one) => `${one.name}: ${outcome}`);
  if (told("not offered").length > 0) return { is: "not offered", because: told("not offered") };
  const violated = needs
    .filter((need) => need.scenario === scenario)
    .flatMap(({ clause, effect, when }) => {
      const own = (evidence.violations.get(clause) ?? []).filter(({ kind }) => when?.includes(kind) ?? true);
      // What comes later in a recording is not where a client begins: there it may ask for less of an answer.
      const isListed = own.some(({ source, exchange }) => exchange === 0 && path.has(source));
      const isOnPath = isListed || (own.length > 0 && path.size > 0 && evidence.everywhere.has(clause));
      const beside = own.find(({ source }) => all.has(source));
      if (!isOnPath && !beside) return [];
      const because = isOnPath ? `${clause}: ${effect}` : `${clause}: ${effect}, in ${beside!.source}`;
      return [{ isHarmful: isOnPath && harmful.includes(effect), because }];
    });
  const harm = violated.filter(({ isHarmful }) => isHarmful).map(({ because }) => because);
  // A law compares answers to one request, and so speaks of all that are asked alike.
  for (const law of laws)
    if (evidence.violations.has(law)) harm.push(`${law}: its answers are not what the model said`);
  const failing = [...path].find((source) => evidence.errors.has(source));
  if (failing !== undefined) harm.push(`${failing}: the answer ends in an error`);
  if (harm.length > 0) return { is: "harmed", because: harm };
  const unanswered = [...path].flatMap((source) => evidence.incidents.get(source) ?? []);
  const failed = unanswered.filter(({ kind }) => kind === "server-error" || kind === "unanswered");
  const tell = ({ source, problem }: Incident): string => `${source}: ${problem}`;
  if (failed.length > 0) return { is: "harmed", because: failed.map(tell) };
  if (path.size === 0) return { is: "not shown", because: features.map((feature) => `${feature}: not asked`) };
  if (unanswered.length > 0) return { is: "not shown", because: unanswered.map(tell) };
  if (told("not shown").length > 0) return { is: "not shown", because: told("not shown") };
  const faults = [...told("broken"), ...told("works, with faults"), ...violated.map(({ because }) => because)];
  return faults.length > 0 ? { is: "faulty", because: faults } : { is: "fine", because: [] };
}
