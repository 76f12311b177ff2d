/** Bounds what one connection may set going: of the requests a client pipelines, only so many are carried at once. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { hasLeft } from "./disconnect.ts";

/** Each takes a connection to the upstream; no client that waits for its answers comes near it. */
const mostAtOnce = 32;
/** Requests that wait behind them; a client that sends more has no interest in answers. */
const mostWaiting = 5_000;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

const lines = new WeakMap<Socket, Line>();

/** Begins an exchange when it is its turn; later ones of its connection get theirs as responses end. */
export function inTurn(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
  const { socket } = req;
  const line = lines.get(socket) ?? { running: 0, waiting: [] };
  lines.set(socket, line);
  const go = (): void => {
    line.running++;
    res.once("close", () => {
      line.running--;
      if (hasLeft(socket)) line.waiting.length = 0;
      else line.waiting.shift()?.();
    });
    begin();
  };
  if (line.running < mostAtOnce) go();
  else if (line.waiting.push(go) > mostWaiting) socket.destroy();
}
