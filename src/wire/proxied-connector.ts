/** Has undici go through the proxy that the environment names for a host. */
import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import { connectThrough } from "./connect.ts";
import { type OutboundProxy, proxyFor } from "./proxy-environment.ts";

/** @param patience milliseconds in which a proxy has to open a connection */
export function throughProxies(connect: buildConnector.connector, patience: number): buildConnector.connector {
  return (options, callback) => {
    const { protocol, hostname, port } = options;
    const isSecure = protocol === "https:";
    const at = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (isSecure ? 443 : 80)) };
    let proxy: OutboundProxy | undefined;
    try {
      proxy = proxyFor(new URL(`${protocol}//${hostname}:${at.port}`));
    } catch (error) {
      return callback(error as Error, null);
    }
    if (!proxy) return connect(options, callback);
    connectThrough(proxy, at, { patience }).then(
      (socket: Socket) => (isSecure ? connect({ ...options, httpSocket: socket }, callback) : callback(null, socket)),
      (error: Error) => callback(error, null),
    );
  };
}
