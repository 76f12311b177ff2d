/** Carries the bytes of a connection to a host, untouched and unseen. */
import type { Socket } from "node:net";

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
