/** Says of one client whether a target serves it: by what it did there, or else by the clauses that it cannot do without. */
import { type Client, type Effect, isNeeded } from "./client.ts";
import { asksFor, type Feature, isEmpty, isGood, isShownByParts } from "./feature-outcome.ts";
import type { ClientOutcome, ClientTrial, FeatureOutcome, Incident, RunResults } from "./run-results.ts";
import type { Violation } from "./violations.ts";

/** The evidence of a run about the needs of clients. */
export interface ClientEvidence {
  readonly features: ReadonlyMap<string, FeatureOutcome>;
  /** Feature to the recordings that ask for it and were sent. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly sent: ReadonlySet<string>;
  readonly incidents: ReadonlyMap<string, readonly Incident[]>;
  /** Recordings that were answered with an error though nothing was wrong with them. */
  readonly errors: ReadonlySet<string>;
  /** Feature to the recordings whose first answer lacks what each answer to it holds. */
  readonly empty: ReadonlyMap<string, ReadonlySet<string>>;
  /** Feature whose replies show it by what they hold to the recordings with such a reply. */
  readonly holding: ReadonlyMap<string, ReadonlySet<string>>;
  /** Clause to where answers violated it, and with what. */
  readonly violations: ReadonlyMap<string, readonly Violation[]>;
  /** By client and scenario. */
  readonly trials: ReadonlyMap<string, ClientTrial>;
}

/** The outcome of one scenario of a client. */
interface State {
  readonly is: "fine" | "faulty" | "harmed" | "not offered" | "not shown";
  readonly by: ClientOutcome["by"];
  readonly because: readonly string[];
  /** It ends well, and yet nobody can use what came. */
  readonly isGarbled?: boolean;
}

/** Reads what clients need to know once for all of them. */
export function clientEvidence(
  { plan, incidents, answers = [], trials = [] }: RunResults,
  found: readonly Violation[],
  features: readonly Feature[],
  outcomes: ReadonlyMap<string, FeatureOutcome>,
): ClientEvidence {
  // If some clauses alone are judged, the others show nothing of a client.
  const cassettes = plan.clauses.length > 0 ? [] : plan.cassettes.filter(({ skipped }) => skipped === undefined);
  const bySource = new Map<string, Incident[]>();
  for (const one of incidents) bySource.set(one.source, [...(bySource.get(one.source) ?? []), one]);
  const violations = new Map<string, Violation[]>();
  for (const one of found) {
    const own = violations.get(one.clause);
    if (own) own.push(one);
    else violations.set(one.clause, [one]);
  }
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
    empty: new Map(
      features.map((feature) => [
        feature.name,
        new Set(answers.filter((one) => one.exchange === 0 && isEmpty(feature, one)).map(({ source }) => source)),
      ]),
    ),
    holding: new Map(
      features.flatMap((feature) => {
        const { name, shownBy } = feature;
        if (!shownBy || !isShownByParts(feature)) return [];
        const good = answers.filter((one) => isGood(one) && shownBy.some((sign) => one.holds.includes(sign)));
        return [[name, new Set(good.map(({ source }) => source))]];
      }),
    ),
    violations,
    trials: new Map(trials.map((trial) => [`${trial.client} ${trial.scenario}`, trial])),
  };
}

/** The outcome of one client. An observation of the client itself outweighs what follows from clauses. */
export function clientOutcome(client: Client, evidence: ClientEvidence): ClientOutcome {
  const { name, package: of } = client;
  const trials = Object.keys(client.scenarios).flatMap((scenario) => evidence.trials.get(`${name} ${scenario}`) ?? []);
  const predicted = outcomeOf(client, (scenario) => predictedState(client, scenario, evidence));
  const told = outcomeOf(client, (scenario) => {
    const expected = predictedState(client, scenario, evidence);
    const trial = evidence.trials.get(`${name} ${scenario}`);
    return trial ? seenState(trial, expected) : expected;
  });
  const version = trials.find((trial) => trial.version !== undefined)?.version ?? client.version;
  return { name, package: of, version, ...told, ...(told.by === "seen" && { predicted: predicted.outcome }) };
}

const isOfErrors = ({ scenarios }: Client, scenario: string): boolean =>
  scenarios[scenario]!.features.every((feature) => feature.endsWith("/errors"));

/** `seen` rests on the client alone: one failing scenario shows that it fails, and all scenarios must work to show that it works. */
function outcomeOf(
  client: Client,
  stateOf: (scenario: string) => State,
): Pick<ClientOutcome, "by" | "outcome" | "because"> {
  const all = Object.keys(client.scenarios).map((scenario) => ({
    ...stateOf(scenario),
    ofErrors: isOfErrors(client, scenario),
  }));
  // How errors reach a client that asked for something wrong keeps nobody from using it.
  const main = all.filter(({ ofErrors }) => !ofErrors);
  const which = (...states: readonly State["is"][]): typeof all => main.filter(({ is }) => states.includes(is));
  const told = (outcome: ClientOutcome["outcome"], states: readonly State[], isSeen: boolean) => {
    const seenFirst = [...states].sort((a, b) => Number(b.by === "seen") - Number(a.by === "seen"));
    const because = [...new Set(seenFirst.flatMap((state) => state.because))];
    return { by: isSeen ? ("seen" as const) : ("predicted" as const), outcome, because };
  };
  const isSeen = ({ by }: State): boolean => by === "seen";
  const harmed = which("harmed");
  if (harmed.length > 0) return told("not served", harmed, harmed.some(isSeen));
  const missing = which("not shown", "not offered");
  if (which("not shown").length > 0 || which("fine", "faulty").length === 0)
    return told("not shown", missing, missing.some(isSeen));
  const faulty = [
    ...which("faulty", "not offered"),
    ...all.filter(({ is, ofErrors }) => ofErrors && (is === "faulty" || is === "harmed")),
  ];
  return told(faulty.length > 0 ? "served, with faults" : "served", faulty, which("fine", "faulty").every(isSeen));
}

