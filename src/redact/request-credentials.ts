/** Collects the credentials that a request sends in its headers, cookies, query and address. */
import { parseCookie } from "../wire/cookies.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";
import { isPlainParameter } from "./allowed.ts";
import { isKeyLike, isRandom } from "./looks.ts";
import { namesCredential, namingOf } from "./names.ts";

/** The scheme of an authorization and the blanks behind it; what stands without a blank may be the key itself. */
export const scheme =
  /^(\s*(?:Bearer|Basic|Digest|Token|Negotiate|ApiKey|Api-Key|Key|Bot|SSWS|AWS4-HMAC-SHA256|GoogleLogin|OAuth)(?:\s+|$))(.*)$/is;

/** A value as it was before it was encoded for a URL. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** Parameters of schemes such as Digest that are secret themselves. */
const secretParameter = /\b(?:token|response|signature)="?([^",\s]+)/gi;

/** The secrets a credential header carries: what follows the scheme, also in parts, cookie values, user and password. */
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
  // Any other word before a blank may be a scheme as well.
  yield rest.trim().replace(/^[A-Za-z][\w-]*[:=]?\s+/, "");
  yield* rest.split(/[\s,;:="'<>&]+/).filter(isKeyLike);
  for (const [, one] of rest.matchAll(secretParameter)) yield one!;
  if (!/basic/i.test(kept)) return;
  const pair = Buffer.from(rest, "base64").toString("utf8");
  yield pair;
  yield* pair.split(":", 1).filter(isKeyLike);
  yield pair.slice(pair.indexOf(":") + 1);
}

/** Names of credentials that end in no word for one: `bearer.authorization.k8s.io`. */
const namesKey = /(?:^|[^a-z])(?:bearer|authorization|auth|api-?key|access[_-]?token)(?:$|\.k8s\.io$)/i;

/**
 * Keys among the protocols of a WebSocket: browsers can set no other header on one. They stand behind their name, as
 * `openai-insecure-api-key.KEY` or `access_token, KEY`, or by themselves.
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

/** Name and value of each query parameter as sent. */
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

/** User and password before a host. */
export const userInfo = /^((?:[a-z][a-z0-9+.-]*:)?\/\/)([^/?#]*)@/i;

/** The credentials that a request names as such, but for cookies. */
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

/** Credentials of an exchange that are not sent as a key with every request. */
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
    // Other tokens or keys in a response may count or label them.
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
