/** Takes credentials out of an exchange before it reaches the disk, and leaves everything that is judged. */
import { isUtf8 } from "node:buffer";
import { decodeContent } from "../wire/encoding.ts";
import type { Exchange, HeaderPairs, WireRequest, WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { pointer } from "../wire/pointer.ts";
import { isPlainHeader, isPlainParameter, namesCredential } from "./allowed.ts";
import { type Kind, labelledValues, type Masked, masked, mayHold, spellingsOf } from "./secrets.ts";

export interface RedactOptions {
  /** Names of further headers whose values are kept, e.g. what `partner-version` is bound to. */
  readonly keepHeaders?: readonly string[];
  /** Further shapes of secrets to look for, in bytes read as Latin-1. */
  readonly patterns?: readonly RegExp[];
  /** Further secrets to look for by value, from six characters on. */
  readonly secrets?: readonly string[];
  /** Keys that clients of this session sent, kept here: an upstream may echo one in the answer to a request without it. */
  readonly remembered?: Set<string>;
}

const placeholder = "[redacted]";
const inQuery = encodeURIComponent(placeholder);
/** Whether a value was redacted before; it is no secret then. */
const isRedacted = (value: string): boolean => value.includes(placeholder) || value.includes(inQuery);
/** Schemes of Authorization; what stands before a blank otherwise may be the key itself. */
const scheme =
  /^(\s*(?:Bearer|Basic|Digest|Token|Negotiate|ApiKey|AWS4-HMAC-SHA256|GoogleLogin|OAuth)(?:\s+|$))(.*)$/is;

/** The value without its secret; an empty one stays empty, so that it is still found missing. */
function redactValue(name: string, value: string): string {
  const [, kept = "", rest = value] = /^(?:proxy-)?authorization$/.test(name) ? (scheme.exec(value) ?? []) : [];
  return kept + rest.replace(kept ? /\S+/g : /\S(?:.*\S)?/gs, placeholder);
}

/** Parameters of schemes such as Digest that are secret themselves. */
const secretParameter = /\b(?:token|response|signature)="?([^",\s]+)/gi;

/** Whether a text is no word. */
const isKey = (text: string): boolean => text.length >= 16 && /\d/.test(text);