const harmful: readonly string[] = ["throws", "drops", "mixes", "waits"] satisfies Effect[];

/** The state that a trial shows; the expected one if it could not show anything. */
function seenState({ scenario, outcome, detail }: ClientTrial, expected: State): State {
  const seen = (is: State["is"]): State => {
    const because = is === "fine" ? [] : [`${scenario}: ${detail === "" ? outcome : `${outcome}: ${detail}`}`];
    return { is, by: "seen", because };
  };
  // A client cannot know what the model said.
  if (outcome === "fine") return expected.isGarbled ? expected : seen("fine");
  // A client that finds nothing there shows no fault of what is there.
  if (expected.is === "not offered") return expected;
  if (harmful.includes(outcome)) {
    const { because, ...state } = seen("harmed");
    return { ...state, because: [...because, ...(expected.is === "harmed" ? expected.because : [])] };
  }
  if (outcome === "asks again") return seen("faulty");
  return outcome === "refused" ? seen("not shown") : expected;
}

/** The problem of a request, in a word or two: the incident beside it says more. */
const shortly: Readonly<Record<Incident["kind"], string>> = {
  refused: "refused",
  "server-error": "a server error",
  unanswered: "no answer",
  absent: "not offered",
  "rate-limited": "rate limited",
};

/** The state of one scenario that follows from the answers to requests like its own. */
function predictedState({ scenarios, needs }: Client, scenario: string, evidence: ClientEvidence): State {
  const by = "predicted";
  const { features, like, laws = [] } = scenarios[scenario]!;
  const outcomes = features.map((feature) => evidence.features.get(feature)!);
  const all = new Set(features.flatMap((feature) => evidence.sources.get(feature) ?? []));
  const alike = like.filter((source) => evidence.sent.has(source));
  // Recordings of one's own have other names.
  const path = new Set(alike.length > 0 ? alike : all);
  const told = (outcome: string): string[] =>
    outcomes.filter((one) => one.outcome === outcome).map((one) => `${one.name}: ${outcome}`);
  if (told("not offered").length > 0) return { is: "not offered", by, because: told("not offered") };
  const violated = needs
    .filter((need) => need.scenario === scenario)
    .flatMap((need) => {
      const { clause, request = 0, effect } = need;
      const own = (evidence.violations.get(clause) ?? []).filter((one) => isNeeded(need, one));
      // Answers to later requests of a recording are those that a client gets which asks that often.
      const isOnPath = own.some(({ source, exchange }) => exchange === request && path.has(source));
      const beside = own.find(({ source }) => all.has(source));
      if (!isOnPath && !beside) return [];
      const because = isOnPath ? `${clause}: ${effect}` : `${clause}: ${effect}, in ${beside!.source}`;
      return [{ isHarmful: isOnPath && harmful.includes(effect), because }];
    });
  const harm = violated.filter(({ isHarmful }) => isHarmful).map(({ because }) => because);
  // A law compares answers to one request, and so speaks of all that are asked alike.
  const garbled = laws.filter((law) => evidence.violations.get(law)?.some(({ isNote }) => !isNote));
  harm.push(...garbled.map((law) => `${law}: its answers are not what the model said`));
  const failing = [...path].find((source) => evidence.errors.has(source));
  if (failing !== undefined) harm.push(`${failing}: the answer ends in an error`);
  for (const feature of features) {
    const empty = [...path].find((source) => evidence.empty.get(feature)?.has(source));
    if (empty !== undefined) harm.push(`${empty}: the answer holds nothing`);
  }
  if (harm.length > 0) return { is: "harmed", by, because: harm, isGarbled: garbled.length > 0 };
  const unanswered = [...path].flatMap((source) => evidence.incidents.get(source) ?? []);
  const failed = unanswered.filter(({ kind }) => kind === "server-error" || kind === "unanswered");
  const tell = ({ source, kind }: Incident): string => `${source}: ${shortly[kind]}`;
  if (failed.length > 0) return { is: "harmed", by, because: failed.map(tell) };
  if (path.size === 0) return { is: "not shown", by, because: features.map((feature) => `${feature}: not asked`) };
  if (unanswered.length > 0) return { is: "not shown", by, because: unanswered.map(tell) };
  if (told("not shown").length > 0) return { is: "not shown", by, because: told("not shown") };
  // Answers may pass every clause of the client and still lack the call or the picture that it asked for.
  const missing = outcomes.filter(({ name, outcome }) => {
    const holding = evidence.holding.get(name);
    return outcome === "broken" && holding !== undefined && ![...path].some((source) => holding.has(source));
  });
  if (missing.length > 0)
    return { is: "not shown", by, because: missing.map(({ name }) => `${name}: broken, and no answer shows it`) };
  const faults = [...told("broken"), ...told("works, with faults"), ...violated.map(({ because }) => because)];
  return faults.length > 0 ? { is: "faulty", by, because: faults } : { is: "fine", by, because: [] };
}
