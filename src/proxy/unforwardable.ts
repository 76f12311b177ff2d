/** Records answers whose head HTTP does not let pass: the client gets a 502, and the cassette has what came. */
import type { IncomingMessage } from "node:http";
import type { ObservedExchange } from "./observed-exchange.ts";
import type { Backpressure } from "./observer.ts";

/**
 * Reads the body of such an answer as far as the observer takes it.
 * @param onEnd called when no more of it comes
 */
export function recordUnforwardable(
  { observed, backpressure }: { observed: ObservedExchange; backpressure: Backpressure },
  incoming: IncomingMessage,
  onEnd: () => void,
): void {
  const { statusCode = 0, statusMessage = "", rawHeaders, socket: from } = incoming;
  observed.responseHead(statusCode, statusMessage, rawHeaders);
  incoming.on("data", (bytes: Buffer) => {
    if (!observed.responseBytes(bytes)) return void incoming.destroy();
    const caughtUp = backpressure();
    if (!caughtUp) return;
    incoming.pause();
    void caughtUp.then(() => incoming.resume());
  });
  incoming.on("end", () => observed.end(from.errored ? "upstream" : undefined, incoming.rawTrailers));
  incoming.on("close", () => {
    observed.end("upstream");
    onEnd();
  });
}
