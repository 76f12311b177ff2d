/** How the upstream answers: plainly, or with a failure, a broken stream or a pause. It keeps each piece it sent, with its time. */
import { setTimeout as sleep } from "node:timers/promises";
import { failureEvent, failureReply } from "../reference/failures.ts";
import { utf8 } from "../wire/build.ts";
import type { ChunkMark, Exchange, WireRequest } from "../wire/exchange.ts";
import type { Piece, Reply } from "../wire/listen.ts";
import { deferred } from "./deferred.ts";

/** The upstream's behaviour in place of a plain answer. */
export type Behaviour =
  /** Fails with a status. */
  | { readonly does: "fail"; readonly status: number; readonly retryAfter?: number }
  /** Reports a failure in the middle of a stream, and ends it. */
  | { readonly does: "fail-midway" }
  /** Breaks the connection off in the middle of an answer. */
  | { readonly does: "cut" }
  /** Ends a stream in the middle, as if it were whole. */
  | { readonly does: "stop" }
  /** Sends the answer up to a word, and the rest once a promise resolves or a bound has passed. */
  | ({ readonly does: "hold"; readonly until: Promise<unknown> } & Pause)
  /** The same until the gateway leaves, and repeats the last piece meanwhile; a whole answer is held altogether. */
  | ({ readonly does: "go-on" } & Pause);

/** A pause in the middle of an answer. */
interface Pause {
  /** The word after which it comes. */
  readonly after: string;
  /** Milliseconds that it lasts at most. */
  readonly most: number;
}

/** An exchange at the upstream, while it goes on and afterwards. */
export interface OpenExchange {
  exchange(): Exchange;
  /** Resolves at its end; to the Unix milliseconds at which the gateway broke it off, where it did. */
  readonly ended: Promise<number | undefined>;
}

/** Milliseconds between the pieces of a stream that goes on. */
const between = 50;

/** Milliseconds between the client's first sight of a stream and its end, so that clocks tell them apart. */
const apart = 30;

/** The seconds of `retry-after`: a number that nobody makes up. */
export const retryAfter = 3;

const failureMessage = "The upstream was told to fail.";

const brokenMidway: ReadonlySet<Behaviour["does"]> = new Set(["fail-midway", "cut", "stop"]);

/** A stream that reports a failure after half of its pieces, or breaks off or stops there. */
function midway(reply: Reply, of: string, behaviour: Behaviour): Reply {
  const isStream = reply.pieces.length > 1;
  const half = reply.pieces.slice(0, Math.ceil(reply.pieces.length / 2));
  if (behaviour.does === "fail-midway")
    return isStream ? { ...reply, pieces: [...half, { bytes: utf8(failureEvent(of, failureMessage)) }] } : reply;
  if (behaviour.does === "stop") return isStream ? { ...reply, pieces: half } : reply;
  if (isStream) return { ...reply, pieces: half, abort: true };
  const [only] = reply.pieces;
  const bytes = only?.bytes ?? utf8("");
  return { ...reply, pieces: [{ bytes: bytes.subarray(0, bytes.length >> 1) }], abort: true };
}

/** How many pieces it takes until a word has gone. */
function piecesUntil(pieces: readonly Piece[], word: string): number {
  let text = "";
  for (const [i, { bytes }] of pieces.entries()) {
    text += Buffer.from(bytes).toString("utf8");
    if (text.includes(word)) return i + 1;
  }
  return Math.ceil(pieces.length / 2);
}

/** The pieces of an answer that waits in the middle. */
async function* paused(pieces: readonly Piece[], behaviour: Behaviour, left: AbortSignal): AsyncGenerator<Piece> {
  if (behaviour.does !== "hold" && behaviour.does !== "go-on") return yield* pieces;
  const isStream = pieces.length > 1;
  const before = isStream ? piecesUntil(pieces, behaviour.after) : 0;
  yield* pieces.slice(0, before);
  const bound = AbortSignal.any([left, AbortSignal.timeout(behaviour.most)]);
  const over = new Promise((resolve) => bound.addEventListener("abort", resolve, { once: true }));
  const until = behaviour.does === "hold" ? Promise.race([behaviour.until, over]) : over;
  if (behaviour.does === "hold" || !isStream) await until;
  else {
    let isOver = false;
    void until.then(() => void (isOver = true));
    for (; !isOver; await sleep(between)) yield pieces[before - 1]!;
  }
  if (left.aborted) return;
  await sleep(apart);
  yield* pieces.slice(before);
}

/**
 * The reply to a request, and what is kept of it.
 * @param of the interface of the request, whose failures look its own way
 * @param left aborted when the gateway disconnects before the reply was whole
 */
export function behave(
  request: WireRequest,
  good: Reply,
  behaviour: Behaviour | undefined,
  of: string,
  left: AbortSignal,
): { readonly reply: Reply; readonly open: OpenExchange } {
  const started = Date.now();
  const clock = performance.now();
  const elapsed = (): number => Math.round(performance.now() - clock);
  const failed =
    behaviour?.does === "fail"
      ? failureReply(
          of,
          behaviour.status,
          failureMessage,
          behaviour.retryAfter === undefined ? [] : [["Retry-After", String(behaviour.retryAfter)]],
        )
      : good;
  // A request that is refused is no stream that could break.
  const isMade = behaviour !== undefined && behaviour.does !== "fail" && good.status < 300;
  const reply = isMade && brokenMidway.has(behaviour.does) ? midway(good, of, behaviour) : failed;
  const sent: Uint8Array[] = [];
  const chunks: ChunkMark[] = [];
  const ended = deferred<number | undefined>();
  /** Milliseconds after which it was whole. */
  let time: number | undefined;
  let isBroken = false;
  const breakOff = (): void => {
    if (time !== undefined) return;
    isBroken = true;
    ended.resolve(Date.now());
  };
  if (left.aborted) breakOff();
  else left.addEventListener("abort", breakOff, { once: true });
  async function* pieces(): AsyncGenerator<Piece> {
    for await (const piece of isMade ? paused(reply.pieces, behaviour, left) : reply.pieces) {
      sent.push(piece.bytes);
      chunks.push([elapsed(), piece.bytes.length]);
      yield piece;
      if (left.aborted) return;
    }
    time = elapsed();
    ended.resolve(undefined);
  }
  return {
    reply: { ...reply, pieces: [], more: pieces() },
    open: {
      ended: ended.promise,
      exchange: () => ({
        started,
        request,
        response: {
          status: reply.status,
          ...(reply.reason !== undefined && { reason: reply.reason }),
          headers: reply.headers,
          body: Buffer.concat(sent),
          chunks,
          ...(time !== undefined && { time }),
        },
        ...(isBroken ? { aborted: "client" as const } : reply.abort ? { aborted: "upstream" as const } : {}),
      }),
    },
  };
}
