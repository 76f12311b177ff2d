/** Collects the credentials of an exchange from its headers, cookies, query and URLs. */
import { parseCookie } from "../wire/cookies.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";
import { isPlainParameter } from "./allowed.ts";
import { isKeyLike, isRandom } from "./looks.ts";
import { namesCredential, namingOf } from "./names.ts";

/**
 * Matches an `Authorization` value with a known scheme. Group 1 is the scheme with the whitespace after it, group 2 the rest. Text
 * without this whitespace may be a key that starts like a scheme.
 */
export const scheme =
  /^(\s*(?:Bearer|Basic|Digest|Token|Negotiate|ApiKey|Api-Key|Key|Bot|SSWS|AWS4-HMAC-SHA256|GoogleLogin|OAuth)(?:\s+|$))(.*)$/is;

/** Decodes a URL-encoded value. Returns malformed values unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** Secret parameters of schemes such as Digest. */
const secretParameter = /\b(?:token|response|signature)="?([^",\s]+)/gi;

/** Yields the secrets in a credential header: the text after the scheme, its parts, cookie values, user and password. */
function* secretsOfHeader(name: string, value: string): Generator<string> {
  const cookies = name === "cookie" ? value.split(";") : name === "set-cookie" ? [value.split(";", 1)[0]!] : [];
  for (const pair of cookies) {
    const one = pair.slice(pair.indexOf("=") + 1).trim();
    yield one;
    yield decoded(one);
    yield one.replace(/^"(.*)"$/, "$1");
    yield* one.split(/[=:&|]/).filter(isKeyLike);
  }
  if (cookies.length > 0) return;
  const [, kept = "", rest = value] = scheme.exec(value) ?? [];
  yield rest.trim();
  // Any other first word may also be a scheme.
  yield rest.trim().replace(/^[A-Za-z][\w-]*[:=]?\s+/, "");
  yield* rest.split(/[\s,;:="'<>&]+/).filter(isKeyLike);
  for (const [, one] of rest.matchAll(secretParameter)) yield one!;
  if (!/basic/i.test(kept)) return;
  const pair = Buffer.from(rest, "base64").toString("utf8");
  yield pair;
  yield* pair.split(":", 1).filter(isKeyLike);
  yield pair.slice(pair.indexOf(":") + 1);
}

/** Names of credentials that `namingOf` may not recognize, e.g. `bearer.authorization.k8s.io`. */
const namesKey = /(?:^|[^a-z])(?:bearer|authorization|auth|api-?key|access[_-]?token)(?:$|\.k8s\.io$)/i;

/**
 * Yields the keys in `Sec-WebSocket-Protocol`, the only header that browsers let a page set for a WebSocket. A key follows its
 * name, as in `openai-insecure-api-key.KEY` and `access_token, KEY`, or has no name.
 */
function* secretsOfProtocols(value: string): Generator<string> {
  const names = (text: string): boolean => namingOf(text) === "credential" || namesKey.test(text);
  let before = "";
  for (const protocol of value.split(/[\s,]+/)) {
    if (names(before) || isRandom(protocol)) yield protocol;
    before = protocol;
    for (let at = protocol.indexOf("."); at > 0; at = protocol.indexOf(".", at + 1)) {
      const key = protocol.slice(at + 1);
      if (!isRandom(key) && (!names(protocol.slice(0, at)) || namesKey.test(key))) continue;
      yield key;
      const plain = Buffer.from(key, "base64url").toString("latin1");
      if (isKeyLike(plain) && /^[\x20-\x7e]+$/.test(plain)) yield plain;
    }
  }
}

/** Returns the name and value of each query parameter as sent. The value is undefined without a `=`. */
export function parametersOf(target: string): [name: string, value: string | undefined][] {
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

/** Matches the user and password before a host (group 2). */
export const userInfo = /^((?:[a-z][a-z0-9+.-]*:)?\/\/)([^/?#]*)@/i;

/** Yields the credentials of a request that have the name of a credential, except cookies. */
export function* keysOf({ headers, target }: WireRequest, isPlain: (name: string) => boolean): Generator<string> {
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (key === "sec-websocket-protocol") yield* secretsOfProtocols(value);
    else if (!isPlain(key) && key !== "cookie" && namesCredential(name)) yield* secretsOfHeader(key, value);
  }
  for (const [name, value] of parametersOf(target)) {
    const plain = decoded(name);
    if (isKeyLike(plain)) yield plain;
    if (value === undefined || isPlainParameter(plain) || !namesCredential(plain)) continue;
    yield value;
    yield decoded(value);
  }
}

/** Yields the other credentials of an exchange: cookies, passwords in URLs and credentials in response headers. */
export function* othersOf(
  { origin, request, response }: Exchange,
  isPlain: (name: string) => boolean,
  isOpenCookie: (name: string, value: string) => boolean | undefined,
): Generator<string> {
  for (const [name, value] of request.headers) {
    const key = name.toLowerCase();
    if (key === "cookie" && !isPlain(key))
      for (const piece of value.split(";"))
        if (!isOpenCookie(...parseCookie(piece))) yield* secretsOfHeader(key, piece);
    if (key === "host") yield* passwordOf(`//${value}`);
  }
  for (const [name, value] of response?.headers ?? []) {
    const key = name.toLowerCase();
    // Other response headers with token or key in their names may contain counts or labels.
    if (key === "set-cookie") yield* secretsOfHeader(key, value);
    else if (!isPlain(key) && namingOf(key) === "credential" && isKeyLike(value)) yield value;
  }
  for (const url of [origin, request.target]) if (url !== undefined) yield* passwordOf(url);
}

function* passwordOf(url: string): Generator<string> {
  const user = userInfo.exec(url)?.[2];
  if (!user) return;
  yield decoded(user.slice(user.indexOf(":") + 1));
  yield* user.split(/[:@]/).map(decoded).filter(isKeyLike);
}
