/** Bounds the connections of the page's server: those that have not shown the token give way to newer ones. */
import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Connections at once that have shown the token, and those that have not: what stays silent is one of these. */
const maxAdmitted = 64;
const maxStrangers = 128;

export interface Connections {
  /** Keeps a connection that has shown the token; false where too many have. */
  admit(socket: Socket): boolean;
}

/** Refuses nobody who connects: a browser that comes last must not wait for those who came first and say nothing. */
export function boundConnections(server: Server): Connections {
  const strangers = new Set<Socket>();
  const admitted = new Set<Socket>();
  server.on("connection", (socket) => {
    strangers.add(socket);
    socket.on("close", () => {
      strangers.delete(socket);
      admitted.delete(socket);
    });
    if (strangers.size <= maxStrangers) return;
    const [oldest] = strangers;
    strangers.delete(oldest!);
    oldest!.destroy();
  });
  return {
    admit(socket) {
      if (admitted.has(socket)) return true;
      if (admitted.size >= maxAdmitted) return false;
      strangers.delete(socket);
      admitted.add(socket);
      return true;
    },
  };
}
