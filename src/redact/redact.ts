/** Takes credentials out of an exchange before it reaches the disk, and leaves everything that is judged. */

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
  /** Names of further headers whose values are kept, e.g. what `partner-version` is bound to. */
  readonly keepHeaders?: readonly string[];
  /** Further shapes of secrets to look for, in bytes read as Latin-1. */
  readonly patterns?: readonly RegExp[];
  /** Further secrets to look for by value, from six characters on. */
  readonly secrets?: readonly string[];
  /** Keys that clients of this session sent, kept here: an upstream may echo one in the answer to a request without it. */
  readonly remembered?: Set<string>;
  /** Reads the heads of an exchange by a document, before they are masked. */
  readonly heads?: ((exchange: Exchange) => HeadReading | undefined) | undefined;
}

/** What a document says of the heads of one exchange. */
interface HeadReading {
  /** Whether the value of a parameter or header can be kept, since the document leaves no room for a secret. */
  readonly isOpen: (part: "query" | "headers" | "replyHeaders", name: string, text: string) => boolean;
  /** The same for a cookie; undefined for cookies that are not described. */
  readonly isOpenCookie: (name: string, text: string) => boolean | undefined;
  /** The verdicts that the masked exchange does not give any more. */
  readonly lostIn: (masked: Exchange) => { readonly request?: MaskedVerdict; readonly response?: MaskedVerdict };
}

const placeholder = "[redacted]";
const inQuery = percentEncoded(placeholder);
/** Whether a value was redacted before; it is no secret then. */
const isRedacted = (value: string): boolean => value.includes(placeholder) || value.includes(inQuery);
const isMask = (value: string): boolean => isRedacted(value) || /^(?:x+|1+)$/.test(value);
/** The value without its secret; an empty one stays empty, so that it is still found missing. */
function redactValue(name: string, value: string): string {
  const [, kept = "", rest = value] = /^(?:proxy-)?authorization$/.test(name) ? (scheme.exec(value) ?? []) : [];
  return kept + rest.replace(kept ? /\S+/g : /\S(?:.*\S)?/gs, placeholder);
}

/** Keys of one session that are looked for in all of it. */
const maxRemembered = 8;

/** Keeps the latest keys; cookies, which may change with every answer, would drive them out. */
function remember(keys: readonly string[], remembered: Set<string>): void {
  for (const key of keys.filter(isKeyLike)) {
    remembered.delete(key);
    remembered.add(key);
    if (remembered.size > maxRemembered) remembered.delete(remembered.values().next().value!);
  }
}

/** Notes a place for the list of places. */
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

/** Cookies of which the document describes some: these keep their names, and their values if those can be kept. */
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

/** A bot's number and key, as Telegram and those who copy it have them in paths. */
const botSegment = /(\/bot\d{6,12}:)([\w-]{20,})(?=\/|$)/g;

/** A segment of a path that stands behind the name of a credential. */
const keySegment = /(\/([A-Za-z][\w-]{2,30})\/)([\w.~-]{16,})(?=\/|$)/g;

/** A body without its content encoding, as far as that can be undone. */
interface Plain {
  readonly bytes: Buffer;
  readonly encoded: boolean;
  /** Whether nobody can say what it holds. */
  readonly opaque: boolean;
  /** Whether that is since it decodes to too much. */
  readonly tooLarge?: boolean;
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
  const opaque = plain?.ok === false && !isUtf8(raw);
  return { bytes: raw, encoded: false, opaque, tooLarge: opaque && plain.tooLarge === true };
}

type Message = WireRequest | WireResponse;

/** The treatment of a body: masked in place, or looked through for anything to mask. */
interface Mask {
  readonly body: () => Masked | undefined;
  readonly holds: (bytes: Buffer) => boolean;
}

/** Longer lists of places are told more roughly. */
const maxPlaces = 2000;

/** Spans of a body as places. */
function placesOf(spans: readonly Span[]): string[] {
  const together = Math.ceil(spans.length / maxPlaces);
  const places: string[] = [];
  for (let i = 0; i < spans.length; i += together)
    places.push(`/body/${spans[i]![0]}-${spans[Math.min(spans.length, i + together) - 1]![1]}`);
  return places;
}

/** Levels of compression that are undone in looking for secrets. */
const maxLevels = 3;

/** Whether what is compressed without saying so, as one encoded twice or a file in a form, has a secret in it. */
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
/** Gzip files within a body that are looked into. */
const maxFiles = 8;

/** The possible beginnings of compressed data, each with its coding. */
function* compressedAt(bytes: Buffer): Generator<readonly [coding: string, from: number]> {
  let files = 0;
  for (let at = bytes.indexOf(gzipMagic); at >= 0 && files++ < maxFiles; at = bytes.indexOf(gzipMagic, at + 3))
    yield ["gzip", at];
  if (files > 0) return;
  if ((bytes[0]! & 0x0f) === 8 && ((bytes[0]! << 8) | bytes[1]!) % 31 === 0) yield ["deflate", 0];
  // Brotli and bare deflate have no mark; what is of a known kind is neither.
  else if (!isMedia(bytes)) for (const coding of ["br", "deflate"]) yield [coding, 0];
}

const media = ["\x89PNG", "\xff\xd8\xff", "GIF8", "RIFF", "ID3", "OggS", "%PDF", "PK\x03\x04", "fLaC", "\x1aE\xdf\xa3"];
const isMedia = (bytes: Buffer): boolean => {
  const start = bytes.toString("latin1", 0, 12);
  return start.startsWith("--") || start.slice(4, 8) === "ftyp" || media.some((one) => start.startsWith(one));
};

/** Whether a body ends where its connection did, which a reset may look like. */
const endsUnsaid = ({ headers }: WireResponse): boolean =>
  /close/i.test(headerValue(headers, "connection") ?? "") &&
  headerValue(headers, "content-length") === undefined &&
  headerValue(headers, "transfer-encoding") === undefined;

/** Masks a body in place; where secrets stand under a content encoding, the body is kept without it. */
function redactBody<M extends Message>(message: M, plain: Plain, mask: Mask, places: string[]): M {
  const { body, headers } = message;
  const { chunks: _chunks, ...rest } = message as M & { chunks?: unknown };
  const dropped = (): M =>
    ({ ...rest, body: new Uint8Array(0), cut: (message.cut ?? 0) + body.length }) as unknown as M;
  // Most of what is under a damaged encoding can still be read by those who try.
  if (plain.tooLarge) places.push("/body");
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

/** Texts of heads in which nothing was found of what is looked for: names, and most values, come again with every exchange. */
const knownClean = new WeakMap<Wanted, readonly [Set<string>, inFailures: Set<string>]>();
const maxClean = 512;
const maxCleanLength = 256;

function cleanTexts(wanted: Wanted, failure: boolean): Set<string> {
  let known = knownClean.get(wanted);
  if (!known) knownClean.set(wanted, (known = [new Set(), new Set()]));
  return known[failure ? 1 : 0];
}

/**
 * The exchange without credentials. Headers and query parameters keep their names; their values stay only where an allow-list
 * names them (`Authorization` keeps its scheme). Credentials that the exchange carried are searched for in all the rest, as is
 * anything shaped like a key, and overwritten at the same length. Judging gives the same as before.
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

/** A message with the verdict on what was masked in it, now and before. */
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

/** A message that says where it was masked, now and before. */
function withPlaces<M extends Message>(message: M, places: readonly string[]): M {
  if (places.length === 0 && !message.redacted) return message;
  const all = [...new Set([...(message.redacted ?? []), ...places])];
  return all.length > 0 ? { ...message, redacted: all } : message;
}
