/** Sends one question through a gateway and keeps what passed at both of its ends. */
import { type Interface, interfaceNamed } from "../check/interface.ts";
import { type Target, targetNames } from "../run/plan/target.ts";
import { retarget } from "../run/send/retarget.ts";
import { withoutSecrets } from "../run/send/secrets.ts";
import type { WireRequest, WireResponse } from "../wire/exchange.ts";
import type { Sender, Watch } from "../wire/send.ts";
import { type Behaviour, retryAfter } from "./behaviour.ts";
import { deferred } from "./deferred.ts";
import { textSaid } from "./partial-text.ts";
import { firstWord, type Question, waitAfter, wordOf } from "./questions.ts";
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
  /** Milliseconds within which a stream has to be seen while it comes, and a disconnect has to reach the upstream. */
  readonly patience: number;
}

/** The result of sending a question. */
export interface TripResult {
  /** Absent where no connection came about. */
  readonly trip?: Trip;
  readonly response: WireResponse | null;
  /** Why no connection came about. */
  readonly lost?: string;
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

/** The upstream's behaviour for a question. @param seen resolves when the client has seen the beginning of the answer */
function behaviourFor({ situation }: Question, seen: Promise<unknown>, most: number): Behaviour | undefined {
  switch (situation?.name) {
    case undefined:
      return undefined;
    case "stream-error":
      return { does: "fail-midway" };
    case "cut":
      return { does: "cut" };
    case "unfinished":
      return { does: "stop" };
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
export async function makeTrip(
  question: Question,
  request: WireRequest,
  alone: boolean,
  context: TripContext,
): Promise<TripResult> {
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
  const began = performance.now();
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
    ...(sent.failure?.kind === "timed-out" && { gaveUp: Math.round(performance.now() - began) }),
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
