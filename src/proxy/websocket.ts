/**
 * Carries WebSockets: a request that asks for one goes to the upstream, and behind its 101 bytes pass both ways until either
 * side ends.
 *
 * Heads and the number of bytes are told; the bytes are neither read nor kept. http-proxy (http-proxy-3) makes the request,
 * passes the 101 and pipes. These of its ways are replaced here, as of version 1.23:
 *
 * - A refusal is passed on without regard to how fast the client reads. If the upstream breaks it off, the client waits for ever.
 *   It goes the way of all other answers instead (`relay.ts`), and so do failures before any answer.
 * - A client that leaves before the 101 leaves the request open, and its connection behind it.
 * - A client that breaks off while the upstream is not read, since the client was slow, leaves the upstream's connection open
 *   for ever. A side that never ends a connection that the other side has ended does so, too.
 * - Headers are written in lower case, joined, and as UTF-8 where they came as Latin-1; the path is normalised.
 *
 * Some things are lost all the same. Fields of a repeated name stand together, in the spelling of the first. The reason of a
 * 101 is `Switching Protocols`. Interim responses before it are left out.
 */
import { type ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { hopByHop } from "../wire/headers.ts";
import { answer, describeError } from "./answer.ts";
import { isDisconnected, onDisconnect } from "./disconnect.ts";
import { pathAt } from "./hop-by-hop.ts";
import type { ObservedExchange } from "./observed-exchange.ts";
import type { Backpressure } from "./observer.ts";
import { relayBody, relayHead } from "./relay.ts";
import { recordUnforwardable } from "./unforwardable.ts";
import type { Upstream } from "./upstream.ts";
import type { HeldBack } from "./write-ahead.ts";

/** Whether a request asks for a WebSocket. All other protocols it may offer are left alone, as HTTP allows. */
const asksForWebSocket = ({ method, httpVersion, headers }: IncomingMessage): boolean =>
  method === "GET" &&
  httpVersion === "1.1" &&
  headers.upgrade?.toLowerCase() === "websocket" &&
  // A body would be taken for frames.
  headers["transfer-encoding"] === undefined &&
  (headers["content-length"] ?? "0") === "0";

/**
 * A request whose connection Node gives away only for a WebSocket. Node asks `upgrade` whether to. To a server that listens for
 * upgrades it would give away every connection whose client offers any protocol, such as `h2c`.
 */
export class ProxiedRequest extends IncomingMessage {
  declare private offered: boolean | null;

  get upgrade(): boolean | null {
    return this.offered && (this.method === "CONNECT" || asksForWebSocket(this));
  }

  set upgrade(offered: boolean | null) {
    this.offered = offered;
  }
}

export interface WebSocketForwarding {
  readonly req: IncomingMessage;
  readonly socket: Socket;
  /** Bytes that came with the request's head, behind it. */
  readonly head: Buffer;
  readonly upstream: Upstream;
  readonly observed: ObservedExchange;
  readonly backpressure: Backpressure;
  /** Accept any certificate of the upstream. */
  readonly insecure: boolean;
  /** Milliseconds that a connection may stay without a byte once one side has ended it. */
  readonly halfOpenFor: number;
  readonly onProblem: (problem: string) => void;
}

const silence = (): void => {};
const nothingHeld: HeldBack = { beforeFlush: silence, pause: silence, resume: silence };

/** An answer to a request whose connection Node has given away; the connection ends with it. */
export function answerOn(req: IncomingMessage, socket: Socket, halfOpenFor: number): ServerResponse {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.on("error", silence);
  res.assignSocket(socket);
  const drained = (): void => void res.emit("drain");
  socket.on("drain", drained);
  res.on("finish", () => {
    socket.off("drain", drained);
    res.detachSocket(socket);
    endSoon(socket, halfOpenFor);
  });
  return res;
}

/** Ends a connection whose other side is to take what was written to it, and may say no more. */
function endSoon(socket: Socket, halfOpenFor: number): void {
  // A closed connection emits nothing more: a timer would stay until it fires.
  if (socket.destroyed) return;
  const destroy = (): void => void socket.destroy();
  socket.setTimeout(halfOpenFor, destroy);
  socket.end(() => {
    if (socket.destroyed) return;
    const last = setTimeout(destroy, halfOpenFor);
    socket.once("close", () => clearTimeout(last));
  });
  // Closing over bytes that nobody read would take from the other side what it has not read yet.
  socket.resume();
}

/** Fields by name as they were spelled first, in order: what Node takes and http-proxy writes. */
function fieldsOf(raw: readonly string[], skip: (name: string) => boolean = () => false): Record<string, string[]> {
  const spelled = new Map<string, string>();
  const fields: Record<string, string[]> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const lower = raw[i]!.toLowerCase();
    if (skip(lower)) continue;
    const name = spelled.get(lower) ?? raw[i]!;
    spelled.set(lower, name);
    if (Object.hasOwn(fields, name)) fields[name]!.push(raw[i + 1]!);
    else Object.defineProperty(fields, name, { value: [raw[i + 1]!], enumerable: true });
  }
  return fields;
}

