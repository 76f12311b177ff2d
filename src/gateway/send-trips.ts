/** Sends questions through a gateway and keeps, of each, what passed at both of its ends. */
import { type Interface, interfaceNamed } from "../check/interface.ts";
import { jsonOf } from "../run/judge/request-failure.ts";
import { type Target, targetNames } from "../run/plan/target.ts";
import { takeOver } from "../run/send/captures.ts";
import { retarget } from "../run/send/retarget.ts";
import { withoutSecrets } from "../run/send/secrets.ts";
import { createSlots } from "../run/send/slots.ts";
import type { WireRequest, WireResponse } from "../wire/exchange.ts";
import type { Sender, Watch } from "../wire/send.ts";
import { type Behaviour, retryAfter } from "./behaviour.ts";
import { deferred } from "./deferred.ts";
import { textSaid } from "./partial-text.ts";
import { type Conversation, firstWord, type Question, type Questions, waitAfter, wordOf } from "./questions.ts";
import type { Route, Trip } from "./trip.ts";
import type { Arrivals, GatewayUpstream } from "./upstream.ts";

export interface TripContext {
  readonly route: Route;
  readonly target: Target;
  /** Model ids that recordings and probes ask for. */
  readonly knownModels: ReadonlySet<string>;
  readonly interfaces: readonly Interface[];
  readonly upstream: GatewayUpstream;
  /** Asks again what the gateway asks to retry. */
  readonly sender: Sender;
  /** Asks once: what comes of a failing upstream is the answer. */
  readonly plainSender: Sender;
  /** Conversations at a time. */
  readonly concurrency: number;
  /** Milliseconds within which a stream has to be seen while it comes, and a disconnect has to reach the upstream. */
  readonly patience: number;
  /** Told of every trip that was made, in any order. */
  readonly onTrip: (trip: Trip) => void;
}

/** Why the gateway could not be reached any more, and the questions in flight. */
export interface Lost {
  readonly problem: string;
  readonly inFlight: readonly string[];
}

/** Bytes of an answer in which its beginning has to be seen. */
const maxBeginning = 64 << 10;

/** Follows an answer until the beginning of the long text is seen. */
function watchFor(request: WireRequest, context: TripContext, left: AbortSignal) {
  const seen = deferred<void>();
  let head: Pick<WireResponse, "status" | "reason" | "headers"> | undefined;
  const pieces: Uint8Array[] = [];
  let size = 0;
  let isSeen = false;
  const watch: Watch = {
    left,
    head: (told) => void (head = told),
    piece(bytes) {
      size += bytes.length;
      if (isSeen || size > maxBeginning) return;
      pieces.push(bytes);
      const response = { ...head!, body: Buffer.concat(pieces) };
      isSeen = textSaid(request, response, context.interfaces).includes(firstWord!);
      if (isSeen) seen.resolve();
    },
  };
  return { seen: seen.promise, watch };
}

/** What the upstream does for a question. @param seen resolves when the client has seen the beginning of the answer */
function behaviourFor({ situation }: Question, seen: Promise<unknown>, most: number): Behaviour | undefined {
  switch (situation?.name) {
    case undefined:
      return undefined;
    case "stream-error":
      return { does: "fail-midway" };
    case "cut":
      return { does: "cut" };
    case "slow":
      return { does: "hold", after: waitAfter, until: seen, most };
    case "disconnect":
      return { does: "go-on", after: waitAfter, most };
    default: {
      const { status } = situation as { readonly status: number };
      return { does: "fail", status, ...(status === 429 && { retryAfter }) };
    }
  }
}

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());

/** Milliseconds within which the upstream's side of a finished trip ends. */
const maxSettling = 2000;

