/** Makes of trips the document that tells what a gateway keeps. Pure: the same trips in any order give the same document. */
import { compare } from "../check/finding-order.ts";
import { routeOf } from "../check/route.ts";
import { saysAbsent } from "../run/judge/request-failure.ts";
import { curlOf } from "../run/send/curl.ts";
import type { Secret } from "../run/send/secrets.ts";
import type { WireRequest } from "../wire/exchange.ts";
import type {
  FactExample,
  FactResult,
  GatewayDocument,
  GatewayFacts,
  GatewaySettings,
  NotOffered,
} from "./document.ts";
import { judgeTrips, type TripJudging } from "./judge-trips.ts";
import { messagesOf } from "./messages.ts";
import { type FactComparison, type FactOutcome, type FactSide, factOutcomes, type Trip } from "./trip.ts";

/** A fact of the catalogue, as far as the document names it. */
export interface NamedFact {
  readonly name: string;
  readonly side: FactSide;
  readonly says: string;
}

export interface DocumentTerms extends TripJudging {
  /** All facts, told or not. */
  readonly facts: readonly NamedFact[];
  /** The outcome of each fact on a trip. */
  readonly compare: (trip: Trip) => readonly FactComparison[];
}

/** Examples of the worst outcome of a fact. */
const maxExamples = 3;

const lost: ReadonlySet<FactOutcome> = new Set(["dropped", "changed", "invented"]);

/** Facts that somebody says must not be lost. */
type Demands = Pick<GatewaySettings, "gate" | "keep">;

function levelOf(fact: string, outcome: FactOutcome, { gate, keep }: Demands): FactResult["level"] {
  if (lost.has(outcome)) return gate === "fidelity" || keep.includes(fact) ? "error" : "warning";
  return outcome === "no-counterpart" || outcome === "refused" ? "note" : null;
}

/** The request as a command; what was masked in it stands as the variables that the options name. */
function commandOf(
  { client: { origin, request } }: Trip,
  { keys, headers, client }: GatewaySettings,
): string | undefined {
  // No command can send a call of a library.
  if (origin === undefined || client !== undefined) return undefined;
  const secrets: Secret[] = [];
  const [key = "$TOUCHSTONE_KEY"] = Object.values(keys);
  const standFor = (variable: string): string => {
    const value = `[masked-${variable}]`;
    if (!secrets.some((secret) => secret.value === value)) secrets.push({ value, variable });
    return value;
  };
  const givenAs = (name: string): string | undefined =>
    headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
  const variableOf = (text = key): string | undefined => /\$(\w+)$/.exec(text)?.[1];
  const standForKey = (): string => standFor(variableOf() ?? "TOUCHSTONE_KEY");
  /** Evidence masks each header that nobody knows; one that the user gave is only a secret if the options say so. */
  const unmask = (name: string, value: string): string => {
    if (!value.includes("[redacted]")) return value;
    const given = givenAs(name);
    if (given === undefined) return value.replace("[redacted]", standForKey());
    const variable = variableOf(given);
    return variable === undefined ? given : value.replace("[redacted]", standFor(variable));
  };
  const unmasked: WireRequest = {
    ...request,
    target: request.target.replace(/=(?:\[redacted\]|%5Bredacted%5D)/gi, `=${standForKey()}`),
    headers: request.headers.map(([name, value]) => [name, unmask(name, value)]),
  };
  return curlOf(origin, unmasked, secrets);
}

function exampleOf(trip: Trip, found: FactComparison, settings: GatewaySettings): FactExample {
  const { outcome, asked, arrived, answered, got, conversion, why } = found;
  const messages = messagesOf(trip);
  const curl = commandOf(trip, settings);
  return {
    trip: trip.id,
    outcome,
    asked: asked ?? messages.asked,
    arrived: arrived ?? messages.arrived,
    answered: answered ?? messages.answered,
    got: got ?? messages.got,
    ...(conversion !== undefined && { conversion }),
    ...(why !== undefined && { why }),
    ...(curl !== undefined && { curl }),
  };
}

const rank = (outcome: FactOutcome): number => factOutcomes.indexOf(outcome);

function resultOf(
  { name, side, says }: NamedFact,
  found: readonly (readonly [Trip, FactComparison])[],
  settings: GatewaySettings,
): FactResult {
  const outcomes = Object.fromEntries(factOutcomes.map((outcome) => [outcome, 0])) as Record<FactOutcome, number>;
  for (const [, { outcome }] of found) outcomes[outcome]++;
  const seen = factOutcomes.filter((outcome) => outcomes[outcome] > 0 && outcome !== "not-shown");
  const [outcome = "not-shown"] = seen;
  const of = (one: FactOutcome, most: number): FactExample[] =>
    found
      .filter(([, comparison]) => comparison.outcome === one)
      .slice(0, most)
      .map(([trip, comparison]) => exampleOf(trip, comparison, settings));
  return {
    fact: name,
    side,
    says,
    outcome,
    level: levelOf(name, outcome, settings),
    count: outcomes[outcome],
    outcomes,
    examples: seen.flatMap((one) => of(one, one === outcome ? maxExamples : 1)),
  };
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The operation that a trip asked for, as the documents name it. */
const operationOf = ({ client: { request } }: Trip, { catalogue }: DocumentTerms): string =>
  routeOf(catalogue.interfaces, request.method, request.target)?.operation.name ?? request.method;

/** Operations of which nothing arrived, and every request was answered as one to a path that is not there. */
function notOfferedIn(trips: readonly Trip[], terms: DocumentTerms): NotOffered[] {
  const byOperation = groupedBy(trips, (trip) => operationOf(trip, terms));
  return [...byOperation]
    .filter(([, own]) => own.every(({ client, upstream }) => upstream.length === 0 && saysAbsent(client.response)))
    .map(([operation, own]) => ({ operation, status: own[0]!.client.response!.status, requests: own.length }))
    .sort((a, b) => compare(a.operation, b.operation));
}

/** The document of a route. @param complete whether all trips that were planned were made */
export function gatewayDocument(
  known: GatewayFacts,
  trips: readonly Trip[],
  terms: DocumentTerms,
  complete: boolean,
): GatewayDocument {
  const sorted = [...trips].sort((a, b) => compare(a.id, b.id));
  const notOffered = notOfferedIn(sorted, terms);
  const absent = new Set(notOffered.map(({ operation }) => operation));
  const made = sorted.filter((trip) => !absent.has(operationOf(trip, terms)));
  const found = made.flatMap((trip) => terms.compare(trip).map((one) => [trip, one] as const));
  const byFact = groupedBy(found, ([, { fact, side }]) => `${side} ${fact}`);
  const facts = terms.facts.map((fact) => resultOf(fact, byFact.get(`${fact.side} ${fact.name}`) ?? [], known.options));
  const { complete: isComplete, ...verdicts } = judgeTrips(made, known.route, terms, complete);
  return {
    complete: isComplete,
    kind: "gateway",
    ...known,
    facts: facts.sort(
      (a, b) => rank(a.outcome) - rank(b.outcome) || compare(b.side, a.side) || compare(a.fact, b.fact),
    ),
    notOffered,
    ended: sorted.flatMap(({ id, ended }) => (ended === undefined ? [] : [{ trip: id, how: ended }])),
    trips: trips.length,
    ...verdicts,
  };
}
