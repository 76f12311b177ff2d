/**
 * Carries one exchange to the upstream and back.
 *
 * - Headers and path go as they were sent, and the answer is passed on by `relay.ts`, never before the tape has it.
 * - A client that leaves ends the upstream's request, and an upstream that breaks off breaks off the client.
 * - The body is fed by hand, so that its trailers pass and a stale keep-alive socket can be replaced.
 *
 * Requests are made with node:http itself. http-proxy (1.18.1, or its continuation http-proxy-3 1.23) carried them before, behind mends for
 * all of the above: both join headers and rewrite paths, leave clients hanging when the upstream dies in mid-body, and answer a stale
 * socket with an error. All that was left to it was filling in a request's options, and that took a third of the recorder's time: with short
 * replies `npm run bench proxy` gave the recorder 0.60 to 0.71 of bare http-proxy's requests/s as long as http-proxy carried it, and 0.76 to
 * 0.95 since. The same benchmark has a bare proxy of either kind.
 */
import type { Agent, ClientRequest, IncomingMessage, RequestOptions, ServerResponse } from "node:http";
import { addTrailers, answer, describeError } from "./answer.ts";
import { hasLeft, onLeave } from "./disconnect.ts";
import { pathAt, requestFields } from "./hop-by-hop.ts";
import type { Recording } from "./observation.ts";
import { type Admit, interimRelay, keepUnpassed, type RawInformation, relayBody, relayHead } from "./relay.ts";

/** Where requests go. */
export interface Upstream {
  /** Scheme and authority. */
  readonly origin: string;
  /** Path put before every request's own; without a slash at its end. */
  readonly base: string;
  /** What the Host field says. */
  readonly authority: string;
  readonly host: string;
  readonly port: string;
  /** Of node:http or node:https. */
  readonly request: (options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
}

export interface Passage {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly upstream: Upstream;
  readonly recording: Recording;
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
  /** An answer that cannot be passed on is being kept. */
  let unpassed = false;
  const relayInterim = interimRelay(req, res);
  let interimTold = false;
  /** The request's bytes so far, while they may have to be sent again. */
  let held: Uint8Array[] | undefined = [...passage.before];
  let heldBytes = held.reduce((sum, { length }) => sum + length, 0);

  function hold(bytes: Uint8Array): void {
    heldBytes += bytes.length;
    // A fresh connection is not stale.
    if (attempt && (heldBytes > mostHeld || (attempt.socket && !attempt.reusedSocket))) held = undefined;
    else held?.push(bytes);
  }

  function endRequest(to: ClientRequest): void {
    const fit = req.rawTrailers.length === 0 || !isChunked(req) || addTrailers(to, req.rawTrailers);
    if (fit) to.end();
    else to.destroy(new Error("the request ended in trailers that HTTP does not let pass"));
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
    // A request that was answered before its body had come, or while an answer is still read, lives on as long as its client.
    if (!res.writableFinished) left();
    else if (requestDone && !unpassed) watched();
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
    let to: ClientRequest;
    try {
      const { host, port, agent, request } = upstream;
      to = request({ host, port, agent, method, path, headers: fields, maxHeaderSize: mostHeader });
    } catch (error) {
      return void failed(error as Error);
    }
    attempt = to;
    to.maxHeadersCount = 0;
    to.on("error", failed);
    to.on("information", (information) => {
      answered = true;
      if (relayInterim(information as RawInformation) || interimTold) return;
      interimTold = true;
      passage.onProblem(`${upstream.origin} sent an interim response that HTTP does not let pass; it was left out`);
    });
    // Nobody asked to leave HTTP.
    to.on("upgrade", (incoming, socket) => {
      settled = true;
      answered = true;
      socket.destroy();
      recording.responseHead(incoming.statusCode ?? 0, incoming.statusMessage ?? "", incoming.rawHeaders);
      recording.end("upstream");
      tellClient(`${upstream.origin} switched protocols, which nobody had asked for`);
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
        unpassed = true;
        keepUnpassed(passage, incoming, watched);
        return void tellClient(
          `${upstream.origin} answered what HTTP does not let pass: ${describeError(error as Error)}`,
        );
      }
      relayBody(passage, incoming);
    });
    to.on("close", () => {
      if (!settled) failed(new Error("the connection was closed without an answer"));
    });
    to.on("drain", () => req.resume());
    for (const bytes of held ?? []) to.write(bytes);
    if (heldBytes > mostHeld) held = undefined;
    if (requestDone) endRequest(to);
    else req.resume();
  }

  function unreachable(error: Error): void {
    recording.end("upstream");
    tellClient(`${upstream.origin} gave no answer: ${describeError(error)}`);
  }

  /** Answers for the upstream. */
  function tellClient(problem: string): void {
    passage.onProblem(problem);
    const reply = { status: 502, type: "text/plain; charset=utf-8", body: `touchstone: ${problem}\n` };
    recording.kept(() => answer(req, res, reply));
  }

  send();
}

const isChunked = (req: IncomingMessage): boolean => req.headers["transfer-encoding"] !== undefined;