/** Sends one question. @param alone whether nothing else is under way, so that all that arrives belongs to it */
async function makeTrip(
  question: Question,
  request: WireRequest,
  alone: boolean,
  context: TripContext,
): Promise<{ readonly trip?: Trip; readonly response: WireResponse | null; readonly lost?: string }> {
  const { route, target, knownModels, interfaces, upstream } = context;
  const { id, bindings, situation } = question;
  const word = wordOf(id);
  const forms = interfaceNamed(interfaces, route.from)?.forms;
  const marked = forms?.withWord(request, word) ?? request;
  const made = retarget(marked, { interface: route.from, bindings, negative: false }, target, knownModels);
  const leaving = new AbortController();
  const { seen, watch } = watchFor(made.request, context, leaving.signal);
  const arrivals = upstream.expect(alone ? undefined : word, behaviourFor(question, seen, context.patience));
  const isWatched = situation?.name === "slow" || situation?.name === "disconnect";
  const sender = situation ? context.plainSender : context.sender;
  const sending = sender.send(made.origin, made.request, isWatched ? watch : undefined);
  const isStream = forms?.whole(request) !== undefined;
  const reached =
    situation?.name === "disconnect"
      ? await leave(isStream, arrivals, seen, sending, leaving, context.patience)
      : undefined;
  const sent = await sending;
  await Promise.race([arrivals.settled(), sleep(maxSettling)]);
  arrivals.end();
  if (sent.failure?.kind === "unreachable") return { response: null, lost: sent.failure.problem };
  const arrived = arrivals.all();
  const names = targetNames(target, bindings);
  const last = arrived.at(-1);
  const [lastPiece] = last?.response?.chunks?.at(-1) ?? [];
  const upstreamEnded =
    situation?.name === "slow" && lastPiece !== undefined
      ? last!.started! + lastPiece - sent.exchange.started!
      : undefined;
  const timing = {
    ...(upstreamEnded !== undefined && { upstreamEnded }),
    ...(reached !== undefined && { disconnectReached: reached }),
  };
  return {
    response: sent.exchange.response,
    trip: {
      id,
      client: { ...withoutSecrets(sent.exchange, target, names), ...(reached !== undefined && { aborted: "client" }) },
      upstream: arrived.map((one) => withoutSecrets(one, target, names)),
      ...(situation && { situation: situation.name }),
      ...(Object.keys(timing).length > 0 && { timing }),
    },
  };
}

/**
 * Has the client disconnect: once it has seen the beginning of a stream or waited for that a while, or, of a whole answer, once the upstream was asked.
 * @returns milliseconds until the upstream's connection ended; null where it did not within the bound, undefined where the answer was whole before
 */
async function leave(
  isStream: boolean,
  arrivals: Arrivals,
  seen: Promise<void>,
  sending: Promise<unknown>,
  leaving: AbortController,
  patience: number,
): Promise<number | null | undefined> {
  const isAsked = isStream ? arrivals.first.then(() => sleep(patience / 5)) : arrivals.first;
  const isOver = await Promise.race([seen, isAsked, sending.then(() => "over")]);
  if (isOver === "over") return undefined;
  const at = Date.now();
  leaving.abort();
  const ended = await Promise.race([arrivals.left, sleep(patience).then(() => null)]);
  return ended === null ? null : Math.max(0, ended - at);
}

/** Whether an answer with success came, although nothing arrived at the upstream that says so. */
const isUnexplained = ({ client, upstream }: Trip): boolean =>
  upstream.length === 0 && client.response !== null && client.response.status < 300;

/**
 * Sends all questions. A word in the text of each tells which request arrived because of it; what has no text, and what arrived without
 * its word, is asked alone.
 */
export async function sendTrips(questions: Questions, context: TripContext): Promise<Lost | undefined> {
  const { upstream, interfaces, route, concurrency, onTrip } = context;
  const forms = interfaceNamed(interfaces, route.from)?.forms;
  const isMarked = ({ request }: Question): boolean => forms?.withWord(request, "word") !== undefined;
  const again: { question: Question; request: WireRequest }[] = [];
  let lost: string | undefined;
  const inFlight: string[] = [];

  async function ask(question: Question, request: WireRequest, alone: boolean): Promise<WireResponse | null> {
    if (lost !== undefined) return null;
    const before = upstream.strays;
    const { trip, response, lost: problem } = await makeTrip(question, request, alone, context);
    if (problem !== undefined) {
      lost ??= problem;
      inFlight.push(question.id);
    } else if (trip && !alone && isUnexplained(trip) && upstream.strays > before) again.push({ question, request });
    else if (trip) onTrip(trip);
    return response;
  }

  async function hold({ steps }: Conversation, alone: boolean): Promise<void> {
    const replies: unknown[] = [];
    for (const [i, step] of steps.entries())
      for (const question of step) {
        const bound = takeOver(question.request, question.bind, replies);
        // Where an earlier answer lacks what it takes, the recorded conversation still holds together.
        const response = await ask(question, bound.ok ? bound.request : question.request, alone);
        replies[i] ??= (response && jsonOf(response)) ?? undefined;
      }
  }

  const [marked, unmarked] = [true, false].map((is) =>
    questions.conversations.filter(({ steps }) => steps.flat().every(isMarked) === is),
  ) as [Conversation[], Conversation[]];
  const slots = createSlots(concurrency);
  await Promise.all(marked.map((conversation) => slots.within(() => hold(conversation, false))));
  await Promise.all(questions.atOnce.map((question) => ask(question, question.request, !isMarked(question))));
  for (const conversation of unmarked) await hold(conversation, true);
  for (const { question, request } of again) await ask(question, request, true);
  return lost === undefined ? undefined : { problem: lost, inFlight };
}
