/** Turns a recorded request into the same request for this target: address, credentials, names, models, bound values. */

import type { KeyPlace } from "../../check/interface.ts";
import { type Bindings, namesFrom } from "../../check/names.ts";
import { isKind } from "../../check/neutral-names.ts";
import { modelOf, withModel } from "../../interfaces/model.ts";
import { cookiesIn, cookieText, cookieValue, parseCookie, withCookie } from "../../wire/cookies.ts";
import type { HeaderPairs, WireRequest } from "../../wire/exchange.ts";
import { percentEncoded } from "../../wire/percent.ts";
import { joinUrl } from "../../wire/send.ts";
import { bindingsOf, idOfClass, idOfKind, type Target } from "../plan/target.ts";
import { pathOn } from "./endpoint-overrides.ts";

export interface Recorded {
  readonly interface: string;
  /** The meaning of the names in the recording. */
  readonly bindings: Bindings;
  /** The recording violates a rule on purpose. Its remaining credentials are sent unchanged. */
  readonly negative: boolean;
}

/** Headers that belong to one connection or to the recording client, or that the sender writes itself. */
export const droppedHeaders =
  /^(host|content-length|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|user-agent|x-stainless-.*|x-goog-api-client|x-forwarded-.*|forwarded|via|traceparent|tracestate|baggage|sec-.*|accept-language|cookie)$/;

/** Headers in which clients send keys, for all interfaces. */
export const credentialHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
]);
const credentialQuery = new Set(["key", "api_key", "api-key"]);

/** Whether a request header carries the key. @param name in any case; @param place documented place of the key */
export function isKeyHeader(name: string, { header, otherHeaders = [] }: KeyPlace = {}): boolean {
  const lower = name.toLowerCase();
  return credentialHeaders.has(lower) || lower === header || otherHeaders.includes(lower);
}

/** Whether a masked place of a request may have held its key. */
export function mayHoldKey(place: string, key: KeyPlace | undefined): boolean {
  const [, part, name = ""] = place.split("/");
  if (part === "headers" && name === "cookie") return key?.cookie !== undefined;
  return part === "query" || (part === "headers" && isKeyHeader(name, key));
}

/** Whether headers of the user carry the key. */
const givesKey = (headers: HeaderPairs, key: KeyPlace | undefined): boolean =>
  headers.some(([name]) => isKeyHeader(name, key)) ||
  (key?.cookie !== undefined && cookieValue(headers, key.cookie) !== undefined);

/** Placeholder of the recorder for a secret. The text around it, such as `Bearer`, is the original. */
const placeholder = "[redacted]";

/** Returns the credential for an interface, or undefined if it is unknown. */
export function keyFor(target: Target, interfaceName: string): string | undefined {
  return target.keys[interfaceName] ?? target.keys["*"];
}

/** Key sent if the target's key is unknown. Servers without keys accept any. */
export const anyKey = "touchstone";

/**
 * Rewrites one recorded request for this target.
 * @param knownModels model ids with successful recordings; other ids are unknown on purpose and are kept
 */
export function retarget(
  request: WireRequest,
  recorded: Recorded,
  target: Target,
  knownModels: ReadonlySet<string>,
): { readonly origin: string; readonly request: WireRequest } {
  const { model: place, key: keyPlace } = target.places[recorded.interface] ?? {};
  const model = modelOf(request, place);
  const placed = withKeyPlaced(request, recorded, target);
  const named =
    model !== undefined && knownModels.has(model) ? withModel(placed, modelAt(model, recorded, target), place) : placed;
  const key = keyFor(target, recorded.interface) ?? anyKey;
  const way = target.overrides?.[recorded.interface] ?? {};
  const asked = pathOn(way, withQueryKey(named.target, key, recorded.negative, keyPlace?.query));
  const { origin, target: path } = joinUrl(way.base ?? target.url, asked);
  return {
    origin,
    request: { ...named, target: path, headers: headersFor(named, recorded, target, key) },
  };
}

