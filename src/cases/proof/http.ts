/** Sends the questions of the proof client: redirects, encodings and limits of time, with the mistakes that clients make. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Has } from "./faults.ts";
import type { Question } from "./questions.ts";

/** Milliseconds without a byte, and in all, after which the client gives up. */
const idleLimit = 5_000;
export const totalLimit = 8_000;

const maxRedirects = 5;

/** A failure of the connection, or of the time it may take. */
export class TransportError extends Error {
  override readonly name = "TransportError";
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives the answer up. */
  readonly close: () => void;
}

const secret = /^(?:authorization|x-api-key|x-goog-api-key)$/i;

/** The headers without a key. */
const withoutKey = (headers: Question["headers"]): Question["headers"] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.test(name)));

function once(url: URL, { headers, body }: Question, signal: AbortSignal, has: Has): Promise<IncomingMessage> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      url,
      {
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(text),
          "accept-encoding": "gzip, deflate, br",
        },
        // A connection of its own.
        agent: false,
        ...(!has("never-closes") && { signal }),
      },
      (incoming) => {
        incoming.once("error", () => undefined);
        resolve(incoming);
      },
    );
    const fail = (error: Error): void => reject(new TransportError(error.message));
    sent.once("error", fail);
    if (has("never-closes")) signal.addEventListener("abort", () => fail(new Error("given up")));
    sent.end(text);
  });
}

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The body with its encoding undone; what breaks on the way is an error. */
async function* bodyOf(incoming: IncomingMessage, signal: AbortSignal, has: Has): AsyncGenerator<Uint8Array> {
  const coding = incoming.headers["content-encoding"];
  const decoder = coding !== undefined && !has("no-gzip") ? decoders[coding]?.() : undefined;
  if (decoder) incoming.once("error", (error) => (decoder as unknown as Readable).destroy(error));
  const source = (decoder ? incoming.pipe(decoder) : incoming) as Readable;
  const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const gaveUp = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(new TransportError("given up: it took too long"));
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail);
  });
  gaveUp.catch(() => undefined);
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const idle = new Promise<never>((_resolve, reject) => {
      if (!has("never-gives-up"))
        timer = setTimeout(() => reject(new TransportError("given up: nothing came for too long")), idleLimit);
    });
    try {
      const { done, value } = await Promise.race([iterator.next(), idle, gaveUp]);
      if (done) return;
      yield value;
    } catch (error) {
      const { message } = error as Error;
      throw error instanceof TransportError ? error : new TransportError(message);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Asks once, and follows redirects that keep the method. Throws TransportError. */
export async function send(base: string, question: Question, signal: AbortSignal, has: Has): Promise<HttpAnswer> {
  let url = new URL(base + question.path);
  let { headers } = question;
  const limit = new AbortController();
  const abort = (): void => limit.abort();
  signal.addEventListener("abort", abort);
  const timer = has("never-gives-up") ? undefined : setTimeout(abort, totalLimit);
  const done = (): void => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  };
  for (let followed = 0; ; followed++) {
    const first = has("never-gives-up") ? undefined : setTimeout(abort, idleLimit);
    const incoming = await once(url, { ...question, headers }, limit.signal, has).catch((error) => {
      done();
      throw error;
    });
    clearTimeout(first);
    const { statusCode: status = 0, headers: given } = incoming;
    const close = (): void => {
      done();
      if (!has("never-closes")) incoming.destroy();
    };
    if (status !== 307 && status !== 308) {
      const body = bodyOf(incoming, limit.signal, has);
      return { status, headers: given, body, close };
    }
    close();
    if (given.location === undefined) throw new TransportError("a redirect does not say where to");
    if (followed >= maxRedirects) throw new TransportError("too many redirects");
    const next = new URL(given.location, url);
    if (next.origin !== url.origin && !has("key-along-redirect")) headers = withoutKey(headers);
    url = next;
  }
}
