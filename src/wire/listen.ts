/** Puts a handler on a socket: whole replies and paced streams, header order and case as given. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HeaderPairs, WireRequest } from "./exchange.ts";

/** One write of a reply's body, after waiting `after` milliseconds. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly after?: number;
}

export interface Reply {
  readonly status: number;
  readonly reason?: string;
  readonly headers: HeaderPairs;
  readonly pieces: readonly Piece[];
  /** Break the connection off after the last piece instead of ending the body. */
  readonly abort?: boolean;
}

export type Handler = (request: WireRequest) => Reply | Promise<Reply>;

export interface Listening {
  /** `http://HOST:PORT`, an IPv6 address in brackets. */
  readonly url: string;
  /** Breaks off what is under way and stops listening; may be called again. */
  readonly close: () => Promise<void>;
}

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

async function send(reply: Reply, outgoing: ServerResponse): Promise<void> {
  outgoing.sendDate = !reply.headers.some(([name]) => name.toLowerCase() === "date");
  // Node takes a flat list of names and values as it takes an object, but its types do not say so.
  outgoing.writeHead(reply.status, reply.reason, reply.headers.flat() as never);
  if (reply.pieces[0]?.after) outgoing.flushHeaders();
  for (const { bytes, after } of reply.pieces) {
    if (after) await pause(outgoing, after);
    if (outgoing.destroyed) return;
    if (bytes.length > 0 && !outgoing.write(bytes)) await drained(outgoing);
  }
  if (!reply.abort) outgoing.end();
  else {
    // What was written must arrive before the connection breaks.
    outgoing.flushHeaders();
    await new Promise((resolve) => setImmediate(resolve));
    outgoing.destroy();
  }
}

/**
 * Listens; port 0 takes any free port. Rejects with the socket's own error (EADDRINUSE, ...).
 * A handler that fails is answered for with status 500; a client that leaves ends its exchange only.
 */
export async function listen(handler: Handler, at: { host?: string; port?: number } = {}): Promise<Listening> {
  const host = at.host ?? "127.0.0.1";
  const server = createServer({ maxHeaderSize: 1 << 18, requestTimeout: 0 }, (incoming, outgoing) => {
    // Writing to a client that has left is reported here; the exchange is over then.
    outgoing.on("error", () => outgoing.destroy());
    const answer = async (): Promise<void> => {
      const { method = "", url: target = "", rawHeaders } = incoming;
      const body = await readBody(incoming);
      await send(await handler({ method, target, headers: pairsOf(rawHeaders), body }), outgoing);
    };
    answer().catch((error: unknown) => {
      if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy();
      outgoing.writeHead(500, "Internal Server Error", ["content-type", "text/plain; charset=utf-8"] as never);
      outgoing.end(`internal failure: ${error instanceof Error ? error.message : String(error)}\n`);
    });
  });
  // Longer than clients keep connections, so that none is closed under a request about to be sent on it.
  server.keepAliveTimeout = 60_000;
  server.listen(at.port ?? 0, host);
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
