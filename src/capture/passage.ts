/**
 * Carries one exchange through http-proxy, and mends here, in one place, what http-proxy does not do by itself.
 *
 * http-proxy makes the request to the upstream from what it is handed, and pipes the answer back. Around it:
 * - headers and path go as sent: http-proxy would join repeated fields, lower their case and rewrite the path;
 * - the response head is written from the raw fields, before http-proxy would write its own version of it;
 * - the request body is fed here, so that its trailers pass and a stale keep-alive socket can be replaced;
 * - a client that leaves ends the upstream's request, and an upstream that breaks off breaks off the client.
 *
 * http-proxy stands for its continuation http-proxy-3 1.23 (an alias in package.json): it passes every test of this folder, as 1.18.1 does,
 * ends the upstream's request by itself when a client leaves, is maintained, brings its types, and prints no deprecation warning from
 * Node 22 on. Neither passes the tests alone: both join headers and rewrite paths, leave clients hanging when the upstream dies in mid-body,
 * and answer a stale keep-alive socket with an error. Nothing here depends on which of them stands under the name.
 */
import type { Agent, ClientRequest, IncomingMessage, InformationEvent, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addTrailers, answer, breakOff, describeError } from "./answer.ts";
import { pathAt, requestFields, responseFields } from "./hops.ts";
import { hasLeft, onLeave } from "./leaving.ts";
import type { Recording } from "./recording.ts";

/** Where requests go. */
export interface Upstream {
  /** Scheme and authority. */
  readonly origin: string;
  /** Path put before every request's own; without a slash at its end. */
  readonly base: string;
  /** What the Host field says. */
  readonly authority: string;
  readonly target: {
    readonly protocol: string;
    readonly host: string;
    readonly hostname: string;
    readonly port: string;
  };
  readonly agent: Agent;
}

/** What is used of http-proxy. */
export interface Carrier {
  web(req: IncomingMessage, res: ServerResponse, options: object, failed: (error: Error) => void): void;
  on(event: "error", listener: () => void): unknown;
}

export interface Passage {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly upstream: Upstream;
  readonly recording: Recording;
  readonly carrier: Carrier;
  /** Verify the upstream's certificate. */
  readonly secure: boolean;
  /** Request bytes that were read before; the rest comes from `req`, if it is not at its end. */
  readonly before: readonly Uint8Array[];
  /** A promise while the tape lags behind: no more is read until then. */
  readonly admit: () => Promise<void> | undefined;
  readonly onProblem: (problem: string) => void;
}

/** Request bytes kept for sending them a second time on a fresh connection. */
const mostHeld = 4 << 20;

/**
 * A request on a kept-alive socket that dies without an answer may be sent again: the upstream closed the idle socket
 * while the request was on its way. Such a close arrives within a round trip. One that comes later means that the
 * upstream had the request in hand, and what is not idempotent must not be asked, and paid for, twice.
 */
const crossing = 1_000;
const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]);

/** The most that header fields may take, in bytes, in either direction. */
export const mostHeader = 128 << 10;

const silence = (): void => {};

/**
 * What http-proxy fills in for `http.request`: it may set these two members, but they keep what they say.
 * The accessors are shared, since accessors of one's own give every object a hidden class that only a full collection frees.
 */
const lasting = {
  headers: {
    enumerable: true,
    get: function (this: Sent) {
      return this.sent.headers;
    },
    set: silence,
  },
  path: {
    enumerable: true,
    get: function (this: Sent) {
      return this.sent.path;
    },
    set: silence,
  },
};
interface Sent {
  readonly sent: { readonly headers: readonly string[]; readonly path: string };
}

const requestOptions = (headers: readonly string[], path: string): object =>
  Object.defineProperties({ sent: { headers, path }, maxHeaderSize: mostHeader }, lasting);

