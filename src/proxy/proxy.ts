/** The recording reverse proxy: listens, chooses the upstream, and lets every exchange pass while the observer is notified of it. */
import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Callers, isLoopback, refusalBody, refusalOf } from "../wire/callers.ts";
import { connectTo, type IsOwn } from "../wire/connect.ts";
import { maxUnaccepted, pairsOf } from "../wire/listen.ts";
import { answer, type LocalReply } from "./answer.ts";
import { createDestinations, type DestinationOptions } from "./destinations.ts";
import { onDisconnect } from "./disconnect.ts";
import { forward } from "./forward.ts";
import { createForwardProxy, type Interception } from "./forward-proxy.ts";
import { type BodyLimits, type ObservedExchange, observe } from "./observed-exchange.ts";
import { type Backpressure, type ExchangeObserver, noObserver } from "./observer.ts";
import { limitPipelining, whenAnswered } from "./pipelining.ts";
import { type Screen, screened } from "./screen.ts";
import { maxHeader, type Upstream } from "./upstream.ts";
import { answerOn, forwardWebSocket, ProxiedRequest } from "./websocket.ts";
import { createWriteAhead } from "./write-ahead.ts";

export interface ProxyOptions extends DestinationOptions {
  readonly listen?: { readonly host?: string; readonly port?: number };
  /** Services with an address of their own, at a free port of the same host: all requests to that address go to the service. */
  readonly services?: readonly URL[];
  /** Makes this a forward proxy as well, which opens the traffic with some hosts. */
  readonly intercept?: Interception;
  /** Changes a request's target before anything else sees it, where a client left out a part of the path. */
  readonly completeTarget?: (method: string, target: string) => string;
  /** Bytes of each body that are kept; the rest passes and is marked as cut. Default 64 MiB. */
  readonly maxBody?: number;
  /** Milliseconds that a WebSocket may stay half open without a byte. Default 30 s. */
  readonly halfOpenFor?: number;
  /** Milliseconds that a CONNECT may stay without a byte, or without a connection to its host. Default 10 s. */
  readonly silentFor?: number;
  readonly screen?: Screen;
  /** Whose requests are answered; all unless said. Others are told of in one line a reason, and not observed. */
  readonly callers?: Callers;
  /** New requests and further bytes wait for it, where it gives a promise: an observer that lags takes no more memory then. */
  readonly backpressure?: Backpressure;
  readonly observer: ExchangeObserver;
  /** Trouble between us and an upstream, in one line. */
  readonly onProblem?: (problem: string) => void;
}

export interface RecordingProxy {
  /** `http://HOST:PORT` */
  readonly url: string;
  /** The addresses of `services`, in their order. */
  readonly serviceUrls: readonly string[];
  /** Exchanges that have begun and not ended, and those of them that began first, with the milliseconds they last. */
  readonly inFlight: () => { readonly count: number; readonly longest: readonly OpenExchange[] };
  /** Stops listening and breaks off what is in flight; the observer is notified of the end of every exchange. */
  readonly close: () => Promise<void>;
}

/** An exchange that has begun and not ended. */
export interface OpenExchange {
  readonly method: string;
  /** As sent: it may hold secrets. */
  readonly target: string;
  readonly time: number;
}

/** How many of the exchanges in flight are listed. */
const maxListed = 5;

const defaultMaxBody = 64 << 20;

/** How many bodies of full size may be under way to the observer at once. */
const bodiesAtOnce = 8;

/** An idle client connection is kept for as long as any upstream is likely to keep its own. */
const idleFor = 10 * 60_000;

const defaultHalfOpen = 30_000;
const defaultSilence = 10_000;

/** Reasons of refusals that are told. */
const maxTold = 20;

/** An exchange that has begun. */
interface Begun {
  readonly id: number;
  readonly observed: ObservedExchange;
  /** The address it goes to; none if nothing is set for its interface. */
  readonly upstream: Upstream | undefined;
  /** Tells of trouble with it. */
  readonly onProblem: (problem: string) => void;
}

/** Bytes of a request's body that have not been read, of which `had` have; one where nobody can know. */
function missingOf(req: IncomingMessage, had: number): number {
  if (req.complete) return req.readableLength;
  return Math.max(1, Number(req.headers["content-length"] ?? 0) - had);
}

