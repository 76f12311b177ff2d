/** Connections of a sender: one a request, or kept for the next one as long as no answer can suffer from what came before it. */
import type { Socket } from "node:net";
import type { buildConnector, Client as UndiciClient } from "undici";
import type { WireResponse } from "./exchange.ts";
import { headerValue } from "./headers.ts";
import { Client } from "./undici.ts";

/** A connection for one request at a time. */
export interface Connection {
  readonly client: UndiciClient;
  /** How often it was connected: a server may end a connection between two requests. */
  made: number;
  /** Bytes that came over the latest of these, also those that no answer is made of. */
  received(): number;
}

export interface Connections {
  /** Whether connections are kept. */
  readonly kept: boolean;
  /** A connection for one request; throws where `origin` is none. */
  take(origin: string): Connection;
  /** Takes a connection back. */
  give(origin: string, connection: Connection): void;
  /** Has each request use a connection of its own from now on. */
  keepNoMore(): void;
  /** Ends all, and breaks off what is under way. */
  close(): Promise<void>;
}

/**
 * Milliseconds without an answer after which connections are kept no more: a server that takes one connection at a time waits
 * for kept ones to end. A new connection costs little if answers take so long.
 */
export const maxUnanswered = 500;

export function createConnections(connect: buildConnector.connector, reuse: boolean): Connections {
  const all = new Set<Connection>();
  const idle = new Map<string, Connection[]>();
  let kept = reuse;
  const end = (connection: Connection): Promise<void> => {
    all.delete(connection);
    return connection.client.destroy();
  };
  return {
    get kept() {
      return kept;
    },
    take(origin) {
      const waiting = idle.get(origin)?.pop();
      if (waiting) return waiting;
      // Patience is kept by who sends: undici's own clock ticks in seconds.
      let socket: Socket | undefined;
      const connecting: buildConnector.connector = (options, callback) =>
        connect(options, (...result: Parameters<buildConnector.Callback>) => {
          socket = result[1] ?? undefined;
          callback(...result);
        });
      const connection: Connection = {
        client: new Client(origin, { connect: connecting, headersTimeout: 0, bodyTimeout: 0 }),
        made: 0,
        received: () => socket?.bytesRead ?? 0,
      };
      connection.client.on("connect", () => void connection.made++);
      all.add(connection);
      return connection;
    },
    give(origin, connection) {
      if (!kept) return void end(connection);
      const others = idle.get(origin);
      if (others) others.push(connection);
      else idle.set(origin, [connection]);
    },
    keepNoMore() {
      kept = false;
      for (const connection of [...idle.values()].flat()) void end(connection);
      idle.clear();
    },
    close: async () => void (await Promise.all([...all].map(end))),
  };
}

/**
 * Whether an answer over a used connection may be about what was sent before. By such an answer, servers say that the
 * connection was idle for too long, or that they took what they had not read for a request; they end the connection with it.
 */
export function maySpeakOfBefore({ status, headers }: Pick<WireResponse, "status" | "headers">): boolean {
  const ends =
    /\bclose\b/i.test(headerValue(headers, "connection") ?? "") ||
    (headerValue(headers, "content-length") === undefined && headerValue(headers, "transfer-encoding") === undefined);
  return status >= 400 && ends;
}
