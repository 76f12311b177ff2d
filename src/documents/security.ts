/** Reads from the security schemes of an OpenAPI document where requests carry their key, and which have to. */
import type { KeyPlace } from "../check/interface.ts";
import { withCookie } from "../wire/cookies.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { escapeToken } from "../wire/pointer.ts";
import { follow, type OpenApi } from "./openapi.ts";
import { type DescribedOperation, type Security, securityIn } from "./operations.ts";

/** The operations whose requests have to carry a key. */
export interface KeyDemand {
  /** The place that demands it: a pointer into the document, or `interface.json`. */
  readonly at: string;
  /** By the name of an operation, alternatives: a request fills all places of at least one. */
  readonly ways: ReadonlyMap<string, readonly (readonly KeyPlace[])[]>;
}

interface Scheme {
  readonly pointer: string;
  readonly place: KeyPlace;
  /** Whether a valid request may have the key elsewhere, or come first without one to be challenged. */
  readonly isVague: boolean;
}

/** Names of headers, but not of those that clients fill with other things. */
const headerName = /^(?!(?:accept|content-type|cookie)$)[\w!#$%&'*+.^`|~-]+$/i;

/** Names of cookies (RFC 6265 section 4.1.1). */
const cookieName = /^[\w!#$%&'*+.^`|~-]+$/;

/** A scheme that has its key in a header, the query or a cookie; undefined for certificates and names of no scheme. */
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
 * Returns the first scheme with a place, in these alternatives or else anywhere in the document. Cookies come last: users of a
 * document with both have a token at hand.
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

/** Whether a required parameter is the key, whose own clause then demands it. */
const isDemandedAsParameter = ({ parameters }: Secured, { header, query, cookie }: KeyPlace): boolean =>
  parameters.some(
    ({ name, in: place, required }) =>
      required &&
      ((place === "query" && name === query) ||
        (place === "cookie" && name === cookie) ||
        // OpenAPI has this parameter ignored.
        (place === "header" && name.toLowerCase() === header && header !== "authorization")),
  );

/** Reads where requests carry their key, and which have to. @param operations those of one interface, by name */
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
      // A run carries one key, and a cookie beside it often comes from a login.
      const others = all.filter(({ cookie }) => cookie === undefined);
      return others.length > 0 ? others : all;
    });
    const isDemanded = places.every((way) => way.length > 0);
    if (!isDemanded || places.flat().some((place) => isDemandedAsParameter(operation, place))) continue;
    // The requests of examples and of a run carry this one key.
    if (places.some((way) => way.every((place) => isSame(place, key)))) ways.set(name, places);
  }
  return { key, ...(ways.size > 0 && { keyDemand: { at, ways } }) };
}

const anyKey = "a-key";

/** Headers of an example with its key, where that is in a header or a cookie. */
export function withKeyHeader(headers: HeaderPairs, key: KeyPlace | undefined): HeaderPairs {
  if (key?.cookie !== undefined) return withCookie(headers, key.cookie, anyKey);
  if (key?.header === undefined) return headers;
  return [[key.header, key.header === "authorization" ? `Bearer ${anyKey}` : anyKey], ...headers];
}

/** A target of an example with its key, where that stands in the query. */
export const withKey = (target: string, key: KeyPlace | undefined): string =>
  key?.query === undefined ? target : `${target}${target.includes("?") ? "&" : "?"}${key.query}=${anyKey}`;
