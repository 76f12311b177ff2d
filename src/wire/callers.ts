/** Decides who may call a server that listens on this machine only: no web page of another site, by whatever name it reaches it. */
import { isIP } from "node:net";
import type { HeaderPairs, WireRequest } from "./exchange.ts";
import type { LiveHandler, Reply } from "./listen.ts";

export interface Callers {
  /** The name or address that is listened on. */
  readonly host: string;
  /** Further names requests may give as their Host; `*` is any. */
  readonly hosts?: readonly string[] | undefined;
  /** Origins whose pages may send requests, e.g. `https://app.example.com`, or `null`; `*` is any. */
  readonly origins?: readonly string[] | undefined;
  /** Refuses as Host only what a browser can send for a page of another site: others may name what they like. */
  readonly onlyPages?: boolean | undefined;
}

export const isLoopback = (host: string): boolean =>
  /(?:^|\.)localhost\.?$/i.test(host) || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

const valuesOf = (headers: HeaderPairs, name: string): string[] =>
  headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value.trim());

/** The host of `HOST`, `HOST:PORT` or `[ADDRESS]:PORT`, spelled as URLs have it; undefined where it is none. */
function hostOf(authority: string): string | undefined {
  if (/[/?#@\\\s]/.test(authority) || !URL.canParse(`http://${authority}`)) return undefined;
  return new URL(`http://${authority}`).hostname.replace(/^\[|\]$|\.$/g, "");
}

const name = String.raw`(?:[\w-]+(?:\.[\w-]+)+|[\w-]{1,15}|\[[\da-f:.]+\])\.?(?::\d{1,5})?`;
const isHost = new RegExp(`^${name}$`, "i");
const isOrigin = new RegExp(`^(?:null|[a-z][a-z\\d+.-]{0,20}://${name})$`, "i");

/** A refusal quotes this; a header that is no host or no origin may hold anything, also a credential. */
const quoted = (value: string, isOne: RegExp): string => (isOne.test(value) ? `${JSON.stringify(value)} ` : "");

/** Names that nobody can register, and so nobody's page can be at: `localhost`, and the `internal` ones of containers. */
const isOwn = (host: string): boolean => isLoopback(host) || isIP(host) !== 0 || /\.internal$/i.test(host);

/** No browser sends a Host that is none, and nobody can register a name without a dot. */
const isNoPage = (host: string | undefined): boolean => host === undefined || !host.includes(".");

/**
 * Why a request is refused, in one sentence; undefined where it is not. Only servers on a loopback address refuse anything. A
 * page of another site may have its own name point there (DNS rebinding), or send requests without reading the answers.
 */
export function refusalOf(
  { target, headers }: Pick<WireRequest, "target" | "headers">,
  callers: Callers,
): string | undefined {
  const { host: own, hosts = [], origins = [], onlyPages = false } = callers;
  if (!isLoopback(own)) return undefined;
  const named = valuesOf(headers, "host");
  // Only who is told to use a proxy sends a whole address, and no page can tell that to its browser.
  if (target.startsWith("/") && !hosts.includes("*"))
    for (const value of named) {
      const host = hostOf(value);
      const known = host !== undefined && (isOwn(host) || [own, ...hosts].some((one) => hostOf(one) === host));
      if (!known && !(onlyPages && isNoPage(host)))
        return `Host ${quoted(value, isHost)}is not this machine; --allow-host NAME lets it in`;
    }
  for (const origin of valuesOf(headers, "origin")) {
    if (origins.includes("*") || origins.some((one) => one.replace(/\/$/, "").toLowerCase() === origin.toLowerCase()))
      continue;
    const host = /^https?:\/\//i.test(origin) && URL.canParse(origin) ? hostOf(new URL(origin).host) : undefined;
    if (host === undefined || !isLoopback(host))
      return `a page of another origin ${quoted(origin, isOrigin)}may not send requests here; --allow-origin ORIGIN lets it`;
  }
  return undefined;
}

/** A handler that answers 403 to those it is not for. */
export function forCallers(handler: LiveHandler, callers: Callers): LiveHandler {
  return (request, left) => {
    const refusal = refusalOf(request, callers);
    return refusal === undefined ? handler(request, left) : refused(refusal);
  };
}

/** A refusal as JSON in which the official SDKs find their message. */
export const refusalBody = (message: string): string =>
  `${JSON.stringify({ type: "error", error: { type: "caller_refused", code: "caller_refused", status: "PERMISSION_DENIED", message } })}\n`;

const refused = (message: string): Reply => ({
  status: 403,
  headers: [
    ["Content-Type", "application/json"],
    ["X-Should-Retry", "false"],
  ],
  pieces: [{ bytes: Buffer.from(refusalBody(message)) }],
});
