/** Hosts, and hosts with ports, as the targets of requests name them. */
import { isIP } from "node:net";

export interface HostAndPort {
  /** In lower case, without a dot at its end; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

const label = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/;

/** A host as it is compared: in lower case, without brackets and the dot at its end. Undefined for what is none. */
export function normalHost(text: string): string | undefined {
  const host = text
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  if (isIP(host) !== 0) return host;
  return host.length <= 253 && host.split(".").every((one) => label.test(one)) ? host : undefined;
}

/** `HOST:PORT` with an IPv6 address in brackets; undefined for what is none. */
export function hostAndPort(text: string): HostAndPort | undefined {
  const [, name, digits] = /^(\[[\da-fA-F:.]{2,45}\]|[^:[\]]{1,254}):(\d{1,5})$/.exec(text) ?? [];
  const host = name === undefined ? undefined : normalHost(name);
  const port = Number(digits);
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : undefined;
}

/** The origin of a service, as URLs spell it: without a port that its scheme implies. */
export const originAt = (scheme: "http" | "https", { host, port }: HostAndPort): string =>
  new URL(`${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`).origin;
