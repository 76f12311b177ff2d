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

/** @param insecure accepts any certificate */
export function upstreamAt(url: URL, insecure: boolean): Upstream {
  const { protocol, hostname, host, port, pathname, origin } = url;
  const options = { keepAlive: true, ...(insecure && { rejectUnauthorized: false }) };
  const { Agent, request } = protocol === "https:" ? https : http;
  return {
    origin,
    base: pathname.replace(/\/+$/, ""),
    authority: host,
    host: hostname.replace(/^\[|\]$/g, ""),
    port,
    request,
    agent: new Agent(options),
  };
}
