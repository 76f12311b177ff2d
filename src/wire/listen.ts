/** Puts a handler on a loopback socket: whole replies and paced streams, header order and case as given. */
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
  /** `http://HOST:PORT` */
  readonly url: string;
  readonly close: () => Promise<void>;
}

export function pairsOf(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) pairs.push([rawHeaders[i]!, rawHeaders[i + 1]!]);
  return pairs;
}

async function answer(handler: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const pieces: Uint8Array[] = [];
  for await (const piece of incoming) pieces.push(piece as Uint8Array);
  const reply = await handler({
    method: incoming.method ?? "",
    target: incoming.url ?? "",
    headers: pairsOf(incoming.rawHeaders),
    body: Buffer.concat(pieces),
  });
  outgoing.sendDate = !reply.headers.some(([name]) => name.toLowerCase() === "date");
  outgoing.writeHead(reply.status, reply.reason, reply.headers.flat() as never);
  for (const { bytes, after } of reply.pieces) {
    if (after) await new Promise((resolve) => setTimeout(resolve, after));
    if (outgoing.destroyed) return;
    if (!outgoing.write(bytes)) await Promise.race([once(outgoing, "drain"), once(outgoing, "close")]);
  }
  if (reply.abort) outgoing.destroy();
  else outgoing.end();
}

/** Listens; port 0 takes any free port. Rejects with the socket's own error (EADDRINUSE, ...). */
export async function listen(handler: Handler, at: { host?: string; port?: number } = {}): Promise<Listening> {
  const host = at.host ?? "127.0.0.1";
  const server = createServer((incoming, outgoing) => {
    answer(handler, incoming, outgoing).catch((error: unknown) => {
      if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy();
      outgoing.writeHead(500, { "content-type": "text/plain" });
      outgoing.end(`internal failure: ${error instanceof Error ? error.message : String(error)}\n`);
    });
  });
  server.listen(at.port ?? 0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