/** Moves the key of a request to its documented place, or to the header that the target expects. */
function withKeyPlaced(request: WireRequest, { interface: of, negative }: Recorded, target: Target): WireRequest {
  const key = target.places[of]?.key;
  const { query: parameter, cookie } = key ?? {};
  const header = target.overrides?.[of]?.keyHeader;
  // A header of the user that carries the key has priority.
  if (givesKey(target.headers, key)) return request;
  if (parameter === undefined && cookie === undefined && header === undefined) return request;
  const [path, query = ""] = request.target.split("?", 2) as [string, string?];
  const pairs = query.split("&").filter((pair) => pair !== "");
  const isParameter = (pair: string): boolean =>
    parameter !== undefined &&
    pair.startsWith(`${parameter}=`) &&
    (!negative || isPlaceholder(pair.slice(parameter.length + 1)));
  // An invalid key of a negative recording is not moved.
  const isHeader = ([name, value]: readonly [string, string]): boolean =>
    isKeyHeader(name, key) && (!negative || value.replace(/^Bearer /i, "") === placeholder);
  const hasCookie = carriesInCookie(request.headers, key, negative);
  if (!pairs.some(isParameter) && !request.headers.some(isHeader) && !hasCookie) return request;
  const headers = request.headers.filter((pair) => !isHeader(pair));
  const others = pairs.filter((pair) => !isParameter(pair));
  const isInQuery = header === undefined && parameter !== undefined;
  const asked = isInQuery ? [...others, `${parameter}=${percentEncoded(placeholder)}`] : others;
  return {
    ...request,
    target: asked.length > 0 ? `${path}?${asked.join("&")}` : path,
    headers: headersWith(headers, key, header),
  };
}

/** Adds the placeholder of the key to the header that the target expects, or to the documented cookie. */
function headersWith(headers: HeaderPairs, key: KeyPlace | undefined, header: string | undefined): HeaderPairs {
  const { cookie } = key ?? {};
  if (header === undefined) return cookie === undefined ? headers : withCookie(headers, cookie, placeholder);
  const others = cookie === undefined ? headers : withCookie(headers, cookie, undefined);
  return [...others, [header, header === "authorization" ? `Bearer ${placeholder}` : placeholder]];
}

/** Whether a cookie carries the key. Redaction may have masked the names of cookies. */
function carriesInCookie(headers: HeaderPairs, key: KeyPlace | undefined, isMaskedOnly: boolean): boolean {
  const cookies = cookiesIn(headers);
  return (
    key?.cookie !== undefined &&
    cookies.some(([name, value]) =>
      name === key.cookie ? !isMaskedOnly || value.includes(placeholder) : name === "" && value === placeholder,
    )
  );
}

/** The target's id for a recorded model. */
export function modelAt(
  model: string,
  { interface: of, bindings }: Recorded,
  { models, bindings: own }: Target,
): string {
  const said = namesFrom(bindings);
  const direct = Object.hasOwn(models, model) ? models[model] : undefined;
  if (direct !== undefined) return direct;
  const kind = said.modelKind(model);
  if (kind !== undefined) return models[kind] ?? models[of] ?? idOfKind(kind, own);
  const bound = isKind(model) ? idOfClass(model, own) : undefined;
  if (bound !== undefined) return bound;
  const ofClass = Object.keys(bindings.models ?? {}).find((name) => models[name] && said.isClass(model, name));
  if (ofClass !== undefined) return models[ofClass]!;
  return models[of] ?? models["*"] ?? model;
}

/** @param parameter the one that carries the key of the interface */
function withQueryKey(target: string, key: string, negative: boolean, parameter: string | undefined): string {
  const from = target.indexOf("?");
  if (from < 0) return target;
  const pairs = target
    .slice(from + 1)
    .split("&")
    .map((pair) => {
      const [name = "", value = ""] = pair.split("=", 2);
      const replace = (credentialQuery.has(name) || name === parameter) && (!negative || isPlaceholder(value));
      return replace ? `${name}=${percentEncoded(key)}` : pair;
    });
  return `${target.slice(0, from)}?${pairs.join("&")}`;
}

