/** Reads ordered header pairs the way HTTP means them: names without case, repetitions joined. */

import type { HeaderPairs } from "./exchange.ts";
import { closingQuote } from "./find.ts";

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
  // Nearly all bodies have this type, which needs no cutting.
  if (contentType === "application/json") return contentType;
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() || undefined;
}

/** Whether a message says that it is a stream of server-sent events. */
export const isEventStream = (message: { readonly headers: HeaderPairs } | null): boolean =>
  message !== null && mediaType(headerValue(message.headers, "content-type")) === "text/event-stream";

const blanks = /\s*/y;
const key = /[^=;\s]+/y;
const bare = /[^;\s]*/y;

/** The text that a sticky expression matches at a place. */
function matchAt(expression: RegExp, text: string, at: number): string {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? "";
}

/** A parameter of a Content-Type value such as `boundary`, unquoted; `name` in lower case. */
export function mediaParameter(contentType: string | undefined, name: string): string | undefined {
  const text = contentType ?? "";
  const skip = (at: number): number => at + matchAt(blanks, text, at).length;
  for (let at = text.indexOf(";"); at >= 0; at = text.indexOf(";", at)) {
    at = skip(at + 1);
    const found = matchAt(key, text, at);
    at = skip(at + found.length);
    if (found === "" || text[at] !== "=") continue;
    at = skip(at + 1);
    const end = text[at] === '"' ? closingQuote(text, at) : text.length;
    const isQuoted = end < text.length;
    const value = isQuoted ? text.slice(at + 1, end) : matchAt(bare, text, at);
    if (found.toLowerCase() === name) return isQuoted ? value.replace(/\\(.)/g, "$1") : value;
    at = isQuoted ? end + 1 : at + value.length;
  }
  return undefined;
}

/** Fields that concern one connection only, in lower case (RFC 9110 section 7.6.1), and the password for the next proxy (section 11.7.2). */
export const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);
