/** Waits until the target listens. */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../user-error.ts";

const between = 100;
const oneTry = 2000;

/** Whether a connection comes about; it is closed at once. */
function listens(hostname: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port, timeout: oneTry });
    const settle = (value: boolean): void => {
      socket.destroy();
      resolve(value);
    };
    socket.once("connect", () => settle(true));
    socket.once("timeout", () => settle(false));
    socket.once("error", () => settle(false));
  });
}

/**
 * Waits, sending nothing.
 * @param url the target's base URL
 * @param left ends the wait when aborted, as if the target listened
 * @throws UserError when nothing listens after so many seconds
 */
export async function untilListening(url: string, seconds: number, left?: AbortSignal): Promise<void> {
  const { hostname, port, protocol } = new URL(url);
  const until = Date.now() + seconds * 1000;
  while (!(await listens(hostname, Number(port) || (protocol === "https:" ? 443 : 80)))) {
    if (left?.aborted) return;
    if (Date.now() > until)
      throw new UserError(
        `${url}: nothing listens there after ${seconds} seconds (--wait)`,
        "Look whether the target starts at all, or wait longer.",
      );
    await sleep(between);
  }
}
