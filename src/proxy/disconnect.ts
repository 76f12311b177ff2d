/** Notices clients that leave: one pair of listeners a connection, however many requests it pipelines. */
import type { Socket } from "node:net";

const watched = new WeakMap<Socket, (() => void)[]>();

/** Whether the connection is gone, or half of it: a client that will send no more is taken to have left. */
export const hasLeft = (socket: Socket): boolean => socket.destroyed || socket.readableEnded;

/** Calls once when the client leaves, until the function returned is called. */
export function onLeave(socket: Socket, call: () => void): () => void {
  let calls = watched.get(socket);
  if (!calls) {
    const waiting: (() => void)[] = [];
    const tell = (): void => {
      for (const one of waiting.splice(0)) one();
    };
    socket.once("end", tell);
    socket.once("close", tell);
    watched.set(socket, waiting);
    calls = waiting;
  }
  calls.push(call);
  return () => {
    const at = calls.lastIndexOf(call);
    if (at >= 0) calls.splice(at, 1);
  };
}
