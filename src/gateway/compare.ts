/** Compares by meaning what went into a gateway with what came out of it, at both of its ends. */
import { isTooMuch } from "../check/budget.ts";
import type { Catalogue } from "../check/catalogue.ts";
import type { Names } from "../check/names.ts";
import { routeOfExchange } from "../check/route.ts";
import { readSubject } from "../check/subject.ts";
import type { AnswerFacts, RequestFacts } from "../interfaces/common/facts/model.ts";
import { factReaders } from "../interfaces/fact-readers.ts";
import type { Exchange } from "../wire/exchange.ts";
import { compareCalls } from "./compare/calls.ts";
import { compareConversation } from "./compare/conversation.ts";
import { type Ends, notShown, told } from "./compare/ends.ts";
import { compareDisconnect, compareFailures, compareStreamed } from "./compare/failures.ts";
import { compareFinish } from "./compare/finish.ts";
import { throughLibrary } from "./compare/library.ts";
import { compareMedia } from "./compare/media.ts";
import { asRefused } from "./compare/refusals.ts";
import { choicesOf, compareReplies } from "./compare/replies.ts";
import { compareSettings } from "./compare/settings.ts";
import { compareThinking } from "./compare/thinking.ts";
import { compareTools } from "./compare/tools.ts";
import { compareUsage } from "./compare/usage.ts";
import type { Library } from "./library/library.ts";
import type { FactComparison, Route, Trip } from "./trip.ts";

export interface CompareOptions {
  /** Whether readings of the group G-FACT are taken strictly: all of them, or those named. */
  readonly strict: boolean | ReadonlySet<string>;
  readonly catalogue: Pick<Catalogue, "interfaces">;
  readonly names: Names;
  /** The client library that was asked in the place of a gateway. */
  readonly library?: Library | undefined;
}

interface Read {
  readonly request: RequestFacts | undefined;
  readonly answer: AnswerFacts | undefined;
}

/** The facts of an exchange; undefined where it is none of this interface. */
function read(passed: Exchange, name: string, { catalogue, names }: CompareOptions): Read | undefined {
  const reader = factReaders[name];
  const exchange = reader?.asRead?.(passed) ?? passed;
  const route = routeOfExchange(catalogue.interfaces, exchange);
  if (route?.interface.name !== name || !reader) return undefined;
  const subject = readSubject(exchange, route, names);
  return { request: reader.request(subject), answer: reader.answer(subject) };
}

/** A whole answer that broke off before it could be read. */
const brokenOff: AnswerFacts = { streamed: false, ended: false, choices: [] };

const nothingAsked: RequestFacts = { settings: {}, stream: false, system: [], turns: [] };

function* compareRequest(ends: Ends): Generator<FactComparison> {
  yield* compareSettings(ends);
  yield* compareThinking(ends);
  yield* compareTools(ends);
  yield* compareConversation(ends);
  yield* compareMedia(ends);
  yield* compareCalls(ends);
}

function* compareAnswer(ends: Ends, trip: Trip): Generator<FactComparison> {
  const { answered, got } = ends;
  yield* compareFailures(ends, trip);
  yield* compareStreamed(ends, trip);
  if (!answered || !got || answered.error || got.error || !answered.ended || !got.ended) return;
  yield* compareReplies(ends, { answered, got });
  yield* compareFinish(ends, { answered, got });
  yield* compareUsage(ends, { answered, got });
}

/** The upstream's answer: its last one, or the choices of all where they were asked for one by one. */
function answerOf(reads: readonly Read[], asked: RequestFacts): AnswerFacts | undefined {
  const answers = reads.flatMap(({ answer }) => answer ?? []);
  const wanted = asked.settings["choices"];
  const last = answers.at(-1);
  if (!last || answers.length === 1 || answers.length !== wanted) return last;
  if (answers.some(({ error, choices }) => error || choices.length !== 1)) return last;
  return { ...last, choices: answers.map((answer, index) => ({ ...choicesOf(answer)[0]!, index })) };
}

/** The outcomes of facts if no request arrived. */
function withoutArrival(ends: Ends, trip: Trip): readonly FactComparison[] {
  const error = ends.got?.error;
  const asked = compareRequest(ends);
  if (error && trip.upstream.length === 0) return asRefused(asked, error);
  const why =
    trip.upstream.length > 0
      ? `What arrived is no request of ${ends.route.to} that can be read.`
      : "The gateway answered without asking the upstream.";
  return [...asked]
    .filter((one) => one.asked !== undefined)
    .map(({ fact, asked: value }) => told("request", fact, notShown(why), value, undefined));
}

function compare(trip: Trip, route: Route, options: CompareOptions): FactComparison[] {
  const client = read(trip.client, route.from, options);
  if (!client?.request) return [];
  const asked = client.request;
  const reads = trip.upstream.flatMap((exchange): Read[] => {
    const one = read(exchange, route.to, options);
    const isCut = exchange.aborted === "upstream" && exchange.response !== null;
    return one ? [isCut && !one.answer ? { ...one, answer: brokenOff } : one] : [];
  });
  const arrivals = reads.flatMap(({ request }) => request ?? []);
  const { strict } = options;
  const ends: Ends = {
    route,
    asked,
    arrived: arrivals.at(-1) ?? nothingAsked,
    arrivals,
    answered: answerOf(reads, asked),
    got: client.answer,
    situation: trip.situation,
    isTranslated: route.from !== route.to || options.library !== undefined,
    isStrict: (reading) => (typeof strict === "boolean" ? strict : strict.has(reading)),
  };
  const requests = arrivals.length > 0 ? compareRequest(ends) : withoutArrival(ends, trip);
  // A client that has left gets nothing more.
  const answers = trip.situation === "disconnect" ? compareDisconnect(trip) : compareAnswer(ends, trip);
  const { library } = options;
  const told = library ? throughLibrary(library, [...requests], asked, route.to, trip.client) : requests;
  return [...told, ...answers];
}

/**
 * The outcome of each fact that the client asked and of each that the upstream answered, in a fixed order. Pure, and
 * linear in what was sent; never throws on what the wire carried.
 */
export function compareTrip(trip: Trip, route: Route, options: CompareOptions): FactComparison[] {
  try {
    return compare(trip, route, options);
  } catch (error) {
    // JSON that nests deeper than the stack, or is too large to read, shows nothing.
    if (isTooMuch(error))
      return [told("request", "turns", notShown("There is too much of it to compare."), undefined, undefined)];
    throw error;
  }
}

/**
 * Why a trip shows little, in one sentence; undefined where a request arrived, or where a refusal says what it is for.
 */
export function tripProblem(trip: Trip, comparisons: readonly FactComparison[]): string | undefined {
  if (trip.upstream.length > 0 || trip.situation === "disconnect") return undefined;
  const status = trip.client.response?.status;
  if (status === undefined) return "The gateway gave no answer, and asked the upstream nothing.";
  if (status < 400) return `The gateway answered ${status} without asking the upstream.`;
  if (comparisons.some(({ outcome }) => outcome === "refused")) return undefined;
  return `The gateway refused the request with ${status}, and its message names nothing that the request asks.`;
}
