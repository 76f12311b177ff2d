/**
 * Forwards one exchange to the upstream and back.
 *
 * - Headers and path go as they were sent, and the answer is passed on by `relay.ts`, never before the observer is flushed.
 * - A client that disconnects ends the upstream's request, and an upstream that breaks off breaks off the client.
 * - The body is fed by hand, so that its trailers pass and a stale keep-alive socket can be replaced.
 *
 * Requests are made with node:http itself; only WebSockets go through http-proxy (`websocket.ts`). http-proxy 1.18.1 and its
 * continuation http-proxy-3 1.23 carried all requests before, behind mends for their faults. They join headers and lose their
 * case, rewrite paths, and answer a stale socket with an error. They leave clients hanging when the upstream dies in mid-body.
 * All that was left to it was filling in a request's options. Over 21 interleaved rounds no form of its `web()` did that for
 * less than 1.3 times the processor time of the same recorder without it. `npm run bench proxy` has a bare proxy of either
 * kind.
 */
import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { addTrailers, answer, describeError } from "./answer.ts";
import { isDisconnected, onDisconnect } from "./disconnect.ts";
import { pathAt, requestFields } from "./hop-by-hop.ts";
import { interimRelay, type RawInformation } from "./interim.ts";
import type { ObservedExchange } from "./observed-exchange.ts";
import type { Backpressure } from "./observer.ts";
import { relayBody, relayHead } from "./relay.ts";
import { recordUnforwardable } from "./unforwardable.ts";
import { maxHeader, type Upstream } from "./upstream.ts";

/** An exchange on its way to its upstream. */
export interface Forwarding {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly upstream: Upstream;
  readonly observed: ObservedExchange;
  /** Request bytes that were read before; the rest comes from `req`, if it is not at its end. */
  readonly alreadyRead: readonly Uint8Array[];
  readonly backpressure: Backpressure;
  readonly onProblem: (problem: string) => void;
}

/** Request bytes kept for sending them a second time on a fresh connection. */
const maxRetained = 4 << 20;

/**
 * A request on a kept-alive socket that dies without an answer may be sent again: the upstream closed the idle socket while the
 * request was on its way. Such a close arrives within a round trip. A later close means that the upstream had the request in
 * hand. A request that is not idempotent must not be asked, and paid for, twice.
 */
const maxRoundTrip = 1_000;
const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]);

const silence = (): void => {};