/** Carries an exchange whose head has come; everything from here on happens by events. */
export function carry(passage: Passage): void {
  const { req, res, upstream, recording } = passage;
  const method = req.method!;
  const path = pathAt(upstream.base, req.url!);
  const fields = requestFields(method, req.rawHeaders, upstream.authority);
  let attempt: ClientRequest | undefined;
  let requestDone = req.readableEnded;
  /** Something of an answer came: sending again is out of the question. */
  let answered = false;
  /** The request's bytes so far, while they may have to be sent again. */
  let held: Uint8Array[] | undefined = [...passage.before];
  let heldBytes = held.reduce((sum, { length }) => sum + length, 0);

  function hold(bytes: Uint8Array): void {
    heldBytes += bytes.length;
    if (heldBytes > mostHeld) held = undefined;
    else held?.push(bytes);
  }

  function endRequest(to: ClientRequest): void {
    if (req.rawTrailers.length > 0 && isChunked(req)) addTrailers(to, req.rawTrailers);
    to.end();
  }

  /** Lets a body wait for the tape. */
  function wait(body: IncomingMessage): void {
    const caughtUp = passage.admit();
    if (!caughtUp) return;
    body.pause();
    void caughtUp.then(() => body.resume());
  }

  req.on("data", (bytes: Buffer) => {
    recording.requestBytes(bytes);
    if (held) hold(bytes);
    if (attempt && !attempt.destroyed && !attempt.write(bytes)) req.pause();
    else wait(req);
  });
  req.on("end", () => {
    requestDone = true;
    if (attempt && !attempt.destroyed) endRequest(attempt);
  });
  const watched = onLeave(req.socket, left);
  res.on("close", () => {
    // A request that was answered before its body had come lives on as long as its client.
    if (!res.writableFinished) left();
    else if (requestDone) watched();
  });
  req.on("error", silence);
  res.on("error", silence);

  function left(): void {
    recording.end("client");
    attempt?.destroy();
  }

  function send(): void {
    if (res.destroyed || hasLeft(req.socket)) return void left();
    const sentAt = performance.now();
    let settled = false;
    const failed = (error: NodeJS.ErrnoException): void => {
      if (settled) return;
      settled = true;
      if (res.destroyed || hasLeft(req.socket)) return;
      const stale =
        attempt?.reusedSocket === true &&
        held !== undefined &&
        !answered &&
        (error.code === "ECONNRESET" || error.code === "EPIPE") &&
        (idempotent.has(method) || performance.now() - sentAt < crossing);
      if (!stale) return void unreachable(error);
      attempt = undefined;
      // Other idle sockets may be as stale; the next attempt has to get a fresh connection.
      for (const sockets of Object.values(upstream.agent.freeSockets)) for (const idle of sockets ?? []) idle.destroy();
      setImmediate(send);
    };
    /** http-proxy pipes what stands in for the body into its request, before it listens for the response. */
    const body = {
      pipe(to: ClientRequest) {
        attempt = to;
        to.maxHeadersCount = 0;
        to.on("information", (information) => relayInformation(information as RawInformation));
        to.on("response", (incoming) => {
          settled = true;
          respond(to, incoming);
        });
        to.on("close", () => failed(new Error("the connection was closed without an answer")));
        to.on("drain", () => req.resume());
        for (const bytes of held ?? []) to.write(bytes);
        if (heldBytes > mostHeld) held = undefined;
        if (requestDone) endRequest(to);
        else req.resume();
      },
    };
    const { carrier, secure } = passage;
    const { target, agent } = upstream;
    try {
      carrier.web(req, res, { target, agent, secure, ssl: requestOptions(fields, path), buffer: body }, failed);
    } catch (error) {
      failed(error as Error);
    }
  }

  function relayInformation({ statusCode, statusMessage, rawHeaders }: RawInformation): void {
    answered = true;
    if (req.httpVersion === "1.0") return;
    const raw = responseFields(rawHeaders, false, false);
    let head = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`;
    for (let i = 0; i < raw.length; i += 2) head += `${raw[i]}: ${raw[i + 1]}\r\n`;
    const write = (socket: Socket): void => void socket.write(`${head}\r\n`, "latin1");
    // Behind a pipelined exchange that is not over yet, the socket comes later.
    if (res.socket) write(res.socket);
    else res.once("socket", write);
  }

  function respond(from: ClientRequest, incoming: IncomingMessage): void {
    answered = true;
    held = undefined;
    incoming.on("error", silence);
    if (res.destroyed || res.headersSent) return void from.destroy();
    const { statusCode: status = 0, statusMessage: reason = "", socket } = incoming;
    const framing = req.httpVersion !== "1.0" && status !== 204 && status !== 304;
    try {
      res.sendDate = false;
      // A connection of HTTP/1.1 stays open without being told so.
      if (res.shouldKeepAlive && req.httpVersion !== "1.0") res.removeHeader("connection");
      res.writeHead(status, reason, responseFields(incoming.rawHeaders, framing, method !== "HEAD") as never);
    } catch (error) {
      from.destroy();
      return void unreachable(error as Error);
    }
    recording.responseHead(status, reason, incoming.rawHeaders);
    let begun = false;
    incoming.on("data", (bytes: Buffer) => {
      begun = true;
      recording.responseBytes(bytes);
      wait(incoming);
    });
    incoming.on("end", () => {
      begun = true;
      if (incoming.rawTrailers.length > 0 && res.chunkedEncoding) addTrailers(res, incoming.rawTrailers);
      recording.end(undefined, incoming.rawTrailers);
    });
    incoming.on("close", () => {
      if (incoming.complete) return;
      recording.end("upstream");
      breakOff(res, (socket.errored as NodeJS.ErrnoException | null)?.code === "ECONNRESET");
    });
    // A head that comes before its body goes to the client before it, too.
    setImmediate(() => {
      if (!begun && !res.destroyed) res.flushHeaders();
    });
  }

  function unreachable(error: Error): void {
    const problem = `${upstream.origin} gave no answer: ${describeError(error)}`;
    recording.end("upstream");
    passage.onProblem(problem);
    answer(req, res, { status: 502, type: "text/plain; charset=utf-8", body: `touchstone: ${problem}\n` });
  }

  send();
}

type RawInformation = InformationEvent & { readonly rawHeaders: readonly string[] };

const isChunked = (req: IncomingMessage): boolean => req.headers["transfer-encoding"] !== undefined;
