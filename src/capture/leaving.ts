/** Notices clients that leave: one pair of listeners a connection, however many requests it pipelines. */
import type { Socket } from "node:net";

const watched = new WeakMap<Socket, Set<() => void>>();

/** Whether the connection is gone, or half of it: a client that will send no more is taken to have left. */
export const hasLeft = (socket: Socket): boolean => socket.destroyed || socket.readableEnded;

/** Calls once when the client leaves, until the function returned is called. */
export function onLeave(socket: Socket, call: () => void): () => void {
  let calls = watched.get(socket);
  if (!calls) {
    const waiting = new Set<() => void>();
    const tell = (): void => {
      for (const one of waiting) one();
      waiting.clear();
    };
    socket.once("end", tell);
    socket.once("close", tell);
    watched.set(socket, waiting);
    calls = waiting;
  }
  calls.add(call);
  return () => void calls.delete(call);
}
