/** Bounds what one connection may set going: of the requests a client pipelines, only so many are forwarded at once. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isDisconnected } from "./disconnect.ts";

/** Each takes a connection to the upstream; no client that waits for its answers comes near it. */
const maxAtOnce = 32;
/** Requests that wait behind them; a client that sends more has no interest in answers. */
const maxQueued = 5_000;

interface Pipeline {
  readonly running: Set<ServerResponse>;
  readonly queue: (() => void)[];
  /** Begins what comes behind all of them. */
  last?: () => void;
}

const pipelines = new WeakMap<Socket, Pipeline>();

/** Begins an exchange now, or as responses to earlier requests of its connection end. */
export function limitPipelining(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
  const { socket } = req;
  const pipeline = pipelines.get(socket) ?? { running: new Set(), queue: [] };
  pipelines.set(socket, pipeline);
  const go = (): void => {
    pipeline.running.add(res);
    res.once("close", () => {
      pipeline.running.delete(res);
      if (isDisconnected(socket)) pipeline.queue.length = 0;
      else if (pipeline.queue.length > 0) pipeline.queue.shift()!();
      else if (pipeline.running.size === 0) pipeline.last?.();
    });
    begin();
  };
  if (pipeline.running.size < maxAtOnce) go();
  else if (pipeline.queue.push(go) > maxQueued) socket.destroy();
}

/** Begins what a connection is given away for, now or when all that was asked over it before is answered. */
export function whenAnswered(socket: Socket, begin: () => void): void {
  const pipeline = pipelines.get(socket);
  if (!pipeline?.running.size) return void begin();
  pipeline.last = begin;
  // Node no longer tells responses that there is room.
  socket.on("drain", () => {
    for (const res of pipeline.running) if (res.socket) res.emit("drain");
  });
}
