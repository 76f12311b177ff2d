/** Proves that the comparison tells each fact that is broken, alone, and none where nothing is: through the translator, in memory. */
import type { Catalogue } from "../check/catalogue.ts";
import type { Example } from "../check/example.ts";
import { namesFrom } from "../check/names.ts";
import { routeOfExchange } from "../check/route.ts";
import { readSubject } from "../check/subject.ts";
import type { AnswerFacts, RequestFacts } from "../interfaces/common/facts/model.ts";
import { factData, hasWord } from "../interfaces/fact-data.ts";
import { factReaders } from "../interfaces/fact-readers.ts";
import { factWriters } from "../interfaces/fact-writers.ts";
import type { Exchange } from "../wire/exchange.ts";
import { type CompareOptions, compareTrip } from "./compare.ts";
import { conversations, madeAnswers, madeRequests } from "./made-samples.ts";
import { breakagesOf, breakFact } from "./translate/break-fact.ts";
import type { Breakage } from "./translate/breakage.ts";
import { carry, requestOf } from "./translate/in-memory.ts";
import { type Change, noChange, type TranslateOptions } from "./translate/translate.ts";
import type { FactComparison, FactSide, Route, Trip } from "./trip.ts";

/** Every route of the translator. */
export const provenRoutes: readonly Route[] = [
  ...conversations.flatMap((from) => conversations.map((to) => ({ from, to }))),
  ...Object.keys(factWriters)
    .filter((name) => !conversations.includes(name))
    .map((name) => ({ from: name, to: name })),
];

/** One way in which one fact of one route was broken, and what was told of it. */
export interface FactProof {
  readonly route: Route;
  readonly side: FactSide;
  readonly fact: string;
  /** Undefined where nothing was broken. */
  readonly how: Breakage | undefined;
  /**
   * `proven`: told alone, or kept where nothing was broken. `silent`: not told. `collateral`: others were told with it.
   * `accused`: told where nothing was broken. `untried`: no example asks or says it so that breaking it shows.
   */
  readonly verdict: "proven" | "silent" | "collateral" | "accused" | "untried";
  readonly outcome?: string;
  /** The example that shows it, and what else was told. */
  readonly why?: string;
}

/** Facts that fall with another one, and why. */
const companions: Readonly<Record<string, readonly string[]>> = {
  // A stream that is no stream has no usage of its own.
  "request stream": ["request stream.usage"],
  // The words of a tool depend on the tools.
  "answer tool-calls": ["answer finish"],
  // An error in place of an answer, or an answer in place of an error, says nothing else.
  "answer error": ["answer streamed", "answer text", "answer usage", "answer finish", "answer choices"],
  "answer choices": ["answer text", "answer tool-calls"],
  // The tools are left out if no tool may be called, and there is no word for that.
  "request tools.choice": ["request tools"],
  // A mark goes with the part that carries it, and a result cannot name a call that is gone.
  ...Object.fromEntries(
    ["image", "document", "tool-call", "tool-result", "tools", "tools.built-in"].map((fact) => [
      `request ${fact}`,
      // The setting for parallel calls stands beside the tools.
      ["request tool-result", "request cache-control", "request tools.parallel"],
    ]),
  ),
  "request cache-control": ["request tools.built-in"],
};

/** A trip that can be made with any change of facts. */
interface Sample {
  readonly id: string;
  readonly make: (change: Change) => Trip | undefined;
}

interface Context {
  readonly route: Route;
  readonly translate: Omit<TranslateOptions, "change">;
  readonly compare: CompareOptions;
}

const nameOf = ({ side, fact }: Pick<FactComparison, "side" | "fact">): string => `${side} ${fact}`;

/** Examples of requests, which nobody answers. */
function requestSamples({ route, translate }: Context, examples: readonly Example[]): readonly Sample[] {
  return examples.map(({ name, exchange }) => ({
    id: name,
    make: (change) => carry(name, exchange.request, route, { ...translate, change }),
  }));
}

function read(
  exchange: Exchange,
  { translate: { catalogue, names } }: Context,
): { request?: RequestFacts | undefined; answer?: AnswerFacts | undefined } {
  const found = routeOfExchange(catalogue.interfaces, exchange);
  const reader = found && factReaders[found.interface.name];
  if (!reader) return {};
  const subject = readSubject(exchange, found, names);
  return { request: reader.request(subject), answer: reader.answer(subject) };
}

/** Examples of answers, given to requests that ask the same of the client's interface. */
function answerSamples(context: Context, examples: readonly Example[]): readonly Sample[] {
  const { route, translate } = context;
  return examples.flatMap(({ name, exchange }) => {
    const { request, answer } = read(exchange, context);
    if (!request || !answer) return [];
    const settings = { ...request.settings, ...(answer.streamed && { "stream.usage": true }) };
    const asked = requestOf(
      route.from,
      { ...request, settings, stream: answer.streamed, model: request.model ?? "any" },
      { ...translate, change: noChange },
    );
    return [
      {
        id: name,
        make: (change: Change) => carry(name, asked, route, { ...translate, change }, { response: exchange.response }),
      },
    ];
  });
}

/** The outcomes on one side of a trip, by fact, except those that are kept. */
function toldOf(trip: Trip, side: FactSide, { route, compare }: Context): readonly FactComparison[] {
  return compareTrip(trip, route, compare).filter((one) => one.side === side);
}

const isTold = ({ outcome }: FactComparison): boolean => outcome !== "kept" && outcome !== "not-shown";

interface ComparedSample {
  readonly sample: Sample;
  readonly before: readonly FactComparison[];
}

