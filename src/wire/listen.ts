/** Puts a handler on a socket: whole replies and paced streams, header order and case as given. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HeaderPairs, WireRequest } from "./exchange.ts";

/**
 * Connections that may wait to be taken; the system has its own bound below. With Node's 511, a burst of clients waits seconds
 * for its connections to be tried again, and some of them are reset.
 */
export const maxUnaccepted = 8192;

/** One write of a reply's body. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** Milliseconds to wait before it. */
  readonly after?: number;
  /** Milliseconds since the reply began before which it is not written: waits do not add up to a drift. */
  readonly at?: number;
}

export interface Reply {
  readonly status: number;
  readonly reason?: string;
  readonly headers: HeaderPairs;
  readonly pieces: readonly Piece[];
  /** Pieces that follow as they come; where it throws, the connection is broken off. */
  readonly more?: AsyncIterable<Piece>;
  /** Read after the last piece; sent where the body is chunked. */
  readonly trailers?: HeaderPairs;
  /** Send no header fields but these: no Date and no Connection of our own. */
  readonly exact?: boolean;
  /** Break the connection off after the last piece instead of ending the body; `unanswered` sends no head either. */
  readonly abort?: boolean | "unanswered";
}

export type Handler = (request: WireRequest) => Reply | Promise<Reply>;

/** A handler that is told, by `left`, when its client has left before the reply was whole. */
export type LiveHandler = (request: WireRequest, left: AbortSignal) => Reply | Promise<Reply>;

export interface Listening {
  /** `http://HOST:PORT`, an IPv6 address in brackets. */
  readonly url: string;
  /** Breaks off what is under way and stops listening; may be called again. */
  readonly close: () => Promise<void>;
}

/** The longest a timer can wait. */
const maxWait = 2 ** 31 - 1;

/** Node's flat list of raw headers as pairs. */
export function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) pairs.push([rawHeaders[i]!, rawHeaders[i + 1]!]);
  return pairs;
}

/** Resolves after some milliseconds, or at once when the connection closes. */
function pause(outgoing: ServerResponse, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      outgoing.off("close", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    outgoing.once("close", done);
  });
}

/** Resolves when what was written has left, or when the connection closes. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off("drain", done).off("close", done);
      resolve();
    };
    outgoing.once("drain", done).once("close", done);
  });
}

async function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of incoming) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}

/** The flat list Node takes; its types want an object. Fields that need chunks are left out for HTTP/1.0, which knows none. */
function fieldsOf(headers: HeaderPairs, outgoing: ServerResponse): never {
  const old = outgoing.req.httpVersion === "1.0";
  return headers.filter(([name]) => !old || !/^(?:transfer-encoding|trailer)$/i.test(name)).flat() as never;
}

async function send(reply: Reply, outgoing: ServerResponse): Promise<void> {
  const { headers, pieces, more, abort, exact = false } = reply;
  const begun = performance.now();
  if (abort === "unanswered") return void outgoing.destroy();
  outgoing.sendDate = !exact && !headers.some(([name]) => name.toLowerCase() === "date");
  // Node then leaves the field away, and keeps the connection where the version of HTTP does.
  if (exact && outgoing.req.httpVersion !== "1.0" && outgoing.shouldKeepAlive) outgoing.removeHeader("connection");
  outgoing.writeHead(reply.status, reply.reason, fieldsOf(headers, outgoing));
  if (pieces[0]?.after || more) outgoing.flushHeaders();
  const write = async ({ bytes, after, at }: Piece): Promise<void> => {
    const wait = at === undefined ? (after ?? 0) : at - (performance.now() - begun);
    if (wait > 0) await pause(outgoing, Math.min(wait, maxWait));
    if (!outgoing.destroyed && bytes.length > 0 && !outgoing.write(bytes)) await drained(outgoing);
  };
  for (const piece of pieces) {
    await write(piece);
    if (outgoing.destroyed) return;
  }
  for await (const piece of more ?? []) {
    await write(piece);
    if (outgoing.destroyed) return;
  }
  if (!abort) {
    if (reply.trailers) outgoing.addTrailers(reply.trailers as [string, string][]);
    outgoing.end();
  } else {
    // The bytes written so far must arrive before the connection breaks.
    outgoing.flushHeaders();
    await new Promise((resolve) => setImmediate(resolve));
    const { socket } = outgoing;
    if (socket?.writable) await new Promise((resolve) => socket.write("", resolve));
    outgoing.destroy();
  }
}

/**
 * Listens; port 0 takes any free port. Rejects with the socket's own error (EADDRINUSE, ...).
 * A handler that fails is answered for with status 500; a client that leaves ends its exchange only.
 */
export async function listen(handler: LiveHandler, at: { host?: string; port?: number } = {}): Promise<Listening> {
  const host = at.host ?? "127.0.0.1";
  const server = createServer({ maxHeaderSize: 1 << 18, requestTimeout: 0 }, (incoming, outgoing) => {
    // Writing to a client that has left is reported here; the exchange is over then.
    outgoing.on("error", () => outgoing.destroy());
    const left = new AbortController();
    outgoing.once("close", () => outgoing.writableFinished || left.abort());
    const answer = async (): Promise<void> => {
      const { method = "", url: target = "", rawHeaders } = incoming;
      const body = await readBody(incoming);
      await send(await handler({ method, target, headers: pairsOf(rawHeaders), body }, left.signal), outgoing);
    };
    answer().catch((error: unknown) => {
      if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy();
      outgoing.writeHead(500, "Internal Server Error", ["content-type", "text/plain; charset=utf-8"] as never);
      outgoing.end(`internal failure: ${error instanceof Error ? error.message : String(error)}\n`);
    });
  });
  // Longer than clients keep connections, so that none is closed under a request about to be sent on it.
  server.keepAliveTimeout = 60_000;
  server.listen({ port: at.port ?? 0, host, backlog: maxUnaccepted });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
