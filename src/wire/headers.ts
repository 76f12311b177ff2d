/** Reads ordered header pairs the way HTTP means them: names without case, repetitions joined. */
import type { HeaderPairs } from "./exchange.ts";

/** All values of a header, in order; `name` in lower case. */
export function headerValues(headers: HeaderPairs, name: string): string[] {
  const values: string[] = [];
  for (const [key, value] of headers) if (key.toLowerCase() === name) values.push(value);
  return values;
}

/** A header's value, repetitions joined with a comma as RFC 9110 section 5.3 says; `name` in lower case. */
export function headerValue(headers: HeaderPairs, name: string): string | undefined {
  let joined: string | undefined;
  for (const [key, value] of headers)
    if (key.length === name.length && key.toLowerCase() === name)
      joined = joined === undefined ? value : `${joined}, ${value}`;
  return joined;
}

/** `type/subtype` of a Content-Type value, in lower case and without parameters. */
export function mediaType(contentType: string | undefined): string | undefined {
  // What nearly all bodies come as, in no need of being cut.
  if (contentType === "application/json") return contentType;
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() || undefined;
}

/** A parameter of a Content-Type value such as `boundary`, unquoted; `name` in lower case. */
export function mediaParameter(contentType: string | undefined, name: string): string | undefined {
  const pattern = /;\s*([^=;\s]+)\s*=\s*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([^;\s]*))/g;
  for (const [, key, quoted, bare] of (contentType ?? "").matchAll(pattern))
    if (key?.toLowerCase() === name) return quoted === undefined ? bare : quoted.replace(/\\(.)/g, "$1");
  return undefined;
}

/** Fields that speak of one connection only, in lower case (RFC 9110 section 7.6.1). */
export const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);
