/** Plays recordings as a server, and keeps count of what was asked and what was not. */
import type { WireRequest } from "../wire/exchange.ts";
import type { LiveHandler, Reply } from "../wire/listen.ts";
import { type Pace, replyOf } from "./answer.ts";
import { formOf } from "./form.ts";
import type { Library, Taped } from "./library.ts";
import { type Miss, missOf, missReply, sentenceOf } from "./miss.ts";

export interface PlayOptions {
  readonly pace: Pace;
  /** Names of headers that requests must agree in, in lower case; the library's are the same. */
  readonly headers: readonly string[];
  /** Whether a recording is played only once. */
  readonly once: boolean;
  /** Answers what is not recorded; without it, that is a miss. */
  readonly fill?: (request: WireRequest, left: AbortSignal) => Promise<Reply>;
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
  readonly unasked: () => readonly Taped[];
}

/** Different misses kept for the summary. */
const mostMisses = 200;

export function createPlayer(library: Library, options: PlayOptions): Player {
  const { pace, headers, once, fill } = options;
  const misses = new Map<string, Missed>();
  let requests = 0;
  let missed = 0;

  function refuse(request: WireRequest): Reply {
    const miss = missOf(request, library, headers);
    const key = sentenceOf(miss);
    const known = misses.get(key);
    missed++;
    if (known) known.times++;
    else if (misses.size < mostMisses) misses.set(key, { miss, times: 1 });
    return missReply(miss);
  }

  return {
    handler(request, left) {
      requests++;
      const taped = library.take(formOf(request, headers), once);
      if (taped) return replyOf(taped.exchange, request.method, pace);
      return fill ? fill(request, left) : refuse(request);
    },
    requests: () => requests,
    misses: () => ({ listed: [...misses.values()], count: missed }),
    unasked: () => library.all.filter(({ plays }) => plays === 0),
  };
}
