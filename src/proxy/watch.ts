/** Keeps the exchanges that pass a `fetch`, as far as they can be seen behind it. */
import { fittingHeaders, isStillEncoded } from "../wire/encoding.ts";
import type { Exchange, WireRequest, WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { GrowingBuffer } from "./growing-buffer.ts";
import { type BodyObserver, watchedPieces, watchedStream } from "./watched-body.ts";

export interface Watch {
  /** To be used in place of `fetch`: callers see what they would see without. */
  readonly fetch: typeof globalThis.fetch;
  /**
   * The exchanges that passed, in the order in which requests began. An exchange under way stands here as broken off by its
   * client, with what has come by now. Credentials stand in it as they were sent.
   */
  readonly exchanges: Exchange[];
}

/** Bytes that are kept of each body; what exceeds them passes, and is counted as cut. */
const maxKept = 64 << 20;

interface Kept extends BodyObserver {
  /** The bytes that were kept of it so far. */
  body(): Uint8Array;
  /** Bytes that were not kept. */
  cut(): number;
  /** Whether it has come to its end. */
  whole(): boolean;
}

/** @param onEnd called once, when no more of it comes */
function keep(onEnd: BodyObserver["end"] = () => {}): Kept {
  const bytes = new GrowingBuffer();
  let cut = 0;
  let whole = false;
  return {
    piece(piece) {
      const fits = cut > 0 ? 0 : Math.min(piece.length, maxKept - bytes.length);
      if (fits > 0) bytes.append(piece.subarray(0, fits));
      cut += piece.length - fits;
    },
    end(how) {
      whole = how === "whole";
      onEnd(how);
    },
    body: () => bytes.whole(),
    cut: () => cut,
    whole: () => whole,
  };
}

type Body = NonNullable<RequestInit["body"]>;

const isStream = (body: unknown): body is ReadableStream<Uint8Array> => body instanceof ReadableStream;
const isIterable = (body: unknown): body is AsyncIterable<unknown> =>
  typeof body === "object" && body !== null && !isStream(body) && Symbol.asyncIterator in body;

/** A request as fetch would make it; undefined where fetch would refuse to, or only the fetch that is watched knows how. */
function requestOf(input: string | URL | Request, init: RequestInit | undefined): Request | undefined {
  const body = init?.body;
  const { signal: _signal, ...rest } = init ?? {};
  // A body that can be read but once is left to its sender.
  const { body: _body, ...bare } = rest;
  try {
    const from = input instanceof Request && body == null ? input.clone() : input;
    return new Request(from, isStream(body) || isIterable(body) ? bare : rest);
  } catch {
    return undefined;
  }
}

async function readAll(body: ReadableStream<Uint8Array> | null, kept: Kept): Promise<void> {
  try {
    for await (const piece of body ?? []) kept.piece(piece);
    kept.end("whole");
  } catch {
    kept.end("failed");
  }
}

/** Members of a response besides its body that a new one cannot have. */
const said = ["status", "statusText", "ok", "url", "redirected", "type"] as const;

/** A response with another body that says the same of itself, as do its clones. */
function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const like = (made: Response): Response => {
    const clone = made.clone.bind(made);
    for (const name of said) Object.defineProperty(made, name, { value: response[name], configurable: true });
    return Object.defineProperty(made, "clone", { value: () => like(clone()), configurable: true });
  };
  return like(new Response(body, { headers: response.headers }));
}

/**
 * Wraps a `fetch` so that what passes is kept: whole requests, and answers as far as they are read. Callers see what they
 * would see without; a `fetch` that adds headers is best put around it, so that they are seen.
 * @param fetch what sends; the global `fetch` of now, unless given
 * @example
 * const { fetch, exchanges } = watch();
 * const client = new OpenAI({ fetch });
 * // ... use the client ...
 * const { summary } = await check(exchanges);
 */
export function watch(fetch: typeof globalThis.fetch = globalThis.fetch): Watch {
  const exchanges: Exchange[] = [];

  async function watched(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const seen = requestOf(input, init);
    // SDKs ask addresses such as `data:,` to learn what a fetch can do.
    if (!seen || !/^https?:/.test(seen.url)) return fetch(input, init);
    const began = performance.now();
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);

    const sent = keep();
    const { origin, pathname, search } = new URL(seen.url);
    const asked = { method: seen.method, target: pathname + search, headers: [...seen.headers] };
    let head: Pick<WireResponse, "status" | "reason" | "headers"> | undefined;
    let time: number | undefined;
    const came = keep((how) => end(how === "whole" ? undefined : how === "failed" ? breaker() : "client"));
    const breaker = (): "client" | "upstream" => (signal?.aborted ? "client" : "upstream");
    const exchange: { -readonly [Member in keyof Exchange]: Exchange[Member] } = {
      origin,
      started: Date.now(),
      get request() {
        // A body that was not sent whole lacks at least a byte.
        const cut = sent.cut() || (sent.whole() ? 0 : 1);
        return { ...asked, body: sent.body(), ...(cut > 0 && { cut }) } satisfies WireRequest;
      },
      get response() {
        return head ? answered(head, came, time) : null;
      },
      aborted: "client",
    };
    const end = (by: Exchange["aborted"]): void => {
      time = Math.round(100 * (performance.now() - began)) / 100;
      if (by) exchange.aborted = by;
      else delete exchange.aborted;
    };
    exchanges.push(exchange);

    const body = init?.body;
    let toSend = init;
    let inMemory: Promise<void> | undefined;
    if (isStream(body) && !body.locked) toSend = { ...init, body: watchedStream(body, sent) };
    else if (isIterable(body)) toSend = { ...init, body: watchedPieces(body, sent) as unknown as Body };
    else inMemory = readAll(seen.body, sent);

    let response: Response;
    try {
      response = await fetch(input, toSend);
    } catch (error) {
      end(breaker());
      throw error;
    }
    // A body that nobody reads from elsewhere is kept before its answer is looked at.
    if (!(input instanceof Request)) await inMemory;
    const { status, statusText: reason } = response;
    head = { status, ...(reason && { reason }), headers: [...response.headers] };
    if (!isStream(response.body)) {
      // Null, or of a kind that only the fetch that is watched knows how to read.
      if (response.body == null) came.end("whole");
      return response;
    }
    return withBody(response, watchedStream(response.body, came));
  }
  return { fetch: watched as typeof globalThis.fetch, exchanges };
}

/** An answer as far as it has come. `fetch` has undone the coding that its head names. */
function answered(head: Pick<WireResponse, "status" | "reason" | "headers">, came: Kept, time?: number): WireResponse {
  const body = came.body();
  const cut = came.cut();
  const coding = headerValue(head.headers, "content-encoding");
  const undone = coding !== undefined && !isStillEncoded(body, coding);
  const headers = fittingHeaders(head.headers, { undone, length: came.whole() && cut === 0 ? body.length : undefined });
  return { ...head, headers, body, ...(time !== undefined && { time }), ...(cut > 0 && { cut }) };
}
