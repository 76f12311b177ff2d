/** Removes credentials from an exchange before it is written to disk. The verdict on the exchange stays the same. */

import { isUtf8 } from "node:buffer";
import { parseCookie } from "../wire/cookies.ts";
import { decodeContent } from "../wire/encoding.ts";
import type { Exchange, HeaderPairs, MaskedVerdict, WireRequest, WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { percentEncoded } from "../wire/percent.ts";
import { pointer } from "../wire/pointer.ts";
import { isPlainHeader, isPlainParameter } from "./allowed.ts";
import { isKeyLike } from "./looks.ts";
import { type Kind, type Looked, look, type Masked, masked, type Wanted, wantedOf } from "./mask.ts";
import { namesCredential, namesInQuery, namingOf } from "./names.ts";
import { decoded, keysOf, othersOf, parametersOf, scheme, userInfo } from "./request-credentials.ts";
import type { Span } from "./source-map.ts";

export interface RedactOptions {
  /** Names of further headers with values to keep, e.g. the header that `partner-version` is bound to. */
  readonly keepHeaders?: readonly string[];
  /** Further patterns of secrets. They are matched against bytes decoded as Latin-1. */
  readonly patterns?: readonly RegExp[];
  /** Further secrets to find by value. Values of fewer than six characters are ignored. */
  readonly secrets?: readonly string[];
  /** Keys that clients sent in this session. Updated by `redact`. An upstream may echo one after a request without a key. */
  readonly remembered?: Set<string>;
  /** Reads the heads of an exchange before they are masked. Returns undefined if no document describes them. */
  readonly heads?: ((exchange: Exchange) => HeadReading | undefined) | undefined;
}

/** The heads of one exchange, read by the document that describes them. */
interface HeadReading {
  /** Whether the value of a parameter or header can be kept, because the document does not permit a secret there. */
  readonly isOpen: (part: "query" | "headers" | "replyHeaders", name: string, text: string) => boolean;
  /** The same for a cookie. Returns undefined for undocumented cookies. */
  readonly isOpenCookie: (name: string, text: string) => boolean | undefined;
  /** Returns the verdicts on the original heads that judging the masked exchange would miss. */
  readonly lostIn: (masked: Exchange) => { readonly request?: MaskedVerdict; readonly response?: MaskedVerdict };
}

const placeholder = "[redacted]";
const inQuery = percentEncoded(placeholder);
/** Whether a value was redacted before and is therefore not a secret. */
const isRedacted = (value: string): boolean => value.includes(placeholder) || value.includes(inQuery);
const isMask = (value: string): boolean => isRedacted(value) || /^(?:x+|1+)$/.test(value);
/** Masks the secret in a header value. An empty value stays empty, so that judging still reports it. */
function redactValue(name: string, value: string): string {
  const [, kept = "", rest = value] = /^(?:proxy-)?authorization$/.test(name) ? (scheme.exec(value) ?? []) : [];
  return kept + rest.replace(kept ? /\S+/g : /\S(?:.*\S)?/gs, placeholder);
}

/** Maximum number of remembered keys of a session. They are searched for in its later exchanges, too. */
const maxRemembered = 8;

/** Remembers the latest keys. Do not pass cookies: they can change with every response and would displace the keys. */
function remember(keys: readonly string[], remembered: Set<string>): void {
  for (const key of keys.filter(isKeyLike)) {
    remembered.delete(key);
    remembered.add(key);
    if (remembered.size > maxRemembered) remembered.delete(remembered.values().next().value!);
  }
}

/** Adds a place to the list of masked places. */
type Note = (place: string) => void;

function redactTarget(
  asked: string,
  mask: (text: string) => string,
  note: Note,
  isOpen: (name: string, value: string) => boolean,
): string {
  const target = asked.replace(userInfo, "$1");
  const at = target.indexOf("?");
  const path = at < 0 ? target : target.slice(0, at);
  const withoutBot = mask(path).replace(botSegment, (_, kept: string, key: string) => kept + "x".repeat(key.length));
  const safe = withoutBot.replace(keySegment, (whole, before: string, name: string, value: string) =>
    (namingOf(name) !== "none" || namesInQuery(name)) && isKeyLike(value)
      ? `${before}${"x".repeat(value.length)}`
      : whole,
  );
  if (safe !== asked.slice(0, path.length)) note("/path");
  const query = parametersOf(target).map(([name, value]) => {
    const shown = isKeyLike(decoded(name)) ? inQuery : mask(name);
    const plain =
      value === undefined || value === "" || isPlainParameter(decoded(name)) || isOpen(decoded(name), value);
    const kept = value === undefined ? undefined : plain ? mask(value) : inQuery;
    if (shown !== name || kept !== value) note(pointer("query", decoded(shown)));
    return kept === undefined ? shown : `${shown}=${kept}`;
  });
  return at < 0 ? safe : `${safe}?${query.join("&")}`;
}

/**
 * Masks a Cookie header. Documented cookies keep their names, and their values if these can be kept. If no cookie is documented,
 * the whole header is masked.
 */
function redactCookies(
  value: string,
  mask: (text: string) => string,
  isOpen: (name: string, value: string) => boolean | undefined,
): string {
  const pieces = value.split(";").map((piece) => {
    const [name, text] = parseCookie(piece);
    const open = isOpen(name, text);
    if (isRedacted(piece)) return { open, kept: piece };
    if (open === true) return { open, kept: mask(piece) };
    return {
      open,
      kept: open === false ? piece.replace(/=.*$/s, `=${placeholder}`) : piece.replace(/\S(?:.*\S)?/s, placeholder),
    };
  });
  const isDescribed = pieces.some(({ open }) => open !== undefined);
  return isDescribed ? pieces.map(({ kept }) => kept).join(";") : redactValue("cookie", value);
}

/** Bot id and key in a path, as in the Telegram Bot API and similar APIs. */
const botSegment = /(\/bot\d{6,12}:)([\w-]{20,})(?=\/|$)/g;

/** Two path segments that may be the name of a credential and its value. */
const keySegment = /(\/([A-Za-z][\w-]{2,30})\/)([\w.~-]{16,})(?=\/|$)/g;

/** A body, decoded if possible. */
interface Plain {
  readonly bytes: Buffer;
  readonly encoded: boolean;
  /** Whether the content is unreadable. */
  readonly opaque: boolean;
  /** Whether the content is unreadable because the decoded body is too large. */
  readonly tooLarge?: boolean;
}

/** Returns the bytes as a buffer without copying. An existing buffer is returned itself, because judging reads it again. */
const viewOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function plainOf({ body, headers }: WireRequest | WireResponse): Plain {
  const raw = viewOf(body);
  const coding = headerValue(headers, "content-encoding");
  const framing = headerValue(headers, "transfer-encoding");
  // HTTP parsers do not decode other transfer codings, such as gzip.
  if (framing !== undefined && !/^\s*(?:chunked|identity)\s*$/i.test(framing) && !isUtf8(raw))
    return { bytes: raw, encoded: false, opaque: true };
  const plain = coding === undefined ? undefined : decodeContent(body, coding);
  if (plain?.ok && plain.bytes !== body) {
    return { bytes: viewOf(plain.bytes), encoded: true, opaque: false };
  }
  // Some senders declare an encoding but send plain text, which can be searched.
  const opaque = plain?.ok === false && !isUtf8(raw);
  return { bytes: raw, encoded: false, opaque, tooLarge: opaque && plain.tooLarge === true };
}

type Message = WireRequest | WireResponse;

/** Masking of one body. */
interface Mask {
  /** Returns the masked body, or undefined if it contains no secret. */
  readonly body: () => Masked | undefined;
  /** Whether the bytes contain a secret. */
  readonly holds: (bytes: Buffer) => boolean;
}

/** Maximum number of places in the body. Longer lists are shortened by merging adjacent places. */
const maxPlaces = 2000;

/** Converts spans of a body to places. */
function placesOf(spans: readonly Span[]): string[] {
  const together = Math.ceil(spans.length / maxPlaces);
  const places: string[] = [];
  for (let i = 0; i < spans.length; i += together)
    places.push(`/body/${spans[i]![0]}-${spans[Math.min(spans.length, i + together) - 1]![1]}`);
  return places;
}

/** Maximum depth of nested compression in the search for secrets. */
const maxLevels = 3;

/** Whether undeclared compressed data contains a secret, e.g. a body that was encoded twice, or a file in a form. */
function hidesCompressed(bytes: Buffer, holds: (bytes: Buffer) => boolean, levels = maxLevels): boolean {
  if (levels === 0 || bytes.length < 8 || isUtf8(bytes)) return false;
  for (const [coding, from] of compressedAt(bytes)) {
    const plain = decodeContent(bytes.subarray(from), coding);
    if (!plain.ok || plain.bytes.length === 0) continue;
    const inner = viewOf(plain.bytes);
    if (holds(inner) || hidesCompressed(inner, holds, levels - 1)) return true;
  }
  return false;
}

const gzipMagic = Buffer.from([0x1f, 0x8b, 0x08]);
/** Maximum number of gzip files in a body that are searched. */
const maxFiles = 8;

/** Yields the possible starts of compressed data, each with its coding. */
function* compressedAt(bytes: Buffer): Generator<readonly [coding: string, from: number]> {
  let files = 0;
  for (let at = bytes.indexOf(gzipMagic); at >= 0 && files++ < maxFiles; at = bytes.indexOf(gzipMagic, at + 3))
    yield ["gzip", at];
  if (files > 0) return;
  if ((bytes[0]! & 0x0f) === 8 && ((bytes[0]! << 8) | bytes[1]!) % 31 === 0) yield ["deflate", 0];
  // Brotli and raw deflate have no magic number. Files of a known media type are skipped.
  else if (!isMedia(bytes)) for (const coding of ["br", "deflate"]) yield [coding, 0];
}

const media = ["\x89PNG", "\xff\xd8\xff", "GIF8", "RIFF", "ID3", "OggS", "%PDF", "PK\x03\x04", "fLaC", "\x1aE\xdf\xa3"];
const isMedia = (bytes: Buffer): boolean => {
  const start = bytes.toString("latin1", 0, 12);
  return start.startsWith("--") || start.slice(4, 8) === "ftyp" || media.some((one) => start.startsWith(one));
};

/** Whether only the close of the connection marks the end of the body. A reset can look the same. */
const endsUnsaid = ({ headers }: WireResponse): boolean =>
  /close/i.test(headerValue(headers, "connection") ?? "") &&
  headerValue(headers, "content-length") === undefined &&
  headerValue(headers, "transfer-encoding") === undefined;

/** Masks a body in place. If an encoded body contains secrets, it is kept without its content encoding. */
function redactBody<M extends Message>(message: M, plain: Plain, mask: Mask, places: string[]): M {
  const { body, headers } = message;
  const { chunks: _chunks, ...rest } = message as M & { chunks?: unknown };
  const dropped = (): M =>
    ({ ...rest, body: new Uint8Array(0), cut: (message.cut ?? 0) + body.length }) as unknown as M;
  if (plain.tooLarge) places.push("/body");
  // Dropped, because most of the content under a damaged encoding can still be recovered.
  if (plain.opaque) return dropped();
  const found = mask.body();
  if (hidesCompressed(plain.bytes, mask.holds)) return dropped();
  if (!found) return message;
  for (const place of placesOf(found.spans)) places.push(place);
  if (!plain.encoded) return { ...message, body: found.bytes };
  const kept = headers
    .filter(([name]) => name.toLowerCase() !== "content-encoding")
    .map(([name, value]) => {
      const isLength = name.toLowerCase() === "content-length";
      return [name, isLength ? String(found.bytes.length) : value] as const;
    });
  return { ...rest, headers: kept, body: found.bytes } as unknown as M;
}

/** Texts of heads without secrets. Cached, because names and most values repeat in every exchange. */
const knownClean = new WeakMap<Wanted, readonly [Set<string>, inFailures: Set<string>]>();
const maxClean = 512;
const maxCleanLength = 256;

function cleanTexts(wanted: Wanted, failure: boolean): Set<string> {
  let known = knownClean.get(wanted);
  if (!known) knownClean.set(wanted, (known = [new Set(), new Set()]));
  return known[failure ? 1 : 0];
}

/**
 * Returns the exchange without credentials. Headers and query parameters keep their names. Their values are kept only if the name
 * is in an allow-list or the document permits it; `Authorization` keeps its scheme. Everything else is searched for the credentials
 * of the exchange and for text shaped like a key. Matches are overwritten at the same length. The verdict on the exchange stays the
 * same.
 */
export function redact(exchange: Exchange, options: RedactOptions = {}): Exchange {
  const { keepHeaders = [], patterns = [], secrets = [], remembered = new Set() } = options;
  const kept = new Set(keepHeaders.map((name) => name.toLowerCase()));
  const isPlain = (name: string): boolean => isPlainHeader(name) || kept.has(name);
  const { origin, request, response } = exchange;
  const sent = plainOf(request);
  const came = response && plainOf(response);
  const isTorn = (message: Message): boolean =>
    Boolean(message.cut || exchange.aborted) || (message === response && !exchange.imported && endsUnsaid(response));
  const kindOf = (message: Message): Kind => (isTorn(message) ? "broken" : "body");
  const lookedAt = (message: Message, { bytes, opaque }: Plain): Looked | undefined =>
    opaque ? undefined : look(bytes, kindOf(message), patterns);
  const reading = options.heads?.(exchange);
  const isOpen = (part: "query" | "headers" | "replyHeaders", name: string, text: string): boolean =>
    reading?.isOpen(part, name, text) === true && !namesCredential(name);

  const isOpenCookie = (name: string, text: string): boolean | undefined => {
    const open = reading?.isOpenCookie(name, text);
    return open && !namesCredential(name);
  };

  const inSent = lookedAt(request, sent);
  const keys = [...keysOf(request, isPlain)].filter((key) => !isRedacted(key));
  remember(keys, remembered);
  const others = [...othersOf(exchange, isPlain, isOpenCookie), ...(inSent?.values ?? [])].filter(
    (secret) => !isMask(secret),
  );
  const wanted = wantedOf(new Set([...keys, ...remembered, ...others, ...secrets.filter(({ length }) => length >= 6)]));
  const failure = (response?.status ?? 0) >= 400;

  const clean = patterns.length === 0 ? cleanTexts(wanted, failure) : new Set<string>();
  const maskText = (text: string): string => {
    if (clean.has(text)) return text;
    const found = masked(look(Buffer.from(text, "utf8"), "text", patterns), wanted, failure);
    if (found) return found.bytes.toString("utf8");
    if (text.length <= maxCleanLength) {
      if (clean.size >= maxClean) clean.clear();
      clean.add(text);
    }
    return text;
  };

  const maskPairs = (pairs: HeaderPairs, part: string, side: "headers" | "replyHeaders", note: Note): HeaderPairs =>
    pairs.map(([name, value]) => {
      const key = name.toLowerCase();
      const shown = maskText(name);
      const safe =
        isPlain(key) || (part === "headers" && isOpen(side, key, value))
          ? maskText(key === "host" ? value.replace(/^.*@/s, "") : value)
          : key === "cookie" && side === "headers" && reading
            ? redactCookies(value, maskText, isOpenCookie)
            : redactValue(key, value);
      if (safe !== value || shown !== name) note(pointer(part, shown.toLowerCase()));
      return [shown, safe] as const;
    });
  const message = <M extends Message>(before: M, plain: Plain, looked: Looked | undefined, failed: boolean) => {
    const places: string[] = [];
    const mask: Mask = {
      body: () => looked && masked(looked, wanted, failed),
      holds: (bytes) => masked(look(bytes, kindOf(before), patterns), wanted, failed) !== undefined,
    };
    const after = redactBody(before, plain, mask, places);
    const side = before === response ? "replyHeaders" : "headers";
    const headers = maskPairs(after.headers, "headers", side, (place) => places.push(place));
    return { after: { ...after, headers }, places };
  };

  const asked = message(request, sent, inSent, false);
  const askedPlaces: string[] = [];
  const safeOrigin = origin === undefined ? undefined : maskText(origin.replace(userInfo, "$1"));
  if (safeOrigin !== origin) askedPlaces.push("/origin");
  const target = redactTarget(
    request.target,
    maskText,
    (place) => askedPlaces.push(place),
    (name, value) => isOpen("query", name, value),
  );

  function answered(whole: WireResponse, plain: Plain): WireResponse {
    const { after, places } = message(whole, plain, lookedAt(whole, plain), failure);
    const { reason, trailers } = whole;
    const safeReason = reason === undefined ? undefined : maskText(reason);
    if (safeReason !== reason) places.push("/reason");
    const safeTrailers = trailers && maskPairs(trailers, "trailers", "replyHeaders", (place) => places.push(place));
    const safe: WireResponse = {
      ...after,
      ...(safeReason !== undefined && { reason: safeReason }),
      ...(safeTrailers && { trailers: safeTrailers }),
    };
    return withPlaces(safe, places);
  }
  const safe: Exchange = {
    ...exchange,
    ...(safeOrigin !== undefined && { origin: safeOrigin }),
    request: withPlaces({ ...asked.after, target }, [...askedPlaces, ...asked.places]),
    response: response && came && answered(response, came),
  };
  const isMasked = (message: Message | null): boolean =>
    message?.redacted?.some((place) => !place.startsWith("/body/")) === true;
  if (!reading || !(isMasked(safe.request) || isMasked(safe.response))) return safe;
  const { request: onRequest, response: onResponse } = reading.lostIn(safe);
  const isSafeName = (name: string): boolean => maskText(name) === name && !isKeyLike(name);
  return {
    ...safe,
    request: withVerdict(safe.request, onRequest, isSafeName),
    response: safe.response && withVerdict(safe.response, onResponse, isSafeName),
  };
}

/**
 * Adds the verdict on masked values to a message, and keeps an earlier verdict by the same document. Omits violations with a
 * pointer that may contain a secret.
 */
function withVerdict<M extends Message>(
  message: M,
  verdict: MaskedVerdict | undefined,
  isSafeName: (name: string) => boolean,
): M {
  if (!verdict) return message;
  const { document, clauses } = verdict;
  const before = message.judged?.document === document ? message.judged : undefined;
  const violations = verdict.violations.filter((one) => one.pointer.split("/").every(isSafeName));
  return {
    ...message,
    judged: {
      document,
      clauses: [...new Set([...(before?.clauses ?? []), ...clauses])],
      violations: [...(before?.violations ?? []), ...violations],
    },
  };
}

/** Adds masked places to a message, after the earlier ones. */
function withPlaces<M extends Message>(message: M, places: readonly string[]): M {
  if (places.length === 0 && !message.redacted) return message;
  const all = [...new Set([...(message.redacted ?? []), ...places])];
  return all.length > 0 ? { ...message, redacted: all } : message;
}