function isPlaceholder(value: string): boolean {
  return value === placeholder || value === percentEncoded(placeholder);
}

/** Whether a recorded request carried a credential that the recorder masked. */
function carriedKey({ headers, target }: WireRequest, key: KeyPlace | undefined): boolean {
  const query = target.slice(target.indexOf("?") + 1).split("&");
  return (
    headers.some(([name, value]) => isKeyHeader(name, key) && value.includes(placeholder)) ||
    carriesInCookie(headers, key, true) ||
    query.some((pair) => isPlaceholder(pair.slice(pair.indexOf("=") + 1)))
  );
}

/** Returns the cookies with these names, except masked ones, and the cookie with the key. */
function cookiesOf(
  text: string,
  names: readonly string[],
  carrier: string | undefined,
  keyFrom: (value: string) => string,
): string {
  const kept = text.split(";").flatMap((pair) => {
    const [name, value] = parseCookie(pair);
    if (name === carrier) return [`${name}=${keyFrom(value)}`];
    return names.includes(name) && !pair.includes(placeholder) ? [pair.trim()] : [];
  });
  return kept.join("; ");
}

/** Returns the user's headers, with the key's cookie added if they contain only other cookies. */
function headersOfUser(
  request: WireRequest,
  target: Target,
  place: KeyPlace | undefined,
  isLockedOut: boolean,
  keyFrom: (value: string) => string,
): HeaderPairs {
  const added = target.headers.filter(([name]) => !isLockedOut || !isKeyHeader(name, place));
  if (place?.cookie === undefined) return added;
  if (isLockedOut) return withCookie(added, place.cookie, undefined);
  const value = cookieValue(request.headers, place.cookie);
  const isToAdd = value !== undefined && cookiesIn(added).length > 0 && cookieValue(added, place.cookie) === undefined;
  return isToAdd ? withCookie(added, place.cookie, keyFrom(value)) : added;
}

function headersFor(request: WireRequest, recorded: Recorded, target: Target, key: string): [string, string][] {
  const said = namesFrom(recorded.bindings);
  const own = namesFrom(...bindingsOf(target));
  const place = target.places[recorded.interface]?.key;
  // A negative recording without a key must stay without one.
  const lockedOut = recorded.negative && !carriedKey(request, place);
  const keyOver = (value: string, good: string): string =>
    recorded.negative || value.includes(placeholder) ? value.replaceAll(placeholder, () => good) : good;
  const keyInCookie = (value: string): string => keyOver(value, cookieText(key));
  const added = headersOfUser(request, target, place, lockedOut, keyInCookie);
  const replaced = new Set(added.map(([name]) => name.toLowerCase()));
  const headers: [string, string][] = replaced.has("user-agent") ? [] : [["User-Agent", "touchstone"]];
  for (const [name, value] of request.headers) {
    const lower = name.toLowerCase();
    const described = target.places[recorded.interface]?.cookies ?? [];
    const cookies = lower === "cookie" ? cookiesOf(value, described, place?.cookie, keyInCookie) : "";
    if (cookies !== "" && !replaced.has(lower)) headers.push([name, cookies]);
    if (droppedHeaders.test(lower)) continue;
    if (isKeyHeader(lower, place)) {
      if (replaced.has(lower)) continue;
      const isWhole = !recorded.negative && !value.includes(placeholder);
      headers.push([name, isWhole && lower === "authorization" ? `Bearer ${key}` : keyOver(value, key)]);
      continue;
    }
    if (value.includes(placeholder)) continue;
    const neutral = ["partner-version", "partner-beta"].find((one) => lower === one || lower === said.header(one));
    const bound = neutral === undefined ? name : own.header(neutral);
    if (!replaced.has(bound.toLowerCase())) headers.push([bound, value]);
  }
  return [...headers, ...added.map(([name, value]): [string, string] => [name, value])];
}
