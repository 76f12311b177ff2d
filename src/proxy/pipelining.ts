/** Bounds what one connection may set going: of the requests a client pipelines, only so many are forwarded at once. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isDisconnected } from "./disconnect.ts";

/** Each takes a connection to the upstream; no client that waits for its answers comes near it. */
const mostAtOnce = 32;
/** Requests that wait behind them; a client that sends more has no interest in answers. */
const mostQueued = 5_000;

interface Pipeline {
  running: number;
  readonly queue: (() => void)[];
}

const pipelines = new WeakMap<Socket, Pipeline>();

/** Begins an exchange now, or as responses to earlier requests of its connection end. */
export function limitPipelining(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
  const { socket } = req;
  const pipeline = pipelines.get(socket) ?? { running: 0, queue: [] };
  pipelines.set(socket, pipeline);
  const go = (): void => {
    pipeline.running++;
    res.once("close", () => {
      pipeline.running--;
      if (isDisconnected(socket)) pipeline.queue.length = 0;
      else pipeline.queue.shift()?.();
    });
    begin();
  };
  if (pipeline.running < mostAtOnce) go();
  else if (pipeline.queue.push(go) > mostQueued) socket.destroy();
}