/** Fields that the request keeps though they are hop-by-hop: they ask for the WebSocket. */
const asking = new Set(["connection", "upgrade"]);

/** Writes the request's head as the client sent it, for this upstream. */
function writeHead(made: ClientRequest, { req, upstream }: WebSocketForwarding): void {
  for (const name of made.getHeaderNames()) made.removeHeader(name);
  for (const [name, values] of Object.entries(
    fieldsOf(req.rawHeaders, (lower) => hopByHop.has(lower) && !asking.has(lower)),
  ))
    made.setHeader(name, /^host$/i.test(name) ? upstream.authority : values.length === 1 ? values[0]! : values);
  made.path = pathAt(upstream.base, req.url!);
  made.maxHeadersCount = 0;
}

/** Counts what passes, and ends what http-proxy leaves open when one side ends. */
function watch(forward: WebSocketForwarding, to: Socket): void {
  const { socket, observed, halfOpenFor } = forward;
  const passed = { sent: 0, received: 0 };
  let ended: "client" | "upstream" | undefined;
  let aborted: typeof ended;
  observed.upgraded(() => ({ ...passed, ended: ended ?? "client" }));
  const end = (side: "client" | "upstream", broken: boolean): void => {
    if (ended) return;
    ended = side;
    if (broken) aborted = side;
    for (const one of [socket, to]) one.setTimeout(halfOpenFor, () => void one.destroy());
  };
  socket.on("data", ({ length }: Buffer) => (passed.sent += length));
  to.on("data", ({ length }: Buffer) => (passed.received += length));
  socket.on("end", () => end("client", false));
  to.on("end", () => end("upstream", false));
  socket.on("error", () => end("client", true));
  to.on("error", () => end("upstream", true));
  to.on("close", () => {
    end("upstream", false);
    endSoon(socket, halfOpenFor);
  });
  socket.on("close", () => {
    end("client", false);
    observed.end(aborted);
    // The client's bytes may still be on their way to an upstream that has said all it had to say.
    if (!to.readableEnded) to.destroy();
  });
}

/** Carries a request for a WebSocket, once all that its connection was asked before is answered. */
export async function forwardWebSocket(forward: WebSocketForwarding): Promise<void> {
  const { req, socket, head, upstream, observed, backpressure, insecure, halfOpenFor, onProblem } = forward;
  let made: ClientRequest | undefined;
  const left = (): void => {
    observed.end("client");
    made?.destroy();
    socket.destroy();
  };
  const watched = onDisconnect(socket, left);
  await backpressure();
  const { createProxyServer } = await import("http-proxy");
  if (isDisconnected(socket)) return left();

  /** Answers for the upstream. */
  const tellClient = (problem: string, res: ServerResponse): void => {
    onProblem(problem);
    const reply = { status: 502, type: "text/plain; charset=utf-8", body: `touchstone: ${problem}\n` };
    observed.whenFlushed(() => answer(req, res, reply));
  };
  const failed = (error: Error): void => {
    if (isDisconnected(socket)) return;
    observed.end("upstream");
    const res = answerOn(req, socket, halfOpenFor);
    tellClient(`${upstream.origin} gave no answer: ${describeError(error)}`, res);
  };

  const proxy = createProxyServer({
    target: upstream.origin,
    agent: upstream.agent,
    // The server name of TLS is taken from the Host field before it can be set here.
    changeOrigin: true,
    // The path is set here, whole.
    toProxy: true,
    ignorePath: true,
    secure: !insecure,
  });
  // An error on a client's connection would be thrown, though a listener elsewhere hears it.
  proxy.on("error", silence);
  proxy.on("proxyReqWs", (request) => {
    made = request;
    writeHead(request, forward);
    // Before http-proxy writes the head and begins to pipe.
    request.on("upgrade", (incoming) => {
      watched();
      request.off("error", failed).on("error", silence);
      observed.responseHead(incoming.statusCode ?? 0, incoming.statusMessage ?? "", incoming.rawHeaders);
      observed.holdBack(socket, nothingHeld);
      incoming.headers = fieldsOf(incoming.rawHeaders) as never;
      socket.setDefaultEncoding("latin1");
    });
  });
  try {
    proxy.ws(req, socket, head, {}, silence);
  } catch (error) {
    made?.on("error", silence).destroy();
    return void failed(error as Error);
  }
  const request = made!;
  request.removeAllListeners("error").removeAllListeners("response");
  request.on("error", failed);
  // And once it pipes.
  request.on("upgrade", (_, to) => watch(forward, to));
  request.on("response", (incoming) => {
    request.off("error", failed).on("error", silence);
    incoming.on("error", silence);
    const res = answerOn(req, socket, halfOpenFor);
    res.on("finish", watched);
    try {
      relayHead(req, res, incoming);
    } catch (error) {
      recordUnforwardable(forward, incoming, watched);
      const problem = `${upstream.origin} answered what HTTP does not let pass: ${describeError(error as Error)}`;
      return void tellClient(problem, res);
    }
    relayBody({ req, res, observed, backpressure }, incoming);
  });
}
