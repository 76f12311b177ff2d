/** The address that requests are forwarded to. */
import http, { type Agent, type ClientRequest, type RequestOptions } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { originAt } from "../wire/authority.ts";
import { connectThrough, type IsOwn, refuseOwn } from "../wire/connect.ts";
import { type OutboundProxy, proxyFor } from "../wire/proxy-environment.ts";

/** The most that header fields may take, in bytes, in either direction. */
export const maxHeader = 128 << 10;

export interface Upstream {
  /** Scheme and authority. */
  readonly origin: string;
  /** Path put before every request's own; without a slash at its end. */
  readonly base: string;
  /** The content of the Host field. */
  readonly authority: string;
  readonly host: string;
  readonly port: string;
  /** The function of node:http or node:https. */
  readonly request: (options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
}

/** Agents that keep the connections of all upstreams, by protocol. */
export interface Agents {
  readonly "http:": Agent;
  readonly "https:": Agent;
}

type Connecting = (
  options: ConnectionOptions,
  made: (error: Error | null, socket?: Socket) => void,
) => Socket | undefined;

/** Has an agent go through the proxy that the environment names for a host. */
function throughProxies(agent: Agent, protocol: "http:" | "https:", isOwn: IsOwn): Agent {
  const unproxied = (agent as unknown as { createConnection: Connecting }).createConnection.bind(agent);
  const createConnection: Connecting = (options, made) => {
    const at = { host: options.host ?? "localhost", port: Number(options.port) };
    let proxy: OutboundProxy | undefined;
    try {
      proxy = proxyFor(new URL(originAt(protocol === "https:" ? "https" : "http", at)));
    } catch (error) {
      return void setImmediate(() => made(error as Error));
    }
    if (!proxy) {
      const socket = unproxied(options, made);
      if (socket) refuseOwn(socket, isOwn);
      return socket;
    }
    connectThrough(proxy, at, { isOwn }).then(
      (socket) => made(null, protocol === "https:" ? unproxied({ ...options, socket }, made) : socket),
      (error: Error) => made(error),
    );
    return undefined;
  };
  return Object.assign(agent, { createConnection });
}

/** @param insecure accepts any certificate */
export const createAgents = (insecure: boolean, isOwn: IsOwn): Agents => ({
  "http:": throughProxies(new http.Agent({ keepAlive: true }), "http:", isOwn),
  "https:": throughProxies(
    new https.Agent({ keepAlive: true, ...(insecure && { rejectUnauthorized: false }) }),
    "https:",
    isOwn,
  ),
});

export function upstreamAt(url: URL, agents: Agents): Upstream {
  const { protocol, hostname, host, port, pathname, origin } = url;
  const isSecure = protocol === "https:";
  return {
    origin,
    base: pathname.replace(/\/+$/, ""),
    authority: host,
    host: hostname.replace(/^\[|\]$/g, ""),
    port,
    request: isSecure ? https.request : http.request,
    agent: agents[isSecure ? "https:" : "http:"],
  };
}
