/** Bare sockets for tests of the proxy: an upstream and a client that see every byte. */
import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Exchange } from "../wire/exchange.ts";
import { collectExchanges } from "./collector.ts";
import { type ProxyOptions, type RecordingProxy, startProxy } from "./proxy.ts";

/** Closes it after the test, what was opened last first. */
export function kept<T extends { close(): unknown }>(one: T): T {
  onTestFinished(async () => void (await one.close()));
  return one;
}

/** A TCP server on a free loopback port that hands every connection to `serve`. */
export async function rawServer(serve: (socket: Socket) => unknown): Promise<{
  readonly url: URL;
  readonly port: number;
  readonly sockets: ReadonlySet<Socket>;
  readonly close: () => void;
}> {
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    // A script whose socket closes under it has nothing left to do.
    Promise.resolve(serve(socket)).catch(() => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    port,
    sockets,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The bytes that have come over a socket so far, and a way to wait for more. */
export interface Wire {
  readonly socket: Socket;
  /** Everything that came, one character a byte. */
  text(): string;
  /** Resolves when what came satisfies the condition; rejects when the socket ends first. */
  until(condition: (text: string) => boolean): Promise<string>;
  /** Resolves when the socket is closed, with the error code where there was one. */
  readonly closed: Promise<string | undefined>;
}

export function wireOf(socket: Socket): Wire {
  let text = "";
  let code: string | undefined;
  const waiting = new Set<() => void>();
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1");
    for (const check of waiting) check();
  });
  socket.on("error", (error: NodeJS.ErrnoException) => (code = error.code));
  const closed = new Promise<string | undefined>((resolve) => socket.once("close", () => resolve(code)));
  return {
    socket,
    text: () => text,
    closed,
    until: (condition) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!condition(text)) return;
          waiting.delete(check);
          resolve(text);
        };
        waiting.add(check);
        closed.then(() => reject(new Error(`closed (${code}) after ${JSON.stringify(text)}`)));
        check();
      }),
  };
}

/** Connects and sends. */
export function rawClient(port: number | string, bytes = ""): Wire {
  const socket = net.connect(Number(port), "127.0.0.1");
  if (bytes) socket.write(bytes, "latin1");
  return wireOf(socket);
}

/** A proxy that keeps its exchanges. */
export async function rig(
  options: Omit<ProxyOptions, "observer">,
): Promise<RecordingProxy & { readonly port: string; readonly exchanges: Exchange[]; readonly problems: string[] }> {
  const exchanges: Exchange[] = [];
  const problems: string[] = [];
  const proxy = await startProxy({
    ...options,
    observer: collectExchanges((exchange) => exchanges.push(exchange)),
    onProblem: (problem) => problems.push(problem),
  });
  kept(proxy);
  return { ...proxy, port: new URL(proxy.url).port, exchanges, problems };
}

/** Resolves when the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}