/** Forwards an exchange whose head has come; everything from here on happens by events. */
export function forward(forwarding: Forwarding): void {
  const { req, res, upstream, observed } = forwarding;
  const method = req.method!;
  const path = pathAt(upstream.base, req.url!);
  const fields = requestFields(method, req.rawHeaders, upstream.authority);
  let attempt: ClientRequest | undefined;
  let requestDone = req.readableEnded;
  /** Something of an answer came: sending again is out of the question. */
  let answered = false;
  /** An answer that HTTP does not let pass is being recorded. */
  let unforwardable = false;
  const relayInterim = interimRelay(req, res);
  let interimReported = false;
  /** The request's bytes so far, while they may have to be sent again. */
  let retained: Uint8Array[] | undefined = [...forwarding.alreadyRead];
  let retainedBytes = retained.reduce((sum, { length }) => sum + length, 0);

  function retain(bytes: Uint8Array): void {
    retainedBytes += bytes.length;
    // A fresh connection is not stale.
    if (attempt && (retainedBytes > maxRetained || (attempt.socket && !attempt.reusedSocket))) retained = undefined;
    else retained?.push(bytes);
  }

  function endRequest(to: ClientRequest): void {
    const fit = req.rawTrailers.length === 0 || !isChunked(req) || addTrailers(to, req.rawTrailers);
    if (fit) to.end();
    else to.destroy(new Error("the request ended in trailers that HTTP does not let pass"));
  }

  /** Pauses a body while the observer lags. */
  function wait(body: IncomingMessage): void {
    const caughtUp = forwarding.backpressure();
    if (!caughtUp) return;
    body.pause();
    void caughtUp.then(() => body.resume());
  }

  req.on("data", (bytes: Buffer) => {
    observed.requestBytes(bytes);
    if (retained) retain(bytes);
    if (attempt && !attempt.destroyed && !attempt.write(bytes)) req.pause();
    else wait(req);
  });
  req.on("end", () => {
    requestDone = true;
    if (attempt && !attempt.destroyed) endRequest(attempt);
  });
  const stopListening = onDisconnect(req.socket, disconnected);
  res.on("close", () => {
    // A request that was answered before its body had come, or while an answer is still read, lives on as long as its client.
    if (!res.writableFinished) disconnected();
    else if (requestDone && !unforwardable) stopListening();
  });
  req.on("error", silence);
  res.on("error", silence);

  function disconnected(): void {
    observed.end("client");
    attempt?.destroy();
  }

  function send(): void {
    if (res.destroyed || isDisconnected(req.socket)) return void disconnected();
    const sentAt = performance.now();
    let settled = false;
    const failed = (error: NodeJS.ErrnoException): void => {
      if (settled) return;
      settled = true;
      if (res.destroyed || isDisconnected(req.socket)) return;
      const stale =
        attempt?.reusedSocket === true &&
        retained !== undefined &&
        !answered &&
        (error.code === "ECONNRESET" || error.code === "EPIPE") &&
        (idempotent.has(method) || performance.now() - sentAt < maxRoundTrip);
      if (!stale) return void unreachable(error);
      attempt = undefined;
      // Other idle sockets may be as stale; the next attempt has to get a fresh connection.
      for (const sockets of Object.values(upstream.agent.freeSockets)) for (const idle of sockets ?? []) idle.destroy();
      setImmediate(send);
    };
    let to: ClientRequest;
    try {
      const { host, port, agent, request } = upstream;
      to = request({ host, port, agent, method, path, headers: fields, maxHeaderSize: maxHeader });
    } catch (error) {
      return void failed(error as Error);
    }
    attempt = to;
    to.maxHeadersCount = 0;
    to.on("error", failed);
    to.on("information", (information) => {
      answered = true;
      if (relayInterim(information as RawInformation) || interimReported) return;
      interimReported = true;
      forwarding.onProblem(`${upstream.origin} sent an interim response that HTTP does not let pass; it was left out`);
    });
    // No client has asked for this upgrade.
    to.on("upgrade", (incoming, socket) => {
      settled = true;
      answered = true;
      socket.destroy();
      observed.responseHead(incoming.statusCode ?? 0, incoming.statusMessage ?? "", incoming.rawHeaders);
      observed.end("upstream");
      tellClient(`${upstream.origin} switched protocols, which nobody had asked for`);
    });
    to.on("response", (incoming) => {
      settled = true;
      answered = true;
      retained = undefined;
      incoming.on("error", silence);
      if (res.destroyed || res.headersSent) return void to.destroy();
      try {
        relayHead(req, res, incoming);
      } catch (error) {
        unforwardable = true;
        recordUnforwardable(forwarding, incoming, stopListening);
        return void tellClient(
          `${upstream.origin} answered what HTTP does not let pass: ${describeError(error as Error)}`,
        );
      }
      relayBody(forwarding, incoming);
    });
    to.on("close", () => {
      if (!settled) failed(new Error("the connection was closed without an answer"));
    });
    to.on("drain", () => req.resume());
    for (const bytes of retained ?? []) to.write(bytes);
    if (retainedBytes > maxRetained) retained = undefined;
    if (requestDone) endRequest(to);
    else req.resume();
  }

  function unreachable(error: Error): void {
    observed.end("upstream");
    tellClient(`${upstream.origin} gave no answer: ${describeError(error)}`);
  }

  /** Answers for the upstream. */
  function tellClient(problem: string): void {
    forwarding.onProblem(problem);
    const reply = { status: 502, type: "text/plain; charset=utf-8", body: `touchstone: ${problem}\n` };
    observed.whenFlushed(() => answer(req, res, reply));
  }

  send();
}

const isChunked = (req: IncomingMessage): boolean => req.headers["transfer-encoding"] !== undefined;
