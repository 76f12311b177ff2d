/**
 * Carries one exchange through http-proxy, and mends here, in one place, what http-proxy does not do by itself.
 *
 * http-proxy makes the request to the upstream from what it is handed, and hands over the answer. Around it:
 * - headers and path go as sent: http-proxy would join repeated fields, lower their case and rewrite the path;
 * - the answer is passed on by `relay.ts`: http-proxy would write its own version of the head, and wait for no tape;
 * - the request body is fed here, so that its trailers pass and a stale keep-alive socket can be replaced;
 * - a client that leaves ends the upstream's request, and an upstream that breaks off breaks off the client.
 *
 * http-proxy stands for its continuation http-proxy-3 1.23 (an alias in package.json): it passes every test of this folder, as 1.18.1 does,
 * ends the upstream's request by itself when a client leaves, is maintained, brings its types, and prints no deprecation warning from
 * Node 22 on. Neither passes the tests alone: both join headers and rewrite paths, leave clients hanging when the upstream dies in mid-body,
 * and answer a stale keep-alive socket with an error. Nothing here depends on which of them stands under the name.
 */
import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { addTrailers, answer, describeError } from "./answer.ts";
import { pathAt, requestFields } from "./hops.ts";
import { hasLeft, onLeave } from "./leaving.ts";
import { onceKept, type Recording } from "./recording.ts";
import { type Admit, type RawInformation, relayBody, relayHead, relayInformation } from "./relay.ts";

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
  readonly admit: Admit;
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
        to.on("information", (information) => {
          answered = true;
          relayInformation(req, res, information as RawInformation);
        });
        to.on("response", (incoming) => {
          settled = true;
          answered = true;
          held = undefined;
          incoming.on("error", silence);
          if (res.destroyed || res.headersSent) return void to.destroy();
          try {
            relayHead(req, res, incoming);
          } catch (error) {
            to.destroy();
            return void unreachable(error as Error);
          }
          relayBody(passage, incoming);
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
      const ssl = requestOptions(fields, path);
      carrier.web(req, res, { target, agent, secure, ssl, buffer: body, selfHandleResponse: true }, failed);
    } catch (error) {
      failed(error as Error);
    }
  }

  function unreachable(error: Error): void {
    const problem = `${upstream.origin} gave no answer: ${describeError(error)}`;
    recording.end("upstream");
    passage.onProblem(problem);
    const reply = { status: 502, type: "text/plain; charset=utf-8", body: `touchstone: ${problem}\n` };
    onceKept(recording, () => answer(req, res, reply));
  }

  send();
}

const isChunked = (req: IncomingMessage): boolean => req.headers["transfer-encoding"] !== undefined;
