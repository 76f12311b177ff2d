/** Drops a `100 Continue` that nobody asked for: RFC 9110 has clients ignore it, but undici ends the connection. */
import type { Socket } from "node:net";
import type { buildConnector } from "undici";

const first = /^HTTP\/1\.[01] 100[ \r]/;
const last = "\r\n\r\n";
/** Bytes; what is longer is handed on, and refused by who reads it. */
const maxHeldBytes = 4096;

/** The end of an interim answer at the beginning: 0 if there is none, undefined while nobody can know. */
function endOfInterim(text: string): number | undefined {
  if (["HTTP/1.1 100 ", "HTTP/1.0 100 "].some((head) => head.startsWith(text))) return undefined;
  if (!first.test(text)) return 0;
  const end = text.indexOf(last);
  return end < 0 ? undefined : end + last.length;
}

/**
 * A connector whose sockets begin with the first answer that is none of these. On a reused connection, a later interim answer
 * still ends it, and the sender sends once more over a new one.
 */
export function ignoringContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result: Parameters<buildConnector.Callback>) => {
      const [, socket] = result;
      if (socket) dropInterim(socket);
      callback(...result);
    });
}

function dropInterim(socket: Socket): void {
  const read = socket.read.bind(socket);
  let held = Buffer.alloc(0);
  socket.read = (size) => {
    const piece: Buffer | null = read(size);
    if (piece === null) return null;
    held = Buffer.concat([held, piece]);
    let end = endOfInterim(held.toString("latin1", 0, maxHeldBytes));
    while (end !== undefined && end > 0) {
      held = held.subarray(end);
      end = endOfInterim(held.toString("latin1", 0, maxHeldBytes));
    }
    if (end === undefined && held.length < maxHeldBytes) return null;
    socket.read = read;
    return held;
  };
}
