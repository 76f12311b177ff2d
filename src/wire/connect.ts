/** Opens connections to hosts: directly, or through the proxy that the environment names. */
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import net, { type Socket } from "node:net";
import { type HostAndPort, originAt } from "./authority.ts";
import { type OutboundProxy, proxyFor } from "./proxy-environment.ts";

/** Milliseconds in which a host has to take a connection, and a proxy to open one. */
const maxConnecting = 10_000;

/** Whether a connection leads back to the server that wants it. */
export type IsOwn = (connection: Socket) => boolean;
const notOwn: IsOwn = () => false;

const silence = (): void => {};

/** Ends a connection that leads back to us, before anything is sent over it. */
export function refuseOwn(connection: Socket, isOwn: IsOwn): void {
  connection.once("connect", () => {
    if (isOwn(connection)) connection.destroy(new Error("it is this recorder itself"));
  });
}

/** Opens a connection without a proxy; rejects where there is none. */
function connectDirectly({ host, port }: HostAndPort, isOwn: IsOwn, patience: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, allowHalfOpen: true, noDelay: true });
    const deadline = setTimeout(() => socket.destroy(new Error("it takes no connection")), patience);
    refuseOwn(socket, isOwn);
    socket.once("close", () => clearTimeout(deadline));
    socket.once("error", reject);
    socket.once("connect", () => {
      clearTimeout(deadline);
      if (socket.destroyed) return;
      socket.off("error", reject).on("error", silence);
      resolve(socket);
    });
  });
}

/** A proxy that could not be reached, or opened no connection. */
class ProxyError extends Error {
  /** Told apart from what a service does. */
  readonly code = "ERR_PROXY";
  constructor(proxy: OutboundProxy, what: string) {
    super(`the proxy ${proxy.url.host} ${what}`);
  }
}

/** Opens a connection by a CONNECT; rejects where the proxy does not. @param patience milliseconds */
export function connectThrough(
  proxy: OutboundProxy,
  { host, port }: HostAndPort,
  { isOwn = notOwn, patience = maxConnecting }: { readonly isOwn?: IsOwn; readonly patience?: number } = {},
): Promise<Socket> {
  const { url, authorization } = proxy;
  const path = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const { request } = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const asked = request({
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port || (url.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path,
      headers: { host: path, ...(authorization !== undefined && { "proxy-authorization": authorization }) },
      agent: false,
    });
    const deadline = setTimeout(() => asked.destroy(new Error("it does not answer")), patience);
    asked.once("close", () => clearTimeout(deadline));
    asked.once("socket", (socket) => refuseOwn(socket, isOwn));
    asked.once("error", (error) =>
      reject(new ProxyError(proxy, `cannot be used: ${error.message || "no connection"}`)),
    );
    asked.once("connect", ({ statusCode = 0, statusMessage = "" }: IncomingMessage, socket: Socket, head: Buffer) => {
      clearTimeout(deadline);
      socket.on("error", silence);
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      reject(new ProxyError(proxy, `refuses ${path}: ${statusCode} ${statusMessage}`.trim()));
    });
    asked.end();
  });
}

/**
 * Opens a connection for bytes of any kind, through the proxy of the environment where it names one.
 * Which one depends on the port: what is not 443 is taken for HTTP without TLS only where it is 80.
 */
export async function connectTo(at: HostAndPort, isOwn: IsOwn, patience = maxConnecting): Promise<Socket> {
  const proxy = proxyFor(new URL(originAt(at.port === 80 ? "http" : "https", at)));
  return proxy ? connectThrough(proxy, at, { isOwn, patience }) : connectDirectly(at, isOwn, patience);
}
