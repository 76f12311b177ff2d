/** Plays recordings as a server, and keeps count of what was asked and what was not. */
import type { WireRequest } from "../wire/exchange.ts";
import type { LiveHandler, Reply } from "../wire/listen.ts";
import { type Pace, replyOf } from "./answer.ts";
import type { Library } from "./library.ts";
import { type Miss, missOf, missReply, type Redact, sentenceOf } from "./miss.ts";
import type { Recording } from "./recording.ts";

export interface PlayerOptions {
  readonly pace: Pace;
  /** Names of headers that requests must agree in, in lower case; the library's are the same. */
  readonly headers: readonly string[];
  /** Whether a recording is played only once. */
  readonly once: boolean;
  /** Takes credentials out of what is shown of a miss. */
  readonly redact: Redact;
  /** Answers what is not recorded; without it, that is a miss. */
  readonly onMiss?: ((request: WireRequest, left: AbortSignal) => Promise<Reply>) | undefined;
}

/** A miss and how often it was asked for. */
export interface Missed {
  readonly miss: Miss;
  times: number;
}

export interface Player {
  readonly handler: LiveHandler;
  readonly requests: () => number;
  readonly misses: () => { readonly listed: readonly Missed[]; readonly count: number };
  /** Recordings nobody asked for. */
  readonly unasked: () => readonly Recording[];
}

/** Different misses kept for the summary. */
const maxMisses = 200;

export function createPlayer(library: Library, options: PlayerOptions): Player {
  const { pace, headers, once, redact, onMiss } = options;
  const misses = new Map<string, Missed>();
  let requests = 0;
  let missed = 0;

  function refuse(request: WireRequest): Reply {
    const miss = missOf(request, library, headers, redact);
    const key = sentenceOf(miss);
    const known = misses.get(key);
    missed++;
    if (known) known.times++;
    else if (misses.size < maxMisses) misses.set(key, { miss, times: 1 });
    return missReply(miss);
  }

  return {
    handler(request, left) {
      requests++;
      const recording = library.take(request, once);
      if (recording?.read) return recording.read().then((exchange) => replyOf(exchange, request.method, pace));
      if (recording) return replyOf(recording.exchange, request.method, pace);
      return onMiss ? onMiss(request, left) : refuse(request);
    },
    requests: () => requests,
    misses: () => ({ listed: [...misses.values()], count: missed }),
    unasked: () => library.all.filter(({ plays }) => plays === 0),
  };
}
