/** Carries the bytes of a connection to a host, untouched and unseen. */
import net, { type Socket } from "node:net";
import type { HostAndPort } from "../wire/authority.ts";

/** Opens a connection to a host; rejects where there is none. */
export type Connect = (to: HostAndPort) => Promise<Socket>;

/** Milliseconds in which a host has to take a connection. */
const maxConnecting = 60_000;

const silence = (): void => {};

/** Opens a connection without a way around. */
export const connectDirectly: Connect = ({ host, port }) =>
  new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, allowHalfOpen: true, noDelay: true });
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(maxConnecting, () => fail(new Error("it takes no connection")));
    socket.once("error", fail);
    socket.once("connect", () => {
      socket.setTimeout(0).removeAllListeners("timeout");
      socket.off("error", fail).on("error", silence);
      resolve(socket);
    });
  });

/**
 * Passes bytes both ways until both sides have ended, or one is gone.
 * @param halfOpenFor milliseconds without a byte after which a connection ends that one side has ended
 */
export function join(one: Socket, other: Socket, halfOpenFor: number): void {
  const sides = [one, other] as const;
  for (const [from, to] of [sides, [other, one] as const]) {
    from.on("error", () => to.destroy());
    from.on("end", () => {
      for (const side of sides) side.setTimeout(halfOpenFor, () => side.destroy());
    });
    from.on("close", () => {
      // Bytes that the other side has not read yet are still on their way.
      if (!from.readableEnded) to.destroy();
    });
    from.pipe(to);
  }
}
