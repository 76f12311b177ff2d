/** The questions for a gateway: recordings and twins of the probes, whole and streamed, each with the upstream's behaviour. Pure. */
import { createHash } from "node:crypto";
import type { Bind } from "../cassette/format.ts";
import type { Interface } from "../check/interface.ts";
import type { RequestForms } from "../check/interface-signs.ts";
import { type Bindings, namesFrom } from "../check/names.ts";
import { isKind } from "../check/neutral-names.ts";
import type { Probes } from "../check/probe.ts";
import { routeOfExchange } from "../check/route.ts";
import { readSubject } from "../check/subject.ts";
import { factReaders } from "../interfaces/fact-readers.ts";
import { modelOf } from "../interfaces/model.ts";
import { needsShownBy } from "../interfaces/needs.ts";
import type { Recording } from "../run/plan/recordings.ts";
import { hasModelOf, type Target } from "../run/plan/target.ts";
import { beginsWell } from "../run/reach/reach.ts";
import { groupSource } from "../run/send/probes.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { madeRequests } from "./made-conversations.ts";

/** The behaviour of the upstream. `disconnect`: it goes on while the client leaves. `unfinished`: its stream stops without an end. */
export type Situation =
  | { readonly name: `error-${number}`; readonly status: number }
  | { readonly name: "stream-error" | "cut" | "unfinished" | "slow" | "disconnect" };

/** One request that goes through the gateway. */
export interface Question {
  /** Its name in findings; every question has its own. */
  readonly id: string;
  readonly request: WireRequest;
  readonly bindings: Bindings;
  /** The values it takes over from earlier answers of its conversation. */
  readonly bind: readonly Bind[];
  readonly situation?: Situation;
}

/** Requests that are asked one after the other; the first of each step is the one that later steps take values from. */
export interface Conversation {
  readonly steps: readonly (readonly Question[])[];
}

/** The part of a target that decides which questions it is asked. */
export type AskedTarget = Pick<Target, "lacks" | "models" | "bindings">;

/** Questions of one conversation are asked in one go, conversations at the same time. */
export interface Questions {
  readonly conversations: readonly Conversation[];
  /** All of these are asked at once. */
  readonly atOnce: readonly Question[];
  /** These are asked last, one after the other: gateways end by answers that break off. */
  readonly breaking: readonly Question[];
}

/** The word that tells a trip's request from all others. */
export const wordOf = (id: string): string => `trip-${createHash("sha256").update(id).digest("hex").slice(0, 10)}`;

/** Conversations that are asked at once. */
const manyAtOnce = 50;

/** Failures of an upstream, by class: bad request, key, permission, not found, too large, rate, server, overloaded. */
const failures = [400, 401, 403, 404, 413, 429, 500, 503];

/** Words of an answer that is long enough to be seen while it comes. */
const longText = Array.from({ length: 40 }, (_, i) => `word${i + 1}`);

/** The first word of that answer, and the one after which a slow upstream waits. */
export const [firstWord] = longText;
export const waitAfter = longText[29]!;

/** A question in its recorded form, and in the other one where it has one. */
function inBothForms(question: Question, forms: RequestForms | undefined): Question[] {
  const { id, request } = question;
  const streamed = forms?.streamed(request);
  const whole = forms?.whole(request);
  return [
    question,
    ...(streamed ? [{ ...question, id: `${id}+stream`, request: streamed }] : []),
    ...(whole ? [{ ...question, id: `${id}+whole`, request: whole }] : []),
  ];
}

function conversationOf({ source, bindings, exchanges }: Recording, forms: RequestForms | undefined): Conversation {
  const name = source.replace(/\.jsonl?$/, "");
  return {
    steps: exchanges.map(({ exchange: { request }, bind = [] }, i) =>
      inBothForms({ id: exchanges.length > 1 ? `${name}/${i + 1}` : name, request, bindings, bind }, forms),
    ),
  };
}

/** Every situation with the plainest question that was recorded; streams break, wait and are left as streams alone can. */
function situationsOf(
  plain: Recording,
  forms: RequestForms | undefined,
): Pick<Questions, "conversations" | "breaking"> {
  const { request } = plain.exchanges[0]!.exchange;
  const { bindings } = plain;
  const long = forms?.withWord(request, `[[say:${longText.join(" ")}]]`) ?? request;
  const streamed = forms?.streamed(long);
  const inOne = (situation: Situation): Question => ({
    id: `situations/${situation.name}`,
    request: long,
    bindings,
    bind: [],
    situation,
  });
  const asStream = (situation: Situation): Question[] =>
    streamed ? [{ ...inOne(situation), id: `situations/${situation.name}+stream`, request: streamed }] : [];
  const inBoth = (situation: Situation): Question[] => [inOne(situation), ...asStream(situation)];
  const harmless = [
    ...asStream({ name: "slow" }),
    ...inBoth({ name: "disconnect" }),
    ...failures.flatMap((status) => inBoth({ name: `error-${status}`, status })),
  ];
  return {
    conversations: harmless.map((question) => ({ steps: [[question]] })),
    breaking: [...asStream({ name: "stream-error" }), ...asStream({ name: "unfinished" }), ...inBoth({ name: "cut" })],
  };
}