const noHost: LocalReply = { status: 400, type: "text/plain; charset=utf-8", body: "touchstone: no such host\n" };

/** Fields of a request without the password for this proxy, in a flat list. */
const withoutProxyPassword = (raw: readonly string[]): readonly string[] =>
  raw.filter((_, i) => raw[i - (i % 2)]!.toLowerCase() !== "proxy-authorization");

/** Starts the proxy. Rejects with the socket's own error when it cannot listen. */
export async function startProxy(options: ProxyOptions): Promise<RecordingProxy> {
  const { observer, screen, backpressure = () => undefined, insecure = false, onProblem = () => {} } = options;
  const {
    halfOpenFor = defaultHalfOpen,
    silentFor = defaultSilence,
    callers,
    services = [],
    completeTarget,
    intercept,
  } = options;
  const writeAhead = createWriteAhead(observer);
  const unseenWriteAhead = createWriteAhead(noObserver);
  const limits: BodyLimits = { maxBody: options.maxBody ?? defaultMaxBody, left: 0 };
  limits.left = bodiesAtOnce * limits.maxBody;
  /** Where this listens: addresses by port. */
  const own = new Map<number, string>();
  const isOwn: IsOwn = ({ remotePort = 0, remoteAddress = "", localAddress }) => {
    const address = own.get(remotePort);
    if (address === undefined) return false;
    if (address === "0.0.0.0" || address === "::") return isLoopback(remoteAddress) || remoteAddress === localAddress;
    return remoteAddress.replace(/^::ffff:/, "") === address;
  };
  const destinations = createDestinations(options, isOwn);
  const open = new Map<
    number,
    { readonly observed: ObservedExchange; readonly req: IncomingMessage; readonly since: number }
  >();
  let count = 0;

  function begin(req: IncomingMessage, missing: (had: number) => number): Begun {
    if (destinations.isUnseen(req)) {
      const { method = "", url: target = "", rawHeaders: headers } = req;
      const upstream = destinations.of(req);
      const request = { method, target, headers };
      const observed = observe(noObserver, unseenWriteAhead, -1, request, undefined, { maxBody: 0, left: 0 }, () => 0);
      return { id: -1, observed, upstream, onProblem: () => {} };
    }
    const id = count++;
    if (completeTarget) req.url = completeTarget(req.method!, req.url!);
    const headers = intercept ? withoutProxyPassword(req.rawHeaders) : req.rawHeaders;
    const request = { method: req.method!, target: req.url!, headers };
    const upstream = destinations.of(req);
    const observed = observe(observer, writeAhead, id, request, upstream?.origin, limits, missing);
    open.set(id, { observed, req, since: performance.now() });
    return { id, observed, upstream, onProblem };
  }

  function handle(req: IncomingMessage, res: ServerResponse): void {
    const { id, observed, upstream, onProblem } = begin(req, (had) => missingOf(req, had));
    const stopListening = onDisconnect(req.socket, () => {
      observed.end("client");
      open.delete(id);
    });
    res.on("close", () => {
      stopListening();
      open.delete(id);
    });
    if (!upstream) return void refuse(req, res, observed);
    const go = (alreadyRead: readonly Uint8Array[]): void =>
      forward({ req, res, upstream, observed, alreadyRead, backpressure, onProblem });
    const start = (): void =>
      screen && !destinations.isUnseen(req) ? screened(req, res, observed, screen, limits, go) : go([]);
    const wait = backpressure();
    if (wait) void wait.then(start);
    else start();
  }

  function handleWebSocket(req: IncomingMessage, socket: Socket, head: Buffer): void {
    if (socket.destroyed || turnsAway(req, () => answerOn(req, socket, halfOpenFor))) return;
    const { id, observed, upstream, onProblem } = begin(req, () => 0);
    socket.on("close", () => open.delete(id));
    if (!upstream) return void refuse(req, answerOn(req, socket, halfOpenFor), observed);
    if (!destinations.isUnseen(req)) screen?.onSkip("it asks for a WebSocket, whose messages are not judged");
    void forwardWebSocket({ req, socket, head, upstream, observed, backpressure, insecure, halfOpenFor, onProblem });
  }

  function refuse(req: IncomingMessage, res: ServerResponse, observed: ObservedExchange): void {
    // Without the path, which may hold a key: this is shown as it is.
    const why = intercept
      ? "a request came here without a host: this address is for HTTPS_PROXY and HTTP_PROXY"
      : "no upstream is set for the interface of this request";
    onProblem(why);
    answer(req, res, { status: 404, type: "text/plain; charset=utf-8", body: `touchstone: ${why}\n` }, observed);
  }

  const told = new Set<string>();
  /** Answers a request of a page, or of another user, that may not ask here; false where it may. */
  function turnsAway(req: IncomingMessage, responseOf: () => ServerResponse): boolean {
    if (forwardProxy) {
      forwardProxy.heard(req.socket);
      const named = destinations.readHost(req, intercept!.opens);
      const refusal =
        named === "none" ? undefined : (forwardProxy.refusalOf(req) ?? (named === "host" ? undefined : noHost));
      if (refusal) {
        answer(req, responseOf(), refusal);
        return true;
      }
    }
    // No page can tell its browser to use a proxy.
    const why =
      callers &&
      !destinations.isProxied(req) &&
      refusalOf({ target: req.url!, headers: pairsOf(req.rawHeaders) }, callers);
    if (why === undefined || why === false) return false;
    // A page may ask as often as it likes, and by any name.
    if (!told.has(why) && told.size < maxTold) {
      told.add(why);
      onProblem(`a request was refused: ${why.slice(0, 300)}`);
    }
    answer(req, responseOf(), { status: 403, type: "application/json", body: refusalBody(why) });
    return true;
  }

  const take = (req: IncomingMessage, res: ServerResponse): void =>
    limitPipelining(req, res, () => void (turnsAway(req, () => res) || handle(req, res)));
  function createServer(): http.Server {
    const server = http.createServer(
      // Uploads and streams may take as long as they take; only heads have a deadline.
      {
        keepAliveTimeout: idleFor,
        requestTimeout: 0,
        headersTimeout: 60_000,
        maxHeaderSize: maxHeader,
        IncomingMessage: ProxiedRequest,
      },
      take,
    );
    server.maxHeadersCount = 0;
    // Expectations are the upstream's to meet or to refuse.
    server.on("checkContinue", take);
    server.on("checkExpectation", take);
    server.on("upgrade", (req: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on("error", () => {});
      whenAnswered(socket, () => handleWebSocket(req, socket, head));
    });
    return server;
  }
  const forwardProxy =
    intercept &&
    createForwardProxy({
      ...intercept,
      connect: (at) => connectTo(at, isOwn, silentFor),
      isOwn: ({ host, port }) => own.has(port) && isLoopback(host),
      halfOpenFor,
      silentFor,
      serve(connection, origin) {
        destinations.sendProxied(connection, origin);
        main.server.emit("connection", connection);
      },
      onProblem,
    });
  const host = options.listen?.host ?? "127.0.0.1";
  async function listenAt(port: number, service?: URL): Promise<{ server: http.Server; url: string }> {
    const server = createServer();
    if (service) server.on("connection", (socket: Socket) => destinations.sendAll(socket, service));
    server.listen({ port, host, backlog: maxUnaccepted });
    await once(server, "listening");
    const { port: taken, address } = server.address() as AddressInfo;
    own.set(taken, address);
    return { server, url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}` };
  }
  const main = await listenAt(options.listen?.port ?? 0);
  if (forwardProxy)
    main.server.on("connect", (req: IncomingMessage, socket: Socket, head: Buffer) =>
      whenAnswered(socket, () => forwardProxy.connect(req, socket, head)),
    );
  const others = await Promise.all(services.map((service) => listenAt(0, service)));
  const servers = [main, ...others].map(({ server }) => server);
  return {
    url: main.url,
    serviceUrls: others.map(({ url }) => url),
    inFlight() {
      const longest: OpenExchange[] = [];
      for (const { req, since } of open.values()) {
        if (longest.length === maxListed) break;
        longest.push({ method: req.method!, target: req.url!, time: performance.now() - since });
      }
      return { count: open.size, longest };
    },
    async close() {
      const closed = servers.map((server) => once(server, "close"));
      for (const server of servers) server.close();
      for (const { observed, req } of open.values()) {
        observed.end("client");
        req.socket.destroy();
      }
      forwardProxy?.close();
      for (const server of servers) server.closeAllConnections();
      await Promise.all(closed);
      destinations.close();
    },
  };
}
