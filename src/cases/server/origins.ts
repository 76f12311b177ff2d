/** Two servers: the one that a client is told, and another origin to which only redirects and addresses lead. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { utf8 } from "../../wire/build.ts";
import { type Callers, refusalOf } from "../../wire/callers.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { maxUnaccepted } from "../../wire/listen.ts";
import type { Answer } from "../answer.ts";
import { serveConnection } from "./connection.ts";
import type { Trial } from "./trial.ts";

export interface Origins {
  /** `http://HOST:PORT` */
  readonly url: string;
  /** The second origin: another name and another port. */
  readonly other: string;
  /** Closes every connection that is open, or those of one trial; those that come later are served. */
  readonly drop: (of?: Trial) => void;
  readonly close: () => Promise<void>;
}

export interface OriginsOptions {
  /** Loopback unless said. */
  readonly host?: string;
  /** Any free port unless said. */
  readonly port?: number;
  /** The trial that a request belongs to. */
  readonly trialOf: (request: WireRequest) => Trial;
  /** The answer to a request that is of no trial; undefined where it is of one. */
  readonly aside?: (request: WireRequest) => Answer | undefined;
  /** Who may call; anyone unless said. */
  readonly callers?: Callers | undefined;
  /** Bytes came that are no HTTP. */
  readonly broken?: (problem: string) => void;
}

async function listening(server: Server, port: number, host: string): Promise<number> {
  server.listen({ port, host, backlog: maxUnaccepted });
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** An answer to a page that has no business here. */
const forbidden = (why: string): Answer => ({
  status: 403,
  headers: [["Content-Type", "text/plain; charset=utf-8"]],
  pieces: [{ bytes: utf8(`${why}\n`) }],
  closes: true,
  said: { text: "", calls: [] },
  isComplete: false,
});

const urlOf = (host: string, port: number): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** Listens; rejects with the socket's own error. */
export async function openOrigins({
  host = "127.0.0.1",
  port = 0,
  trialOf,
  aside,
  callers,
  broken = () => undefined,
}: OriginsOptions): Promise<Origins> {
  /** Open connections, each with the trial of its latest request. */
  const sockets = new Map<Socket, Trial | undefined>();
  let connections = 0;
  let url = "";
  let other = "";

  const serverOf = (isOther: boolean): Server =>
    createServer({ allowHalfOpen: true }, (socket) => {
      const connection = connections++;
      /** A connection belongs to the trial of its latest request. */
      let trial: Trial | undefined;
      sockets.set(socket, undefined);
      serveConnection(socket, {
        answer(request) {
          const refusal = callers && refusalOf(request, callers);
          if (refusal !== undefined) return { answer: forbidden(refusal), done: () => undefined };
          const answer = aside?.(request);
          if (answer) return { answer, done: () => undefined };
          const own = trialOf(request);
          if (trial !== own) own.opened(connection);
          trial = own;
          sockets.set(socket, own);
          const { planned, done } = own.take(request, { connection, isOther, origin: url, other });
          return { answer: planned.answer, done };
        },
        broken,
        closed(by) {
          sockets.delete(socket);
          trial?.closed(connection, by);
        },
      });
    });

  const servers = [serverOf(false), serverOf(true)] as const;
  url = urlOf(host, await listening(servers[0], port, host));
  const otherPort = await listening(servers[1], 0, "127.0.0.1");
  // Names are resolved to either family; where there is no IPv6, clients fall back.
  const sixth = serverOf(true);
  await listening(sixth, otherPort, "::1").catch(() => undefined);
  other = urlOf("localhost", otherPort);

  const drop = (of?: Trial): void => {
    for (const [socket, trial] of sockets) if (of === undefined || of === trial) socket.destroy();
  };
  return {
    url,
    other,
    drop,
    async close() {
      drop();
      await Promise.all(
        [...servers, sixth].map((server) =>
          server.listening ? new Promise((resolve) => server.close(resolve)) : undefined,
        ),
      );
    },
  };
}
