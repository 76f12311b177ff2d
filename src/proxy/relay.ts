/** Passes an upstream's answer on to the client: as it comes, and never before the tape has it. */
import type { IncomingMessage, InformationEvent, ServerResponse } from "node:http";
import { addTrailers, breakOff } from "./answer.ts";
import { chunked } from "./chunked.ts";
import type { Held } from "./handover.ts";
import { responseFields } from "./hop-by-hop.ts";
import type { Recording } from "./observation.ts";

export type RawInformation = InformationEvent & { readonly rawHeaders: readonly string[] };

/** Interim responses that wait for a client that does not read, in bytes; further ones are left out. */
const mostInterim = 1 << 20;

/** What HTTP does not let stand in a line of a head. */
const unfit = /[^\t\x20-\x7e\x80-\xff]/;

/** Passes on responses with a status of 1xx; gives false for one that HTTP does not let pass. */
export function interimRelay(req: IncomingMessage, res: ServerResponse): (information: RawInformation) => boolean {
  /** Behind a pipelined exchange that is not over yet, the socket comes later. */
  let waiting: string | undefined;
  return ({ statusCode, statusMessage, rawHeaders }) => {
    if (req.httpVersion === "1.0") return true;
    const raw = responseFields(rawHeaders, false, false);
    const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
    for (let i = 0; i < raw.length; i += 2) lines.push(`${raw[i]}: ${raw[i + 1]}`);
    if (lines.some((line) => unfit.test(line))) return false;
    const head = `${lines.join("\r\n")}\r\n\r\n`;
    const { socket } = res;
    if (socket) {
      if (socket.writableLength + head.length <= mostInterim) socket.write(head, "latin1");
    } else if (waiting === undefined) {
      waiting = head;
      res.once("socket", (own) => own.write(waiting!, "latin1"));
    } else if (waiting.length + head.length <= mostInterim) waiting += head;
    return true;
  };
}

/** Bytes of a body that are put together before they are written, at most. */
const mostGathered = 64 << 10;

/**
 * Writes what came in one turn at once, as the chunks it came in: Node writes a chunk in three pieces, which costs more than all else that
 * is done with one. `flush` tells whether there is room for more.
 */
function chunkWriter(res: ServerResponse): {
  readonly write: (bytes: Buffer) => boolean;
  readonly flush: () => boolean;
} {
  let pieces: Buffer[] = [];
  let gathered = 0;

  function flush(): boolean {
    const all = pieces;
    if (all.length === 0) return true;
    pieces = [];
    gathered = 0;
    if (all.length === 1) return res.write(all[0]!);
    // These are chunks already.
    res.chunkedEncoding = false;
    const room = res.write(chunked(all));
    res.chunkedEncoding = true;
    return room;
  }

  return {
    write(bytes) {
      if (!res.chunkedEncoding) return res.write(bytes);
      pieces.push(bytes);
      gathered += bytes.length;
      return gathered < mostGathered || flush();
    },
    flush,
  };
}

/** Writes the head from the raw fields; throws where the upstream's head is none that can be written. */
export function relayHead(req: IncomingMessage, res: ServerResponse, incoming: IncomingMessage): void {
  const { statusCode: status = 0, statusMessage: reason = "", rawHeaders } = incoming;
  const framing = req.httpVersion !== "1.0" && status !== 204 && status !== 304;
  res.sendDate = false;
  // A connection of HTTP/1.1 stays open without being told so.
  if (res.shouldKeepAlive && req.httpVersion !== "1.0") res.removeHeader("connection");
  res.writeHead(status, reason, responseFields(rawHeaders, framing, req.method !== "HEAD") as never);
}

/**
 * Passes the body on. The client waits for three things: its own reading, `admit`, and whatever the tape was told before
 * to have left this process, so that a kill takes nothing from the tape that a client has seen.
 */
export function relayBody(
  { req, res, recording, admit }: { req: IncomingMessage; res: ServerResponse; recording: Recording; admit: Admit },
  incoming: IncomingMessage,
): void {
  const { statusCode = 0, statusMessage = "", rawHeaders, socket: from } = incoming;
  recording.responseHead(statusCode, statusMessage, rawHeaders);
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

  const held: Held = {
    settle() {
      holding = false;
      paced(flush());
      if (incoming.complete && incoming.readableLength === 0 && !from.errored)
        recording.end(undefined, incoming.rawTrailers);
    },
    pause,
    resume,
  };

  function brokenOff(): void {
    recording.end("upstream");
    flush();
    breakOff(res, (from.errored as NodeJS.ErrnoException | null)?.code === "ECONNRESET");
  }

  incoming.on("data", (bytes: Buffer) => {
    begun = true;
    recording.responseBytes(bytes);
    if (!holding) recording.hold(req.socket, held);
    holding = true;
    paced(write(bytes));
    const caughtUp = admit();
    if (!caughtUp) return;
    pause();
    void caughtUp.then(resume);
  });
  incoming.on("end", () => {
    begun = true;
    // A body that ends with its connection looks whole also where the connection was reset.
    if (from.errored) return void brokenOff();
    recording.end(undefined, incoming.rawTrailers);
    const fit = incoming.rawTrailers.length === 0 || !res.chunkedEncoding || addTrailers(res, incoming.rawTrailers);
    recording.kept(() => (fit ? void res.end() : breakOff(res, false)));
  });
  incoming.on("close", () => {
    if (!incoming.complete) brokenOff();
  });
  // A head that comes before its body goes to the client before it, too.
  recording.kept(() => {
    if (!begun && !res.destroyed) res.flushHeaders();
  });
}

/**
 * Whether a body ends where its connection does. A reset that comes together with the last bytes is told as an ordinary end
 * by libuv; only writing shows it then, and writing nothing sends nothing.
 */
const endsWithConnection = ({ headers, statusCode, socket }: IncomingMessage, method: string | undefined): boolean =>
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined &&
  method !== "HEAD" &&
  statusCode !== 204 &&
  statusCode !== 304 &&
  !("encrypted" in socket);

/**
 * Keeps an answer whose head cannot be passed on, while the client is told so; `dropped` is called when there is nothing more to keep.
 * Its body is read as far as it is kept.
 */
export function keepUnpassed(
  { recording, admit }: { recording: Recording; admit: Admit },
  incoming: IncomingMessage,
  dropped: () => void,
): void {
  const { statusCode = 0, statusMessage = "", rawHeaders, socket: from } = incoming;
  recording.responseHead(statusCode, statusMessage, rawHeaders);
  incoming.on("data", (bytes: Buffer) => {
    if (!recording.responseBytes(bytes)) return void incoming.destroy();
    const caughtUp = admit();
    if (!caughtUp) return;
    incoming.pause();
    void caughtUp.then(() => incoming.resume());
  });
  incoming.on("end", () => recording.end(from.errored ? "upstream" : undefined, incoming.rawTrailers));
  incoming.on("close", () => {
    recording.end("upstream");
    dropped();
  });
}

/** A promise while the tape lags behind: no more is read until then. */
export type Admit = () => Promise<void> | undefined;
