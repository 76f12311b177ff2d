/** Reads and writes single cookies of a request (RFC 6265 section 4.2). */
import type { HeaderPairs } from "./exchange.ts";
import { percentEncoded } from "./percent.ts";

/** Name and value of one cookie. The name is empty if the cookie has none. */
export function parseCookie(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  return at < 0 ? ["", text.trim()] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

const isCookieHeader = ([name]: readonly [string, string]): boolean => name.toLowerCase() === "cookie";

/** All cookies of a request, in order. */
export const cookiesIn = (headers: HeaderPairs): [name: string, value: string][] =>
  headers.filter(isCookieHeader).flatMap(([, value]) => value.split(";").map(parseCookie));

/** Returns the first value of a cookie that is not empty, or an empty one. Clients may send several cookies with one name. */
export function cookieValue(headers: HeaderPairs, name: string): string | undefined {
  const values = cookiesIn(headers).flatMap(([one, value]) => (one === name ? [value] : []));
  return values.find((value) => value !== "") ?? values[0];
}

/** Encodes the characters that end a cookie or that no cookie may contain. */
export const cookieText = (value: string): string =>
  value.replace(/[^\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+/g, percentEncoded);

/** Replaces a cookie, or adds it to the first header of cookies; removes it if `value` is undefined. */
export function withCookie(headers: HeaderPairs, name: string, value: string | undefined): HeaderPairs {
  let isSet = value === undefined;
  const kept = headers.flatMap((pair): [string, string][] => {
    if (!isCookieHeader(pair)) return [[...pair]];
    const others = pair[1].split(";").filter((piece) => parseCookie(piece)[0] !== name && piece.trim() !== "");
    if (!isSet) others.push(` ${name}=${value}`);
    isSet = true;
    return others.length > 0 ? [[pair[0], others.join(";").trim()]] : [];
  });
  return isSet ? kept : [...kept, ["cookie", `${name}=${value}`]];
}
