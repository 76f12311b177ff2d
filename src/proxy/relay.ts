/** Passes an upstream's answer on to the client: as it comes, and never before the observer has it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { addTrailers, breakOff } from "./answer.ts";
import { chunkWriter } from "./chunked.ts";
import { responseFields } from "./hop-by-hop.ts";
import type { ObservedExchange } from "./observed-exchange.ts";
import type { Backpressure } from "./observer.ts";
import type { HeldBack } from "./write-ahead.ts";

/** Writes the head from the raw fields; throws where the upstream's head is none that can be written. */
export function relayHead(req: IncomingMessage, res: ServerResponse, incoming: IncomingMessage): void {
  const { statusCode: status = 0, statusMessage: reason = "", rawHeaders } = incoming;
  const framing = req.httpVersion !== "1.0" && status !== 204 && status !== 304;
  res.sendDate = false;
  // A connection of HTTP/1.1 stays open without a field that says so.
  if (res.shouldKeepAlive && req.httpVersion !== "1.0") res.removeHeader("connection");
  res.writeHead(status, reason, responseFields(rawHeaders, framing, req.method !== "HEAD") as never);
}

/**
 * Passes the body on. The client waits for three things: its own reading, `backpressure`, and the flush of all that the
 * observer was notified of before. A killed recorder then loses nothing that a client has seen.
 */
export function relayBody(
  {
    req,
    res,
    observed,
    backpressure,
  }: { req: IncomingMessage; res: ServerResponse; observed: ObservedExchange; backpressure: Backpressure },
  incoming: IncomingMessage,
): void {
  const { statusCode = 0, statusMessage = "", rawHeaders, socket: from } = incoming;
  observed.responseHead(statusCode, statusMessage, rawHeaders);
  let begun = false;
  let waits = 0;
  /** Whether this turn's bytes are held back already. */
  let holding = false;

  function pause(): void {
    waits++;
    incoming.pause();
  }
  function resume(): void {
    if (--waits === 0) incoming.resume();
  }

  if (endsWithConnection(incoming, req.method)) from.prependOnceListener("end", () => void from.write(""));

  const { write, flush } = chunkWriter(res);

  /** Waits for the client where it does not keep up. */
  function paced(room: boolean): void {
    if (room) return;
    pause();
    res.once("drain", resume);
  }

  const held: HeldBack = {
    beforeFlush() {
      holding = false;
      paced(flush());
      if (incoming.complete && incoming.readableLength === 0 && !from.errored)
        observed.end(undefined, incoming.rawTrailers);
    },
    pause,
    resume,
  };

  function brokenOff(): void {
    observed.end("upstream");
    flush();
    breakOff(res, (from.errored as NodeJS.ErrnoException | null)?.code === "ECONNRESET");
  }

  incoming.on("data", (bytes: Buffer) => {
    begun = true;
    observed.responseBytes(bytes);
    if (!holding) observed.holdBack(req.socket, held);
    holding = true;
    paced(write(bytes));
    const caughtUp = backpressure();
    if (!caughtUp) return;
    pause();
    void caughtUp.then(resume);
  });
  incoming.on("end", () => {
    begun = true;
    // A body that ends with its connection looks whole also where the connection was reset.
    if (from.errored) return void brokenOff();
    observed.end(undefined, incoming.rawTrailers);
    const fit = incoming.rawTrailers.length === 0 || !res.chunkedEncoding || addTrailers(res, incoming.rawTrailers);
    observed.whenFlushed(() => (fit ? void res.end() : breakOff(res, false)));
  });
  incoming.on("close", () => {
    if (!incoming.complete) brokenOff();
  });
  // A head that comes before its body goes to the client before it, too.
  observed.whenFlushed(() => {
    if (!begun && !res.destroyed) res.flushHeaders();
  });
}

/**
 * Whether a body ends where its connection does. libuv reports a reset that comes together with the last bytes as an ordinary
 * end. Only writing shows it then, and writing nothing sends nothing.
 */
const endsWithConnection = ({ headers, statusCode, socket }: IncomingMessage, method: string | undefined): boolean =>
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined &&
  method !== "HEAD" &&
  statusCode !== 204 &&
  statusCode !== 304 &&
  !("encrypted" in socket);
