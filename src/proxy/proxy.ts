/** The recording reverse proxy: listens, chooses the upstream, and lets every exchange pass while the tape is told of it. */
import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import type { WireRequest } from "../wire/exchange.ts";
import { mostUnaccepted, pairsOf } from "../wire/listen.ts";
import { answer, type LocalReply } from "./answer.ts";
import { onLeave } from "./disconnect.ts";
import { carry, mostHeader, type Upstream } from "./forward.ts";
import { createHandover } from "./handover.ts";
import { type Caps, type Recording, record } from "./observation.ts";
import type { Tape } from "./observer.ts";
import { inTurn } from "./pipelining.ts";

export interface ProxyOptions {
  readonly listen?: { readonly host?: string; readonly port?: number };
  /** `default` takes what no interface of `byInterface` claims. Base URLs: `http://host/prefix`. */
  readonly upstreams: { readonly default?: URL; readonly byInterface?: Readonly<Record<string, URL>> };
  /** The interface a request belongs to; needed for `byInterface`. */
  readonly route?: (method: string, target: string) => string | undefined;
  /** Accept any certificate of an upstream. */
  readonly insecure?: boolean;
  /** Bytes of each body that are kept; the rest passes and is marked as cut. Default 64 MiB. */
  readonly maxBody?: number;
  readonly screen?: Screen;
  /** New requests and further bytes wait for it, where it gives a promise: so a tape that lags keeps memory bounded. */
  readonly admit?: () => Promise<void> | undefined;
  readonly tape: Tape;
  /** Trouble between us and an upstream, in one line. */
  readonly onProblem?: (problem: string) => void;
}

/** Decides on requests before they are forwarded; their bodies are then read whole. */
export interface Screen {
  /** Bytes of a body beyond which its request passes, as it does beyond `maxBody`. */
  readonly mostBytes: number;
  /** A reply answers the request here. Never rejects. */
  readonly judge: (request: WireRequest) => Promise<LocalReply | undefined>;
  /** Told, in a line, why a request passes unjudged. */
  readonly onSkip: (why: string) => void;
}

export interface RecordingProxy {
  /** `http://HOST:PORT` */
  readonly url: string;
  /** Exchanges that have begun and not ended, and those of them that began first, with the milliseconds they last. */
  readonly inFlight: () => { readonly count: number; readonly longest: readonly Flight[] };
  /** Stops listening and breaks off what is in flight; the tape gets the end of every exchange. */
  readonly close: () => Promise<void>;
}

/** An exchange that has begun and not ended. */
export interface Flight {
  readonly method: string;
  /** As sent: it may hold secrets. */
  readonly target: string;
  readonly time: number;
}

/** How many of the exchanges in flight are told. */
const mostTold = 5;

const defaultMaxBody = 64 << 20;

/** How many bodies of full size may be on the tape at once. */
const bodiesAtOnce = 8;

/** An idle client connection is kept for as long as any upstream is likely to keep its own. */
const idleFor = 10 * 60_000;

function upstreamAt(url: URL, insecure: boolean): Upstream {
  const { protocol, hostname, host, port, pathname, origin } = url;
  const options = { keepAlive: true, ...(insecure && { rejectUnauthorized: false }) };
  const { Agent, request } = protocol === "https:" ? https : http;
  return {
    origin,
    base: pathname.replace(/\/+$/, ""),
    authority: host,
    host: hostname.replace(/^\[|\]$/g, ""),
    port,
    request,
    agent: new Agent(options),
  };
}

/** Bytes of a request's body that have not been read, of which `had` have; one where nobody can know. */
function missingOf(req: IncomingMessage, had: number): number {
  if (req.complete) return req.readableLength;
  return Math.max(1, Number(req.headers["content-length"] ?? 0) - had);
}

