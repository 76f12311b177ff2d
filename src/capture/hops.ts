/** Decides which header fields pass a hop: everything as sent, except the hop-by-hop fields of RFC 9110 section 7.6.1. */

const hopByHop = new Set(["connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade"]);

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

const isChunked = (value: string): boolean => /(?:^|[\s,])chunked\s*$/i.test(value);

function has(raw: readonly string[], name: string): boolean {
  for (let i = 0; i < raw.length; i += 2)
    if (raw[i]!.length === name.length && raw[i]!.toLowerCase() === name) return true;
  return false;
}

/** Methods whose requests usually bring no body, for which Node adds no framing of its own. */
const bodyless = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"]);

/**
 * The header fields of a request on its way up. `Host` names the upstream; `Connection` speaks for our own hop and
 * stands where the client's stood; `TE: trailers` passes, since trailers do. Flat lists, as Node reads and writes them.
 */
export function requestFields(method: string, raw: readonly string[], host: string): string[] {
  const named = namedByConnection(raw);
  const framed = has(raw, "transfer-encoding");
  const fields: string[] = [];
  let connection = -1;
  let wantsTrailers = false;
  let length = framed;
  let named_host = false;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    const value = raw[i + 1]!;
    const lower = name.toLowerCase();
    if (lower === "host") {
      if (!named_host) fields.push(name, host);
      named_host = true;
    } else if (lower === "connection") {
      if (connection < 0) connection = fields.push(name, "keep-alive") - 1;
    } else if (lower === "transfer-encoding") fields.push(name, value);
    else if (lower === "te") {
      if (!/(?:^|,)\s*trailers\b/i.test(value)) continue;
      wantsTrailers = true;
      fields.push(name, "trailers");
    } else if (hopByHop.has(lower) || named?.has(lower)) {
    } else if (lower === "content-length") {
      // Beside Transfer-Encoding it is void, and a way to smuggle requests.
      if (!framed) fields.push(name, value);
      length = true;
    } else fields.push(name, value);
  }
  if (!named_host) fields.unshift("Host", host);
  if (wantsTrailers && connection >= 0) fields[named_host ? connection : connection + 2] = "keep-alive, TE";
  // Node would announce a chunked body where a POST has none; an explicit length of nothing says the same as no framing.
  if (!length && !bodyless.has(method)) fields.push("Content-Length", "0");
  return fields;
}

/** The header fields of a response on its way down; `chunks` tells whether this client and status can take a chunked body. */
export function responseFields(raw: readonly string[], chunks: boolean): string[] {
  const named = namedByConnection(raw);
  const framed = has(raw, "transfer-encoding");
  const ends = chunks && (framed || !has(raw, "content-length"));
  const fields: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    const value = raw[i + 1]!;
    const lower = name.toLowerCase();
    if (lower === "transfer-encoding") {
      if (chunks && isChunked(value)) fields.push(name, value);
    } else if (hopByHop.has(lower) || named?.has(lower)) {
    } else if (lower === "content-length") {
      if (!framed) fields.push(name, value);
    } else if (lower !== "trailer" || ends) fields.push(name, value);
  }
  return fields;
}

/** The path to ask the upstream for: its own base path, then what the client asked for, unchanged. */
export function pathAt(base: string, target: string): string {
  const path = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? target;
  if (path === "*") return path;
  return `${base}${path.startsWith("/") ? path : `/${path}`}`;
}
