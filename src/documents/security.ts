/** Reads from an OpenAPI document where requests carry their key. */
import type { KeyPlace } from "../check/interface.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import type { OpenApi } from "./openapi.ts";

/** Where a security scheme has the key; undefined for cookies, certificates and what is described nowhere. */
function placeOf(scheme: unknown): KeyPlace | undefined {
  if (!isObject(scheme)) return undefined;
  const { type, in: place, name } = scheme;
  if (type === "http" || type === "oauth2" || type === "openIdConnect") return { header: "authorization" };
  if (type !== "apiKey" || typeof name !== "string" || name === "") return undefined;
  return place === "header" ? { header: name.toLowerCase() } : place === "query" ? { query: name } : undefined;
}

/** The key of a document: its first security scheme that stands in a header or the query. Undefined where it demands none. */
export function keyOf({ root }: Pick<OpenApi, "root">): KeyPlace | undefined {
  const { components, security, paths } = root;
  const schemes = isObject(components) && isObject(components["securitySchemes"]) ? components["securitySchemes"] : {};
  const operations = Object.values(isObject(paths) ? paths : {}).flatMap((path) =>
    Object.values(isObject(path) ? path : {}),
  );
  const demands = [security, ...operations.map((one) => (isObject(one) ? one["security"] : undefined))];
  for (const demand of demands)
    for (const alternative of Array.isArray(demand) ? demand : [])
      for (const name of Object.keys(isObject(alternative) ? alternative : {})) {
        const place = Object.hasOwn(schemes, name) ? placeOf(schemes[name]) : undefined;
        if (place) return place;
      }
  return undefined;
}

const anyKey = "a-key";

/** The headers with which an example carries a key. */
export const keyHeaders = (key: KeyPlace | undefined): HeaderPairs =>
  key?.header === undefined ? [] : [[key.header, key.header === "authorization" ? `Bearer ${anyKey}` : anyKey]];

/** A target of an example with its key, where that stands in the query. */
export const withKey = (target: string, key: KeyPlace | undefined): string =>
  key?.query === undefined ? target : `${target}${target.includes("?") ? "&" : "?"}${key.query}=${anyKey}`;
