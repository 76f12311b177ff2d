/** Reads the security schemes of an OpenAPI document: the location of the key and the operations that require one. */
import type { KeyPlace } from "../check/interface.ts";
import { withCookie } from "../wire/cookies.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { escapeToken } from "../wire/pointer.ts";
import { follow, type OpenApi } from "./openapi.ts";
import { type DescribedOperation, type Security, securityIn } from "./operations.ts";

/** Operations that require a key. */
export interface KeyDemand {
  /** Source of the requirement: a JSON Pointer into the document, or `interface.json`. */
  readonly at: string;
  /** Alternatives by operation name. A request contains a key in every place of at least one alternative. */
  readonly ways: ReadonlyMap<string, readonly (readonly KeyPlace[])[]>;
}

interface Scheme {
  readonly pointer: string;
  readonly place: KeyPlace;
  /** Whether a valid request may contain the key elsewhere, or may omit it at first to receive a challenge. */
  readonly isVague: boolean;
}

/** Names of headers, except those that clients use for other values. */
const headerName = /^(?!(?:accept|content-type|cookie)$)[\w!#$%&'*+.^`|~-]+$/i;

/** Names of cookies (RFC 6265 section 4.1.1). */
const cookieName = /^[\w!#$%&'*+.^`|~-]+$/;

/** Returns a scheme with its key in a header, the query or a cookie. Returns undefined for certificates and unknown names. */
function schemeNamed(doc: OpenApi, name: string): Scheme | undefined {
  const found = follow(doc, `/components/securitySchemes/${escapeToken(name)}`);
  if (!found) return undefined;
  const { pointer, value } = found;
  const { type, scheme, in: within, name: called } = value;
  if (type === "http" || type === "oauth2" || type === "openIdConnect") {
    const isBearer = type === "http" && String(scheme).toLowerCase() === "bearer";
    return { pointer, place: { header: "authorization" }, isVague: !isBearer };
  }
  if (type !== "apiKey" || typeof called !== "string" || called === "") return undefined;
  if (within === "header" && headerName.test(called))
    return { pointer, place: { header: called.toLowerCase() }, isVague: false };
  if (within === "cookie" && cookieName.test(called)) return { pointer, place: { cookie: called }, isVague: false };
  return within === "query" ? { pointer, place: { query: called }, isVague: false } : undefined;
}

/**
 * Returns the first scheme with a place: from these alternatives, or else from the whole document. Cookies come last, because users
 * of a document with both usually have a token.
 */
function firstScheme(doc: OpenApi, own: readonly Security[]): Scheme | undefined {
  const { security, paths } = doc.root;
  const operations = Object.values(isObject(paths) ? paths : {}).flatMap((path) =>
    Object.values(isObject(path) ? path : {}),
  );
  const all = [security, ...operations.map((one) => (isObject(one) ? one["security"] : undefined))].map(securityIn);
  const schemes = [...new Set([...own, ...all].flat(2))].flatMap((name) => schemeNamed(doc, name) ?? []);
  return schemes.find(({ place }) => place.cookie === undefined) ?? schemes[0];
}

const isSame = (a: KeyPlace, b: KeyPlace): boolean =>
  a.header === b.header && a.query === b.query && a.cookie === b.cookie;

type Secured = Pick<DescribedOperation, "method" | "parameters" | "security">;

/** Browsers send preflights without credentials, and RFC 9110 section 9.3.8 forbids credentials in TRACE. */
const isNeverKeyed = ({ method }: Secured): boolean => method === "OPTIONS" || method === "TRACE";

/** Whether the key is a required parameter. The clause on this parameter then already requires it. */
const isDemandedAsParameter = ({ parameters }: Secured, { header, query, cookie }: KeyPlace): boolean =>
  parameters.some(
    ({ name, in: place, required }) =>
      required &&
      ((place === "query" && name === query) ||
        (place === "cookie" && name === cookie) ||
        // OpenAPI ignores header parameters named `Authorization`.
        (place === "header" && name.toLowerCase() === header && header !== "authorization")),
  );

/** Reads the location of the key and the operations that require one. @param operations of one interface, by name */
export function keyOf(
  doc: OpenApi,
  operations: ReadonlyMap<string, Secured>,
): { readonly key?: KeyPlace; readonly keyDemand?: KeyDemand } {
  const first = firstScheme(
    doc,
    [...operations.values()].map(({ security }) => security),
  );
  if (!first) return {};
  const { place: key, pointer: at } = first;
  const ways = new Map<string, readonly (readonly KeyPlace[])[]>();
  for (const [name, operation] of operations) {
    if (isNeverKeyed(operation)) continue;
    const places = operation.security.map((names) => {
      const all = names.flatMap((one) => {
        const scheme = schemeNamed(doc, one);
        return scheme && !scheme.isVague ? [scheme.place] : [];
      });
      // A run sends one key. An additional cookie usually belongs to a login.
      const others = all.filter(({ cookie }) => cookie === undefined);
      return others.length > 0 ? others : all;
    });
    const isDemanded = places.every((way) => way.length > 0);
    if (!isDemanded || places.flat().some((place) => isDemandedAsParameter(operation, place))) continue;
    // Examples and runs send only this one key, so it has to be enough.
    if (places.some((way) => way.every((place) => isSame(place, key)))) ways.set(name, places);
  }
  return { key, ...(ways.size > 0 && { keyDemand: { at, ways } }) };
}

const anyKey = "a-key";

/** Adds an example key to the headers, if its place is a header or a cookie. */
export function withKeyHeader(headers: HeaderPairs, key: KeyPlace | undefined): HeaderPairs {
  if (key?.cookie !== undefined) return withCookie(headers, key.cookie, anyKey);
  if (key?.header === undefined) return headers;
  return [[key.header, key.header === "authorization" ? `Bearer ${anyKey}` : anyKey], ...headers];
}

/** Adds an example key to the target, if its place is the query. */
export const withKey = (target: string, key: KeyPlace | undefined): string =>
  key?.query === undefined ? target : `${target}${target.includes("?") ? "&" : "?"}${key.query}=${anyKey}`;
