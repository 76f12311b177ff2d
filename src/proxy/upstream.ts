/** The address that requests are forwarded to. */
import http, { type Agent, type ClientRequest, type RequestOptions } from "node:http";
import https from "node:https";

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

/** @param insecure accepts any certificate */
export const createAgents = (insecure: boolean): Agents => ({
  "http:": new http.Agent({ keepAlive: true }),
  "https:": new https.Agent({ keepAlive: true, ...(insecure && { rejectUnauthorized: false }) }),
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