/** The secrets a credential header carries: what follows the scheme, also in parts, cookie values, user and password. */
function* secretsOfHeader(name: string, value: string): Generator<string> {
  const cookies = name === "cookie" ? value.split(";") : name === "set-cookie" ? [value.split(";", 1)[0]!] : [];
  for (const pair of cookies) {
    const one = pair.slice(pair.indexOf("=") + 1).trim();
    yield one;
    yield decoded(one);
    yield one.replace(/^"(.*)"$/, "$1");
  }
  const [, kept = "", rest = value] = scheme.exec(value) ?? [];
  yield rest.trim();
  yield* rest.split(/[\s,;="]+/).filter(isKey);
  for (const [, one] of rest.matchAll(secretParameter)) yield one!;
  if (!/basic/i.test(kept)) return;
  const pair = Buffer.from(rest, "base64").toString("utf8");
  yield pair;
  yield* pair.split(":", 1).filter(isKey);
  yield pair.slice(pair.indexOf(":") + 1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** Name and value of each query parameter as sent. */
function parametersOf(target: string): [name: string, value: string | undefined][] {
  const at = target.indexOf("?");
  if (at < 0) return [];
  return target
    .slice(at + 1)
    .split("&")
    .map((piece) => {
      const equals = piece.indexOf("=");
      return equals < 0 ? [piece, undefined] : [piece.slice(0, equals), piece.slice(equals + 1)];
    });
}

const userInfo = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@/i;

/** The credentials that a request names as such, but for cookies. */
function* keysOf({ headers, target }: WireRequest, isPlain: (name: string) => boolean): Generator<string> {
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (!isPlain(key) && key !== "cookie" && namesCredential(key)) yield* secretsOfHeader(key, value);
  }
  for (const [name, value] of parametersOf(target))
    if (value !== undefined && !isPlainParameter(decoded(name)) && namesCredential(decoded(name))) {
      yield value;
      yield decoded(value);
    }
}

function* secretsOf({ origin, request, response }: Exchange, isPlain: (name: string) => boolean): Generator<string> {
  for (const [name, value] of request.headers)
    if (/^cookie$/i.test(name) && !isPlain("cookie")) yield* secretsOfHeader("cookie", value);
  // What else a response names tokens or keys counts or labels them.
  for (const [name, value] of response?.headers ?? [])
    if (/^set-cookie$/i.test(name)) yield* secretsOfHeader("set-cookie", value);
  for (const url of [origin, request.target]) {
    const user = userInfo.exec(url ?? "")?.[2];
    if (user) yield decoded(user.slice(user.indexOf(":") + 1));
  }
}

/** Keys of one session that are looked for in all of it. */
const mostRemembered = 8;

/** Keeps the latest keys; cookies, which may change with every answer, would drive them out. */
function remember(keys: readonly string[], remembered: Set<string>): void {
  for (const key of keys.filter(isKey)) {
    remembered.delete(key);
    remembered.add(key);
    if (remembered.size > mostRemembered) remembered.delete(remembered.values().next().value!);
  }
}

/** What stands for a place in a list of places. */
type Note = (place: string) => void;

function redactTarget(asked: string, mask: (text: string) => string, note: Note): string {
  const target = asked.replace(userInfo, "$1");
  const at = target.indexOf("?");
  const path = at < 0 ? target : target.slice(0, at);
  const safe = mask(path);
  if (safe !== asked.slice(0, path.length)) note("/path");
  const query = parametersOf(target).map(([name, value]) => {
    if (value === undefined || value === "" || isPlainParameter(decoded(name))) {
      const piece = value === undefined ? name : `${name}=${value}`;
      const kept = mask(piece);
      if (kept !== piece) note(pointer("query", decoded(name)));
      return kept;
    }
    if (value !== inQuery) note(pointer("query", decoded(name)));
    return `${name}=${inQuery}`;
  });
  return at < 0 ? safe : `${safe}?${query.join("&")}`;
}

/** A body without its content encoding, as far as that can be undone. */
interface Plain {
  readonly bytes: Buffer;
  readonly encoded: boolean;
  /** Whether nobody can say what it holds. */
  readonly opaque: boolean;
}

/** Bytes as a buffer; the same one where they are one, since judging reads them again. */
const viewOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function plainOf({ body, headers }: WireRequest | WireResponse): Plain {
  const raw = viewOf(body);
  const coding = headerValue(headers, "content-encoding");
  const framing = headerValue(headers, "transfer-encoding");
  // Neither parsers nor readers of HTTP undo further codings of the transfer.
  if (framing !== undefined && !/^\s*(?:chunked|identity)\s*$/i.test(framing) && !isUtf8(raw))
    return { bytes: raw, encoded: false, opaque: true };
  const plain = coding === undefined ? undefined : decodeContent(body, coding);
  if (plain?.ok && plain.bytes !== body) {
    return { bytes: viewOf(plain.bytes), encoded: true, opaque: false };
  }
  // Senders that name an encoding and do not use it are common enough; their text can be searched.
  return { bytes: raw, encoded: false, opaque: plain?.ok === false && !isUtf8(raw) };
}

type Message = WireRequest | WireResponse;
type Mask = (bytes: Buffer) => Masked | undefined;

/** Whether a body, as one encoded twice or a file, is gzip by itself, and what is in it has a secret. */
function hidesUnderGzip(bytes: Buffer, mask: Mask): boolean {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return false;
  const plain = decodeContent(bytes, "gzip");
  return plain.ok && mask(viewOf(plain.bytes)) !== undefined;
}

/** Masks a body in place; where secrets stand under a content encoding, the body is kept without it. */
function redactBody<M extends Message>(message: M, plain: Plain, mask: Mask, places: string[]): M {
  const { body, headers } = message;
  const { chunks: _chunks, ...rest } = message as M & { chunks?: unknown };
  const dropped = (): M =>
    ({ ...rest, body: new Uint8Array(0), cut: (message.cut ?? 0) + body.length }) as unknown as M;
  // Most of what is under a damaged encoding can still be read by those who try.
  if (plain.opaque) return dropped();
  const found = mask(plain.bytes);
  if (!found) return hidesUnderGzip(plain.bytes, mask) ? dropped() : message;
  for (const [from, to] of found.spans) places.push(`/body/${from}-${to}`);
  if (!plain.encoded) return { ...message, body: found.bytes };
  const kept = headers
    .filter(([name]) => name.toLowerCase() !== "content-encoding")
    .map(([name, value]) => {
      const isLength = name.toLowerCase() === "content-length";
      return [name, isLength ? String(found.bytes.length) : value] as const;
    });
  return { ...rest, headers: kept, body: found.bytes } as unknown as M;
}

/**
 * The exchange without credentials. Headers and query parameters keep their names; their values stay only where an
 * allow-list names them (`Authorization` keeps its scheme). What credentials the exchange carried is looked for in all
 * the rest, as is anything shaped like a key, and overwritten at the same length. Judging gives the same as before.
 */
export function redact(exchange: Exchange, options: RedactOptions = {}): Exchange {
  const { keepHeaders = [], patterns = [], secrets = [], remembered = new Set() } = options;
  const kept = new Set(keepHeaders.map((name) => name.toLowerCase()));
  const isPlain = (name: string): boolean => isPlainHeader(name) || kept.has(name);
  const { origin, request, response } = exchange;
  const sent = plainOf(request);
  const keys = [...keysOf(request, isPlain)].filter((key) => !isRedacted(key));
  remember(keys, remembered);
  const others = [...secretsOf(exchange, isPlain), ...labelledValues(sent.bytes)].filter(
    (secret) => !isRedacted(secret),
  );
  const found = [...keys, ...remembered, ...others];
  const wanted = { spellings: [...spellingsOf(found), ...spellingsOf(secrets, 6)], patterns };
  // Looked at together: hardly any of them needs a closer look.
  const texts = [origin, request.target, response?.reason];
  for (const pairs of [request.headers, response?.headers, response?.trailers])
    for (const [name, value] of pairs ?? []) if (isPlain(name.toLowerCase())) texts.push(value);
  const clean = !mayHold(Buffer.from(texts.join("\n"), "utf8"), wanted);
  const maskText = (text: string): string =>
    clean ? text : (masked(Buffer.from(text, "utf8"), wanted)?.bytes.toString("utf8") ?? text);
  const maskPairs = (pairs: HeaderPairs, part: string, note: Note): HeaderPairs =>
    pairs.map(([name, value]) => {
      const key = name.toLowerCase();
      const safe = isPlain(key) ? maskText(value) : redactValue(key, value);
      if (safe !== value) note(pointer(part, key));
      return [name, safe] as const;
    });
  const message = <M extends Message>(before: M, plain: Plain, places: string[]): M => {
    const kind: Kind = before.cut || exchange.aborted ? "broken" : "body";
    const after = redactBody(before, plain, (bytes) => masked(bytes, wanted, kind), places);
    return { ...after, headers: maskPairs(after.headers, "headers", (place) => places.push(place)) };
  };
  const inRequest: string[] = [];
  const inResponse: string[] = [];
  const safeOrigin = origin === undefined ? undefined : maskText(origin.replace(userInfo, "$1"));
  if (safeOrigin !== origin) inRequest.push("/origin");
  const target = redactTarget(request.target, maskText, (place) => inRequest.push(place));
  const safeRequest = { ...message(request, sent, inRequest), target };
  const safeResponse = response && redactResponse(response);
  function redactResponse(whole: WireResponse): WireResponse {
    const { reason, trailers } = whole;
    const safe = message(whole, plainOf(whole), inResponse);
    const safeReason = reason === undefined ? undefined : maskText(reason);
    if (safeReason !== reason) inResponse.push("/reason");
    const safeTrailers = trailers && maskPairs(trailers, "trailers", (place) => inResponse.push(place));
    return {
      ...safe,
      ...(safeReason !== undefined && { reason: safeReason }),
      ...(safeTrailers && { trailers: safeTrailers }),
    };
  }
  return {
    ...exchange,
    ...(safeOrigin !== undefined && { origin: safeOrigin }),
    request: withPlaces(safeRequest, inRequest),
    response: safeResponse && withPlaces(safeResponse, inResponse),
  };
}

/** A message that says where it was masked, now and before. */
function withPlaces<M extends Message>(message: M, places: readonly string[]): M {
  const all = [...new Set([...(message.redacted ?? []), ...places])];
  return all.length > 0 ? { ...message, redacted: all } : message;
}