/** Words by which the upstream answers in a way that requests alone do not bring about, by the name of the question. */
const answers: Readonly<Record<string, string>> = {
  blocks: "[[blocks]]",
  filtered: "[[filter]] [[finish:SAFETY]]",
  blocked: "[[block:SAFETY]]",
  refused: "[[refuse]]",
  long: "[[finish:MAX_TOKENS]]",
  recited: "[[finish:RECITATION]]",
  cited: "[[citation]]",
};

/** Questions whose answers are of several blocks, end in other ways than their request brings about, refuse, or cite. */
function answersOf(plain: Recording, forms: RequestForms | undefined): Conversation[] {
  const { request } = plain.exchanges[0]!.exchange;
  const { bindings } = plain;
  return Object.entries(answers).flatMap(([name, words]) => {
    const made = forms?.withWord(request, words);
    const streamed = made && forms?.streamed(made);
    // What cannot be streamed is no conversation.
    if (!made || !streamed) return [];
    const question: Question = { id: `answers/${name}`, request: made, bindings, bind: [] };
    return [{ steps: [[question, { ...question, id: `${question.id}+stream`, request: streamed }]] }];
  });
}

/** Conversations that differ in what is to be answered, half of them streamed. */
function atOnceOf(plain: Recording, forms: RequestForms | undefined): Question[] {
  const { request } = plain.exchanges[0]!.exchange;
  return Array.from({ length: manyAtOnce }, (_, i) => {
    const said = forms?.withWord(request, `[[say:This is conversation ${i + 1} of ${manyAtOnce}, and no other.]]`);
    const asked = said ?? request;
    const streamed = i % 2 === 1 ? forms?.streamed(asked) : undefined;
    const id = `at-once/${i + 1}${streamed ? "+stream" : ""}`;
    return { id, request: streamed ?? asked, bindings: plain.bindings, bind: [] };
  });
}

/** Conversations that no recording has, in the words of an interface. */
function madeConversations(plain: Recording, described: Interface): Conversation[] {
  const { exchange } = plain.exchanges[0]!;
  return madeRequests(exchange, described).map(([name, request]) => ({
    steps: [[{ id: `made/${name}`, request, bindings: plain.bindings, bind: [] }]],
  }));
}

/** Recordings that are no refusals, of one interface alone, and ask for what its document describes. */
const isGood = ({ violates, spans, undocumented }: Recording): boolean =>
  violates.length === 0 && spans === undefined && undocumented === undefined;

/** Whether the recorded answer came to its natural end, so that its request leaves room for a longer one. */
function endsNaturally({ exchanges: [first] }: Recording, described: Interface): boolean {
  const { exchange } = first!;
  const route = routeOfExchange([described], exchange);
  const answer = route && factReaders[described.name]?.answer(readSubject(exchange, route, namesFrom()));
  return answer?.choices.every(({ finish }) => finish?.means.includes("natural")) === true;
}

/**
 * The recording whose first request asks for the least, among those that can be told apart by a word; one that leaves room for the
 * answer, if there is any.
 */
function plainest(recordings: readonly Recording[], described: Interface): Recording | undefined {
  const own = recordings.filter((one) => beginsWell(one) && one.exchanges[0]!.exchange.request.method !== "GET");
  const marked = own.filter(
    ({ exchanges }) => described.forms?.withWord(exchanges[0]!.exchange.request, "word") !== undefined,
  );
  const needs = ({ exchanges: [first], needs: own }: Recording): number =>
    own.length + needsShownBy(first!.exchange.request, described).length;
  const size = ({ exchanges: [first] }: Recording): number => first!.exchange.request.body.length;
  const sorted = [...marked].sort((a, b) => needs(a) - needs(b) || size(a) - size(b));
  return sorted.find((one) => endsNaturally(one, described)) ?? sorted[0];
}

/**
 * All that one interface of a gateway is asked.
 * @param recordings those of the plan, without what the target lacks
 * @param sources groups of probes whose twins are asked
 */
export function questionsFor(
  described: Interface,
  recordings: readonly Recording[],
  { twins }: Pick<Probes, "twins">,
  sources: ReadonlySet<string>,
  target: AskedTarget,
): Questions {
  const { forms } = described;
  const isOffered = ({ request }: Question): boolean =>
    !needsShownBy(request, described).some((need) => target.lacks.includes(need));
  const good = recordings.filter(isGood);
  const plain = plainest(good, described);
  const asked = twins.filter((twin) => {
    const model = modelOf(twin.request, described.model);
    return sources.has(groupSource(twin)) && !(isKind(model) && !hasModelOf(target, model));
  });
  const situations = plain ? situationsOf(plain, forms) : { conversations: [], breaking: [] };
  const conversations = [
    ...situations.conversations,
    ...(plain ? answersOf(plain, forms) : []),
    ...(plain ? madeConversations(plain, described) : []),
    ...good.map((recording) => conversationOf(recording, forms)),
    ...asked.map((twin) => ({
      steps: [inBothForms({ id: groupSource(twin), request: twin.request, bindings: {}, bind: [] }, forms)],
    })),
  ];
  return {
    conversations: conversations.map(({ steps }) => ({ steps: steps.map((step) => step.filter(isOffered)) })),
    atOnce: plain ? atOnceOf(plain, forms).filter(isOffered) : [],
    breaking: situations.breaking.filter(isOffered),
  };
}
