/** Finds the value that a name and a separator stand before, and tells whether it is a credential. */
import { backslash, colon, equals, greater, isBlank, isQuote, quote, square } from "./characters.ts";
import { addSpan, longestLook, quotedEnd, type Scan, textOf, unquotedEnd, valueStart } from "./delimiters.ts";
import { addMembers } from "./members.ts";
import type { Naming } from "./names.ts";
import { contentOffset } from "./notations.ts";
import { isAssigned, isKeyLike, isMember, isProseValue, isQuoted, isSent, isWords, shortestKey } from "./values.ts";

/**
 * The end of a value in quotes that begins at `from`, where it is a credential; else `from`.
 * @param mark the quote that opens it
 * @param escapes backslashes before that quote
 * @param member whether its name is in quotes too
 */
export function quotedValue(
  scan: Scan,
  from: number,
  mark: number,
  escapes: number,
  naming: Naming,
  member: boolean,
): number {
  const { bytes } = scan;
  if (naming === "maybe" && escapes === 0)
    // Tokens of text are short.
    for (let i = from; i < from + shortestKey; i++) if (bytes[i] === mark || bytes[i] === 32) return from;
  const to = quotedEnd(scan, from, mark, escapes);
  const value = textOf(bytes, from, to);
  if (naming === "maybe") {
    // Tokens of text stand beside their probability.
    if (isKeyLike(value) && !/^\\*"\s*,\s*\\*"(?:logprob|bytes|id)\b/.test(textOf(bytes, to, to + 24)))
      return addSpan(scan, from, to);
    return from;
  }
  const open = scan.broken && to >= bytes.length;
  if (!open && !(member ? isMember(value) : isQuoted(value))) return from;
  const scheme =
    /^(?:Bearer|Basic|Token|Digest|Negotiate|ApiKey|Api-Key|Key|Bot)\s+(?=\S)/i.exec(value)?.[0].length ?? 0;
  return addSpan(scan, from + scheme, to);
}

/** The end of a value without quotes that begins at `at` behind a separator, where it is a credential; else `at`. */
function plainValue(
  scan: Scan,
  at: number,
  separator: number,
  naming: Naming,
  name: string,
  gap: boolean,
  inQuery: boolean,
): number {
  const { bytes, broken } = scan;
  const { length } = bytes;
  let from = at;
  if (separator === colon && /authorization$|auth$/i.test(name)) {
    const scheme = /^[A-Za-z][\w-]{1,24} +(?=\S)/.exec(textOf(bytes, from, from + 40))?.[0].length ?? 0;
    from += scheme;
  }
  let to = unquotedEnd(scan, from);
  if (separator === colon && /cookie$/i.test(name)) {
    while (to < length && to < from + longestLook && (bytes[to] === 59 || isBlank(bytes[to])))
      to = unquotedEnd(scan, to + 1);
    return isMember(textOf(bytes, from, to)) && to - from >= 6 ? addSpan(scan, from, to) : at;
  }
  const value = textOf(bytes, from, to);
  if (/^\d+$/.test(value))
    return naming === "credential" && value.length >= 6 && !/^1+$/.test(value) && !gap ? addSpan(scan, from, to) : at;
  if (broken && to >= length && naming === "credential" && to - from >= 4 && !isQuote(bytes[from]))
    return addSpan(scan, from, to);
  if (inQuery) {
    const sent =
      naming === "credential"
        ? isSent(value)
        : value.length >= 8 && (value.length >= 16 || /\d/.test(value)) && isSent(value);
    return sent ? addSpan(scan, from, to) : at;
  }
  const good =
    naming === "maybe"
      ? isKeyLike(value) && isProseValue(value) && !isWords(value)
      : separator === equals && !gap
        ? isAssigned(value)
        : isProseValue(value);
  return good ? addSpan(scan, from, to) : at;
}

/** The end of the value behind a separator at `at`, where it is a credential; else `at`. `readName` read its name before. */
export function labelledValue(scan: Scan, at: number, separator: number, naming: Naming): number {
  const { bytes, arrow, nameFrom: from, nameEnd: end, nameQuote: closed } = scan;
  if (separator === greater && !arrow) {
    if (bytes[from - 1] !== 60 && closed === 0) return at;
    const begin = at + 1 + contentOffset(bytes, at + 1);
    const to = unquotedEnd(scan, begin);
    const value = textOf(bytes, begin, to);
    const isText = bytes[to] === 60 || bytes[to] === square || (begin > at + 1 && bytes[to]! <= backslash);
    return isText && (naming === "credential" ? isMember(value) : isKeyLike(value)) ? addSpan(scan, begin, to) : at;
  }
  if (separator === equals && (bytes[at + 1] === equals || bytes[at + 1] === greater)) return at;
  // A resource's name: `arn:…:secret:…`.
  if (separator === colon && closed === 0 && bytes[from - 1] === colon) return at;
  const value = valueStart(bytes, at + 1);
  if (value.mark !== 0) {
    const member = closed === quote && separator === colon;
    const to = quotedValue(scan, value.at, value.mark, value.escapes, naming, member);
    return to > value.at ? to : at;
  }
  const begins = bytes[value.at];
  if (begins === 123 || begins === 91) {
    if (value.at >= scan.objectEnd) addMembers(scan, value.at, naming);
    return at;
  }
  const before = bytes[from - 1];
  const inQuery = separator === equals && (from === 0 || before === 38 || before === 63);
  const to = plainValue(
    scan,
    value.at,
    arrow ? equals : separator,
    naming,
    textOf(bytes, from, end),
    arrow || value.at > at + 1,
    inQuery,
  );
  return to > value.at ? to : at;
}
