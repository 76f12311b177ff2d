/** The answers that the proxy gives by itself, and the ways in which it breaks connections off. */
import { type IncomingMessage, type OutgoingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ObservedExchange } from "./observed-exchange.ts";

/** An answer that does not come from an upstream. */
export interface LocalReply {
  readonly status: number;
  /** Content type. */
  readonly type: string;
  readonly body: string;
  /** Further fields, names and values in turn. */
  readonly fields?: readonly string[];
}

/** Answers in the upstream's place; the observer is notified of it, too, where `observed` is given. */
export function answer(
  req: IncomingMessage,
  res: ServerResponse,
  reply: LocalReply,
  observed?: ObservedExchange,
): void {
  const body = Buffer.from(reply.body);
  const headers = ["Content-Type", reply.type, "Content-Length", String(body.length), ...(reply.fields ?? [])];
  // The rest of an upload is read and dropped.
  req.resume();
  // Node may have refused another head before, and keeps its framing.
  res.chunkedEncoding = false;
  res.writeHead(reply.status, STATUS_CODES[reply.status] ?? "", headers as never);
  if (!observed) return void res.end(body);
  observed.responseHead(reply.status, res.statusMessage, headers);
  observed.responseBytes(body);
  observed.end();
  observed.whenFlushed(() => res.end(body));
}

/** The TCP connections below those that speak TLS, which alone can be reset. */
export const carriers = new WeakMap<Socket, Socket>();

/** Ends a response in the middle, after what was written has gone out; `reset` as the upstream did, else by closing. */
export function breakOff(res: ServerResponse, reset: boolean): void {
  const { socket } = res;
  if (!socket || socket.destroyed) return void res.destroy();
  socket.write("", () => {
    if (reset) (carriers.get(socket) ?? socket).resetAndDestroy();
    else res.destroy();
  });
}

/** Adds trailers in the order, case and repetition they came in; false where HTTP does not let them pass. */
export function addTrailers(to: OutgoingMessage, raw: readonly string[]): boolean {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([raw[i]!, raw[i + 1]!]);
  try {
    to.addTrailers(pairs);
    return true;
  } catch {
    return false;
  }
}

/** The fate of a connection, in one line without addresses repeated. */
export function describeError(error: NodeJS.ErrnoException & { errors?: readonly Error[] }): string {
  // A host with several addresses fails with one error each and no message of its own.
  return error.message || error.errors?.map(({ message }) => message).join("; ") || error.code || "unknown error";
}
