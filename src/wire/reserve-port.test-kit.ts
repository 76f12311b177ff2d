/** Ports for tests that must name a port before a server listens on it. */
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/**
 * First of the reserved ports, and their number. Systems assign ports above 32767 (Linux) or 49151 (IANA) to `listen(0)` and
 * to outgoing connections, so no other program is given a port of this range by chance.
 */
const [first, count] = [20_000, 6_000];

/** Returns a server that listens on a port, or undefined if the port is in use. */
async function tryListen(port: number): Promise<Server | undefined> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
    return server;
  } catch {
    return undefined;
  }
}

/**
 * Returns a port of 127.0.0.1 on which nothing listens yet. No other caller gets it before this process ends: a server that
 * listens `count` ports above it is the lock.
 *
 * @throws Error if all ports of the range are in use
 */
export async function reservePort(): Promise<number> {
  const start = Math.floor(Math.random() * count);
  for (let i = 0; i < count; i++) {
    const port = first + ((start + i) % count);
    const lock = await tryListen(port + count);
    lock?.unref();
    const server = lock && (await tryListen(port));
    if (!server) continue;
    await once(server.close(), "close");
    return port;
  }
  throw new Error(`no port from ${first} to ${first + count - 1} is free`);
}