/** Starts the proxy. Rejects with the socket's own error when it cannot listen. */
export async function startProxy(options: ProxyOptions): Promise<RecordingProxy> {
  const { tape, screen, admit = () => undefined, route, insecure = false, onProblem = () => {} } = options;
  const handover = createHandover(tape);
  const caps: Caps = { maxBody: options.maxBody ?? defaultMaxBody, left: 0 };
  caps.left = bodiesAtOnce * caps.maxBody;
  const fallback = options.upstreams.default && upstreamAt(options.upstreams.default, insecure);
  const byInterface = new Map<string | undefined, Upstream>(
    Object.entries(options.upstreams.byInterface ?? {}).map(([name, url]) => [name, upstreamAt(url, insecure)]),
  );
  const open = new Map<
    number,
    { readonly recording: Recording; readonly req: IncomingMessage; readonly since: number }
  >();
  let count = 0;

  function handle(req: IncomingMessage, res: ServerResponse): void {
    const id = count++;
    const request = { method: req.method!, target: req.url!, headers: req.rawHeaders };
    const upstream = (byInterface.size > 0 && byInterface.get(route?.(request.method, request.target))) || fallback;
    const recording = record(tape, handover, id, request, upstream?.origin, caps, (had) => missingOf(req, had));
    open.set(id, { recording, req, since: performance.now() });
    const gone = onLeave(req.socket, () => {
      recording.end("client");
      open.delete(id);
    });
    res.on("close", () => {
      gone();
      open.delete(id);
    });
    if (!upstream)
      // Without the path, which may hold a key: this is shown as it is.
      return void refuse(req, res, recording, 404, "no upstream is set for the interface of this request");
    if (req.headers.upgrade?.toLowerCase() === "websocket")
      return void refuse(req, res, recording, 501, "WebSocket connections are not carried by this proxy");
    const go = (before: readonly Uint8Array[]): void =>
      carry({ req, res, upstream, recording, before, admit, onProblem });
    const start = (): void => (screen ? screened(req, res, recording, screen, caps, go) : go([]));
    const wait = admit();
    if (wait) void wait.then(start);
    else start();
  }

  function refuse(req: IncomingMessage, res: ServerResponse, recording: Recording, status: number, why: string): void {
    onProblem(why);
    answer(req, res, { status, type: "text/plain; charset=utf-8", body: `touchstone: ${why}\n` }, recording);
  }

  const take = (req: IncomingMessage, res: ServerResponse): void => inTurn(req, res, () => handle(req, res));
  const server = http.createServer(
    // Uploads and streams may take as long as they take; only heads have a deadline.
    {
      keepAliveTimeout: idleFor,
      requestTimeout: 0,
      headersTimeout: 60_000,
      maxHeaderSize: mostHeader,
    },
    take,
  );
  server.maxHeadersCount = 0;
  // Expectations are the upstream's to meet or to refuse.
  server.on("checkContinue", take);
  server.on("checkExpectation", take);
  const host = options.listen?.host ?? "127.0.0.1";
  server.listen({ port: options.listen?.port ?? 0, host, backlog: mostUnaccepted });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    inFlight() {
      const longest: Flight[] = [];
      for (const { req, since } of open.values()) {
        if (longest.length === mostTold) break;
        longest.push({ method: req.method!, target: req.url!, time: performance.now() - since });
      }
      return { count: open.size, longest };
    },
    async close() {
      server.close();
      for (const { recording, req } of open.values()) {
        recording.end("client");
        req.socket.destroy();
      }
      server.closeAllConnections();
      await once(server, "close");
      for (const { agent } of [...byInterface.values(), ...(fallback ? [fallback] : [])]) agent.destroy();
    },
  };
}

/** Reads a request whole before it goes on, so that it can be refused. One beyond the bounds goes on unjudged. */
function screened(
  req: IncomingMessage,
  res: ServerResponse,
  recording: Recording,
  { mostBytes, judge, onSkip }: Screen,
  caps: Readonly<Caps>,
  go: (before: readonly Uint8Array[]) => void,
): void {
  const pieces: Uint8Array[] = [];
  const most = Math.min(mostBytes, caps.maxBody);
  let length = 0;
  if (req.headers.expect !== undefined) res.writeContinue();
  const take = (bytes: Uint8Array): void => {
    recording.requestBytes(bytes);
    pieces.push(bytes);
    length += bytes.length;
    if (length > most) pass(`its body has more than ${most} bytes`);
    else if (caps.left === 0) pass("the bodies of all requests together take too much memory");
  };
  const whole = (): void => {
    release();
    const { method = "", url = "", rawHeaders } = req;
    const request = { method, target: url, headers: pairsOf(rawHeaders), body: Buffer.concat(pieces) };
    void judge(request).then((reply) => (reply ? answer(req, res, reply, recording) : go(pieces)));
  };
  const pass = (why: string): void => {
    release();
    req.pause();
    onSkip(why);
    go(pieces);
  };
  const release = (): void => {
    req.off("data", take).off("end", whole);
  };
  req.on("data", take).on("end", whole);
  req.on("error", () => {});
}