/** Breaks one fact of one sample; undefined where that changes nothing. */
function tryOne(
  made: ComparedSample,
  side: FactSide,
  fact: string,
  how: Breakage,
  context: Context,
): Pick<FactProof, "verdict" | "outcome" | "why"> | undefined {
  const trip = made.sample.make(breakFact(side, fact, how));
  if (!trip) return undefined;
  const after = toldOf(trip, side, context);
  const known = new Set(made.before.filter(isTold).map((one) => `${nameOf(one)} ${one.outcome}`));
  const told = after.filter(isTold).filter((one) => !known.has(`${nameOf(one)} ${one.outcome}`));
  // This sample shows nothing if it was reported before, or if the change is a fair conversion.
  if (made.before.some((one) => one.fact === fact && isTold(one))) return undefined;
  if (after.some((one) => one.fact === fact && one.conversion !== undefined)) return undefined;
  const own = told.find((one) => one.fact === fact);
  const others = [...new Set(told.filter((one) => one.fact !== fact).map(nameOf))].filter(
    (one) => !companions[`${side} ${fact}`]?.includes(one),
  );
  if (others.length > 0) return { verdict: "collateral", why: `${made.sample.id}: ${others.join(", ")}` };
  if (!own) {
    const arrived = (list: readonly FactComparison[]): string =>
      JSON.stringify(list.filter((one) => one.fact === fact).map((one) => [one.arrived ?? one.got, one.outcome]));
    return arrived(after) === arrived(made.before) ? undefined : { verdict: "silent", why: made.sample.id };
  }
  return { verdict: "proven", outcome: own.outcome, why: made.sample.id };
}

/** Samples of a fact that are broken in each way. */
const maxSamples = 4;

function proveBroken(
  made: readonly ComparedSample[],
  side: FactSide,
  fact: string,
  how: Breakage,
  context: Context,
): FactProof {
  const { route } = context;
  const asks = (one: ComparedSample): boolean => one.before.some((comparison) => comparison.fact === fact);
  const asking = made.filter(asks);
  const candidates = how === "invent" ? [...made.filter((one) => !asks(one)), ...asking] : asking;
  let proven: Pick<FactProof, "verdict" | "outcome" | "why"> | undefined;
  let shown = 0;
  for (const one of candidates) {
    const result = tryOne(one, side, fact, how, context);
    if (!result) continue;
    if (result.verdict !== "proven") return { route, side, fact, how, ...result };
    proven ??= result;
    if (++shown >= maxSamples) break;
  }
  return { route, side, fact, how, ...(proven ?? { verdict: "untried" }) };
}

/** Whether nothing is told of a fact that has a counterpart, where nothing is broken. */
function proveUnbroken(
  made: readonly ComparedSample[],
  side: FactSide,
  fact: string,
  { route }: Context,
): FactProof | undefined {
  const all = made.flatMap(({ before, sample }) =>
    before.filter((one) => one.fact === fact).map((one) => ({ ...one, id: sample.id })),
  );
  if (all.length === 0) return undefined;
  const accused = all.find(
    ({ outcome }) => outcome !== "kept" && outcome !== "no-counterpart" && outcome !== "not-shown",
  );
  const how = undefined;
  return accused
    ? {
        route,
        side,
        fact,
        how,
        verdict: "accused",
        outcome: accused.outcome,
        why: `${accused.id}: ${accused.why ?? accused.outcome}`,
      }
    : { route, side, fact, how, verdict: "proven" };
}

/** Whether breaking a fact can be seen on a route: both ends have a word for it, or it can be invented. */
function isSeen(side: FactSide, fact: string, how: Breakage, { from, to }: Route): boolean {
  const entry = factData()[side][fact]!;
  // No document has thoughts in answers; services do.
  if (side === "answer" && fact === "thinking") return conversations.includes(from);
  if (side === "answer") return hasWord(entry, from) && (how === "invent" || hasWord(entry, to));
  // Nobody can invent a fact that is always asked, or has to be filled in.
  if (how === "invent" && (entry.required?.[to] ?? entry.required?.[from]) !== undefined) return false;
  return hasWord(entry, to) && (how === "invent" || hasWord(entry, from));
}

function* proveRoute(context: Context, examples: Readonly<Record<string, readonly Example[]>>): Generator<FactProof> {
  const { route, translate } = context;
  const unchanged = { ...translate, change: noChange };
  const good = (name: string): readonly Example[] => (examples[name] ?? []).filter(({ probe }) => !probe);
  const samples: Readonly<Record<FactSide, readonly Sample[]>> = {
    request: requestSamples(context, [...good(route.from), ...madeRequests(route.from, unchanged)]),
    answer: answerSamples(context, [
      ...(examples[route.to] ?? []).filter(({ exchange }) => exchange.response),
      ...madeAnswers(route.to, unchanged),
    ]),
  };
  for (const side of ["request", "answer"] as const) {
    const made = samples[side].flatMap((sample): ComparedSample[] => {
      const trip = sample.make(noChange);
      return trip ? [{ sample, before: toldOf(trip, side, context) }] : [];
    });
    for (const fact of Object.keys(factData()[side])) {
      if (fact === "disconnect") continue;
      const unbroken = proveUnbroken(made, side, fact, context);
      if (unbroken) yield unbroken;
      for (const how of breakagesOf(side, fact))
        if (isSeen(side, fact, how, route)) yield proveBroken(made, side, fact, how, context);
    }
  }
}

/**
 * Proves every fact of every route; takes some seconds for all.
 * @param routes those to prove
 */
export async function* proveFacts(
  catalogue: Catalogue,
  routes: readonly Route[] = provenRoutes,
): AsyncGenerator<FactProof> {
  const { exchanges } = await catalogue.examples();
  const names = namesFrom();
  const translate = { catalogue, names, now: () => 1_750_000_000 };
  for (const route of routes)
    yield* proveRoute({ route, translate, compare: { strict: false, catalogue, names } }, exchanges);
}
