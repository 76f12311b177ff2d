/** Decides where each request goes: by the connection it came over, by the host that it names, or by its interface. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { hostAndPort, originAt } from "../wire/authority.ts";
import type { IsOwn } from "../wire/connect.ts";
import { createAgents, type Upstream, upstreamAt } from "./upstream.ts";

export interface DestinationOptions {
  /** `default` takes what no interface of `byInterface` claims. Base URLs: `http://host/prefix`. */
  readonly upstreams: { readonly default?: URL; readonly byInterface?: Readonly<Record<string, URL>> };
  /** The interface a request belongs to; needed for `byInterface`. */
  readonly route?: (method: string, target: string) => string | undefined;
  /** Accept any certificate of an upstream. */
  readonly insecure?: boolean;
}

export interface Destinations {
  /** Where a request goes; nowhere where nothing is set for its interface. */
  of(req: IncomingMessage): Upstream | undefined;
  /** Sends all requests of a connection to one service. */
  sendAll(connection: Socket, url: URL): void;
  /** The same for a connection of a client that uses this as a forward proxy. */
  sendProxied(connection: Socket, origin: string): void;
  /**
   * Reads a target that names its host, as clients of a forward proxy send it, and takes the host out of it.
   * @param opens whether the traffic with a host is of interest
   * @returns whether it names a host, and one that can be
   */
  readHost(req: IncomingMessage, opens: (host: string) => boolean): "host" | "no such host" | "none";
  /** Whether a client sent it that uses this as a forward proxy. */
  isProxied(req: IncomingMessage): boolean;
  /** Whether it goes to a host that is of no interest. */
  isUnseen(req: IncomingMessage): boolean;
  /** Ends the connections to all upstreams. */
  close(): void;
}

/** Upstreams of hosts that are remembered. */
const maxHosts = 1_000;

export function createDestinations(
  { upstreams, route, insecure = false }: DestinationOptions,
  isOwn: IsOwn,
): Destinations {
  const agents = createAgents(insecure, isOwn);
  const fallback = upstreams.default && upstreamAt(upstreams.default, agents);
  const byInterface = new Map<string | undefined, Upstream>(
    Object.entries(upstreams.byInterface ?? {}).map(([name, url]) => [name, upstreamAt(url, agents)]),
  );
  const byHref = new Map<string, Upstream>();
  const fixed = new WeakMap<Socket | IncomingMessage, Upstream>();
  const proxied = new WeakSet<Socket | IncomingMessage>();
  const unseen = new WeakSet<IncomingMessage>();

  function at(url: URL): Upstream {
    const known = byHref.get(url.href);
    if (known) return known;
    if (byHref.size === maxHosts) byHref.clear();
    const upstream = upstreamAt(url, agents);
    byHref.set(url.href, upstream);
    return upstream;
  }

  return {
    of(req) {
      const destination = fixed.get(req) ?? fixed.get(req.socket);
      if (destination || byInterface.size === 0) return destination ?? fallback;
      return byInterface.get(route?.(req.method!, req.url!)) ?? fallback;
    },
    sendAll: (connection, url) => void fixed.set(connection, at(url)),
    sendProxied(connection, origin) {
      proxied.add(connection);
      fixed.set(connection, at(new URL(origin)));
    },
    readHost(req, opens) {
      if (proxied.has(req.socket) || !/^https?:/i.test(req.url!)) return "none";
      const [, scheme = "", authority = "", rest = ""] = /^(https?):\/\/([^/?#]*)(.*)$/i.exec(req.url!) ?? [];
      const isSecure = scheme.toLowerCase() === "https";
      const named = hostAndPort(/:\d+$/.test(authority) ? authority : `${authority}:${isSecure ? 443 : 80}`);
      if (!named) return "no such host";
      req.url = rest.startsWith("/") ? rest : `/${rest}`;
      proxied.add(req);
      fixed.set(req, at(new URL(originAt(isSecure ? "https" : "http", named))));
      if (!opens(named.host)) unseen.add(req);
      return "host";
    },
    isProxied: (req) => proxied.has(req) || proxied.has(req.socket),
    isUnseen: (req) => unseen.has(req),
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
