/** Notices clients that disconnect: one pair of listeners a connection, however many requests it pipelines. */
import type { Socket } from "node:net";

const listeners = new WeakMap<Socket, (() => void)[]>();

/** Whether the connection is gone, or half of it: a client that will send no more is taken to have disconnected. */
export const isDisconnected = (socket: Socket): boolean => socket.destroyed || socket.readableEnded;

/** Calls once when the client disconnects, until the function returned is called. */
export function onDisconnect(socket: Socket, call: () => void): () => void {
  let calls = listeners.get(socket);
  if (!calls) {
    const own: (() => void)[] = [];
    const callAll = (): void => {
      for (const one of own.splice(0)) one();
    };
    socket.once("end", callAll);
    socket.once("close", callAll);
    listeners.set(socket, own);
    calls = own;
  }
  calls.push(call);
  return () => {
    const at = calls.lastIndexOf(call);
    if (at >= 0) calls.splice(at, 1);
  };
}
