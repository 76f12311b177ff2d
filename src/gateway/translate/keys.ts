/** Moves a client's key to the place where the interface of the upstream has it. */
import type { KeyPlace } from "../../check/interface.ts";
import { cookieText, cookieValue, withCookie } from "../../wire/cookies.ts";
import type { HeaderPairs, WireRequest } from "../../wire/exchange.ts";
import { percentEncoded } from "../../wire/percent.ts";

const bearer = /^\s*bearer\s+/i;

/** The key of a request, wherever clients of its interface put it. */
export function keyOf(
  { headers, target }: WireRequest,
  { header, query, cookie, otherHeaders = [] }: KeyPlace,
): string | undefined {
  const sent = cookie === undefined ? undefined : cookieValue(headers, cookie);
  if (sent !== undefined) return sent;
  if (query !== undefined && target.includes("?")) {
    const value = new URLSearchParams(target.slice(target.indexOf("?") + 1)).get(query);
    if (value !== null) return value;
  }
  for (const name of header === undefined ? otherHeaders : [header, ...otherHeaders]) {
    const found = headers.find(([one]) => one.toLowerCase() === name);
    if (found) return found[1].replace(bearer, "");
  }
  return undefined;
}

/** A request with a key in the documented place. */
export function withKey(
  request: WireRequest,
  key: string | undefined,
  { header, query, cookie }: KeyPlace,
): WireRequest {
  if (key === undefined) return request;
  if (cookie !== undefined) return { ...request, headers: withCookie(request.headers, cookie, cookieText(key)) };
  if (header !== undefined) {
    const pair: HeaderPairs = [[header, header === "authorization" ? `Bearer ${key}` : key]];
    return { ...request, headers: [...request.headers, ...pair] };
  }
  if (query === undefined) return request;
  const separator = request.target.includes("?") ? "&" : "?";
  return { ...request, target: `${request.target}${separator}${query}=${percentEncoded(key)}` };
}
