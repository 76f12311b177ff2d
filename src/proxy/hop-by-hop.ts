/** Decides which header fields pass a hop: everything as sent, except the hop-by-hop fields of RFC 9110 section 7.6.1. */

import { hopByHop } from "../wire/headers.ts";

/** Fields that a Connection header cannot take away: the message would lose its meaning or its end. */
const kept = new Set(["host", "content-length", "content-type", "authorization", "trailer"]);

/** Further fields that this sender's Connection header declares to be hop-by-hop. */
function namedByConnection(raw: readonly string[]): ReadonlySet<string> | undefined {
  let named: Set<string> | undefined;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    if (raw[i]!.length !== 10 || raw[i]!.toLowerCase() !== "connection") continue;
    for (const token of raw[i + 1]!.toLowerCase().split(",")) {
      const name = token.trim();
      if (name !== "" && !kept.has(name)) (named ??= new Set()).add(name);
    }
  }
  return named;
}

function fieldOf(raw: readonly string[], name: string): string | undefined {
  for (let i = 0; i + 1 < raw.length; i += 2)
    if (raw[i]!.length === name.length && raw[i]!.toLowerCase() === name) return raw[i + 1];
  return undefined;
}

/** Methods whose requests usually bring no body, for which Node adds no framing of its own. */
const bodyless = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"]);

/**
 * The header fields of a request on its way up. `Host` names the upstream; `Connection` speaks for our own hop and
 * stands where the client's stood; `TE: trailers` passes, since trailers do. Flat lists, as Node reads and writes them.
 */
export function requestFields(method: string, raw: readonly string[], host: string): string[] {
  const named = namedByConnection(raw);
  const chunked = fieldOf(raw, "transfer-encoding") !== undefined;
  const trailers = /(?:^|,)\s*trailers\b/i.test(fieldOf(raw, "te") ?? "");
  const fields: string[] = [];
  const ours = new Set<string>();
  let framed = chunked;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    const lower = name.toLowerCase();
    let value: string | undefined = raw[i + 1]!;
    if (lower === "host" || lower === "connection" || lower === "te") {
      if (lower === "host") value = host;
      else if (lower === "connection") value = trailers ? "keep-alive, TE" : "keep-alive";
      else value = trailers ? "trailers" : undefined;
      if (value === undefined || ours.has(lower)) continue;
      ours.add(lower);
    } else if (lower === "content-length") {
      framed = true;
      // It is void beside Transfer-Encoding, and a way to smuggle requests.
      if (chunked) continue;
    } else if (lower !== "transfer-encoding" && (hopByHop.has(lower) || named?.has(lower))) continue;
    fields.push(name, value);
  }
  if (!ours.has("host")) fields.unshift("Host", host);
  // Node would announce a chunked body where a POST has none; a length of nothing says the same as no framing.
  if (!framed && !bodyless.has(method)) fields.push("Content-Length", "0");
  return fields;
}

/**
 * The header fields of a response on its way down.
 * @param framing whether this client and status allow a Transfer-Encoding
 * @param body whether a body follows, as it does not after HEAD
 */
export function responseFields(raw: readonly string[], framing: boolean, body: boolean): string[] {
  const named = namedByConnection(raw);
  const chunked = fieldOf(raw, "transfer-encoding") !== undefined;
  const trailers = framing && (chunked || (body && fieldOf(raw, "content-length") === undefined));
  const fields: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    const lower = name.toLowerCase();
    if (lower === "transfer-encoding") {
      if (!framing) continue;
    } else if (hopByHop.has(lower) || named?.has(lower)) continue;
    else if (lower === "content-length" && chunked) continue;
    else if (lower === "trailer" && !trailers) continue;
    fields.push(name, raw[i + 1]!);
  }
  return fields;
}

/** The path to ask the upstream for: its own base path, then what the client asked for, unchanged. */
export function pathAt(base: string, target: string): string {
  const path = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? target;
  if (path === "*") return path;
  return `${base}${path.startsWith("/") ? path : `/${path}`}`;
}
