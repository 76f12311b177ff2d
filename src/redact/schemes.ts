/** Finds keys behind schemes: those of authentication, such as `Bearer`, and those of URLs. */
import { colon, ends, inName, isBlank, slash } from "./characters.ts";
import { addSpan, type Scan, textBetween, unquotedEnd } from "./delimiters.ts";
import { isKeyLike, isRandom } from "./looks.ts";
import { isMember } from "./values.ts";

/** `Bearer KEY`: the end of what stands behind a scheme that ends at `at`, where it is a key; else `at`. */
export function schemeKey(scan: Scan, at: number, scheme: "bearer" | "basic"): number {
  const { bytes } = scan;
  const { length } = bytes;
  const begin = at - scheme.length;
  if (textBetween(bytes, begin, at).toLowerCase() !== scheme || inName[bytes[begin - 1]!] === 1) return at;
  let gap = at;
  let pluses = 0;
  for (; gap < length; gap++) {
    if (bytes[gap] === 43) pluses++;
    else if (bytes[gap] === 37 && bytes[gap + 1] === 50 && bytes[gap + 2] === 48) gap += 2;
    else if (!isBlank(bytes[gap])) break;
    else pluses = 0;
  }
  const to = unquotedEnd(scan, gap);
  const isKey = (from: number): boolean => {
    const key = textBetween(bytes, from, to);
    if (to - from < 16 || !/\d/.test(key)) return false;
    return scheme === "bearer" || isRandom(key) || /^[^\0-\x1f]+:/.test(Buffer.from(key, "base64").toString("latin1"));
  };
  // A plus may stand for a blank, or begin the key.
  if (isKey(gap)) return addSpan(scan, gap, to);
  return isKey(gap - pluses) ? addSpan(scan, gap - pluses, to) : at;
}

/** `https://USER:PASSWORD@…`: the end of the password, or of a user that is a key, behind slashes at `at`; else `at`. */
export function urlPassword(scan: Scan, at: number): number {
  const { bytes } = scan;
  const { length } = bytes;
  const from = at + 2;
  let mid = -1;
  let end = -1;
  for (let i = from; i < length && i < from + 512; i++) {
    const byte = bytes[i]!;
    if (byte === 64) end = i;
    else if (byte === colon && mid < 0) mid = i;
    else if (
      byte === slash ||
      byte === 63 ||
      byte === 35 ||
      (byte !== 38 &&
        byte !== 44 &&
        byte !== 59 &&
        byte !== 41 &&
        byte !== 93 &&
        byte !== 125 &&
        byte !== 124 &&
        // An apostrophe in a password.
        !(byte === 39 && mid >= 0 && /[\w%.~!*()-]/.test(String.fromCharCode(bytes[i + 1] ?? 0))) &&
        ends[byte] === 1)
    )
      break;
  }
  // Behind the colon of a torn address, anything that is no port is a password.
  if (
    end < 0 &&
    scan.broken &&
    mid >= 0 &&
    unquotedEnd(scan, mid + 1) >= length &&
    /[A-Za-z]/.test(textBetween(bytes, mid + 1, length))
  )
    return addSpan(scan, mid + 1, length);
  if (end < 0) return at;
  const first = mid >= 0 && mid < end ? mid + 1 : from;
  const value = textBetween(bytes, first, end);
  // The key is the user where the password says so, or that there is none: `KEY:x-oauth-basic@`.
  if (first > from && /^(?:x-oauth-basic|x|)$/.test(value) && isMember(textBetween(bytes, from, mid)))
    return addSpan(scan, from, mid);
  return (mid >= 0 && mid < end ? isMember(value) : isKeyLike(value)) ? addSpan(scan, first, end) : at;
}
