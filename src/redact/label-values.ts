/** Finds the value that a name and a separator stand before, and tells whether it is a credential. */
import { listedValue } from "./byte-lists.ts";
import { colon, ends, equals, greater, isBlank, isQuote, quote, slash, square, star } from "./characters.ts";
import { cookiesEnd } from "./cookies.ts";
import {
  addSpan,
  looseEnd,
  queryEnd,
  quotedEnd,
  type Scan,
  textBetween,
  unquotedEnd,
  valueStart,
} from "./delimiters.ts";
import { inLine, lineValue } from "./lines.ts";
import { isKey, isWords, shortestKey } from "./looks.ts";
import { addMembers } from "./members.ts";
import type { Naming } from "./names.ts";
import { tokenValue } from "./tokens.ts";
import { isAssigned, isMember, isProseValue, isQuoted, isSent, isStrong } from "./values.ts";
import { valueBelow } from "./values-below.ts";

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
  const value = textBetween(bytes, from, to);
  if (naming === "maybe") {
    // Tokens of text stand beside their probability.
    if (isKey(value) && !/^\\*"\s*,\s*\\*"(?:logprob|bytes|id)\b/.test(textBetween(bytes, to, to + 24)))
      return addSpan(scan, from, to);
    return from;
  }
  const open = scan.broken && to >= bytes.length;
  if (!open && !(member ? isMember(value) : isQuoted(value, isStrong(textBetween(bytes, scan.nameFrom, scan.nameEnd)))))
    return from;
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
  bounded: boolean,
): number {
  const { bytes, broken } = scan;
  const { length } = bytes;
  let from = at;
  if (separator === colon && /authorization$|auth$/i.test(name)) {
    const scheme = /^[A-Za-z][\w-]{1,24} +(?=\S)/.exec(textBetween(bytes, from, from + 40))?.[0].length ?? 0;
    from += scheme;
  }
  const to = inQuery ? queryEnd(scan, from) : bounded ? unquotedEnd(scan, from) : looseEnd(scan, from);
  if (separator === colon && /cookie$/i.test(name)) {
    const end = cookiesEnd(scan, from);
    return end > from ? addSpan(scan, from, end) : at;
  }
  const value = textBetween(bytes, from, to);
  if (/^\d+$/.test(value))
    return naming === "credential" && value.length >= 6 && !/^1+$/.test(value) ? addSpan(scan, from, to) : at;
  if (broken && to >= length && naming === "credential" && to - from >= 4 && !isQuote(bytes[from]))
    return addSpan(scan, from, to);
  if (inQuery) {
    const sent =
      naming === "credential"
        ? isSent(value)
        : /code/i.test(name)
          ? isKey(value) && !isWords(value)
          : value.length >= 8 && (value.length >= 16 || /\d/.test(value)) && isSent(value);
    return sent ? addSpan(scan, from, to) : at;
  }
  const good =
    naming === "maybe"
      ? isKey(value) && isProseValue(value) && !isWords(value)
      : separator === equals && !gap
        ? isAssigned(value)
        : isProseValue(value);
  return good ? addSpan(scan, from, to) : at;
}

/** Texts of elements are read up to here. */
const maxContentLength = 4096;

/** Whether the colon before a tag's name ends a prefix. */
const isPrefixed = (bytes: Buffer, at: number): boolean =>
  /<[A-Za-z][\w.-]*$/.test(textBetween(bytes, Math.max(0, at - 32), at));

/** The end of the text of an element whose tag ends at `at`, where it is a credential; else `at`. */
function contentValue(scan: Scan, at: number, naming: Naming): number {
  const { bytes, broken, nameFrom: from, nameQuote: closed } = scan;
  // `<Password>`, `<ns:Password>`
  if (bytes[from - 1] !== 60 && closed === 0 && !(bytes[from - 1] === colon && isPrefixed(bytes, from - 1))) return at;
  const last = Math.min(bytes.length, at + maxContentLength);
  let end = at + 1;
  while (end < last && bytes[end] !== 60 && bytes[end] !== 62 && bytes[end] !== quote) end++;
  let text = textBetween(bytes, at + 1, end);
  // A section ends what it holds: `<![CDATA[…]]>`.
  const section = bytes[end] === 60 ? /^<!\[CDATA\[/.exec(textBetween(bytes, end, end + 9)) : null;
  let begin = at + 1;
  if (section && /^(?:\s|\\+[nrt])*$/.test(text)) {
    begin = end + section[0].length;
    end = begin;
    while (end < last && !(bytes[end] === square && bytes[end + 1] === square) && bytes[end] !== quote) end++;
    text = textBetween(bytes, begin, end);
  } else if (!(bytes[end] === 60 && bytes[end + 1] === slash) && !(broken && end >= bytes.length)) return at;
  begin += /^(?:\s|\\+[nrt])*/.exec(text)![0].length;
  const value = textBetween(bytes, begin, end).replace(/(?:\s|\\+[nrt])+$/, "");
  return value !== "" && (naming === "credential" ? isMember(value) : isKey(value))
    ? addSpan(scan, begin, begin + value.length)
    : at;
}

/** Whether pairs of names and values stand around: `Server=h;Password=…`, `host=h password=… user=me`. */
function isAmongPairs(bytes: Buffer, from: number, at: number, parted: boolean): boolean {
  if (parted) return /[\w ]=[^=;\s]*;\s?$/.test(textBetween(bytes, Math.max(0, from - 96), from));
  return (
    /(?:^|[\s"'])\w+=[^\s=,;("']+ $/.test(textBetween(bytes, Math.max(0, from - 96), from)) ||
    /^[^\s=,;()"'\\]+ \w+=[^\s=]/.test(textBetween(bytes, at, at + 96))
  );
}

/** Tags that end a label and begin its value. */
const closedTags =
  /^(?:<\/?(?:b|strong|em|i|u|span|label|dt|dd|th|td|code|kbd|samp|pre|p|br|div|li)(?:\s[^<>]{0,64})?\/?>\s*){1,6}(?=[^\s<])/i;

/** The rest of a line behind a separator, without blanks and the stars of bold face. */
function lineRest(bytes: Buffer, at: number): number {
  let from = at;
  while (isBlank(bytes[from]) || bytes[from] === star) from++;
  return from;
}

/** The end of the value behind a separator at `at`, where it is a credential; else `at`. `readName` read its name before. */
export function labelledValue(scan: Scan, at: number, separator: number, naming: Naming): number {
  const { bytes, arrow, nameFrom: from, nameEnd: end, nameQuote: closed } = scan;
  if (separator === greater && !arrow) return contentValue(scan, at, naming);
  if (separator === equals && (bytes[at + 1] === equals || bytes[at + 1] === greater)) {
    // No comparison begins a line.
    const isValue = closed === 0 && end === at && bytes[at + 1] === equals && ends[bytes[at + 2] ?? 0] === 0;
    return isValue ? lineValue(scan, from, at + 1, textBetween(bytes, from, end), naming, true) : at;
  }
  // CSS: `.password::after {`.
  if (separator === colon && bytes[at + 1] === colon && /^:[a-z-]+ ?[{,]/.test(textBetween(bytes, at + 1, at + 32)))
    return at;
  // A resource's name: `arn:…:secret:…`.
  if (separator === colon && closed === 0 && bytes[from - 1] === colon) return at;
  const name = textBetween(bytes, from, end);
  if (separator === colon && closed === 0 && naming === "credential") {
    const start = lineRest(bytes, at + 1);
    const to = inLine(bytes, start) ? start : valueBelow(scan, start, name);
    if (to > start) return to;
  }
  const value = valueStart(bytes, at + 1);
  if (value.mark !== 0) {
    const member = closed === quote ? separator === colon : separator === equals && /^[A-Z][A-Z0-9_]*$/.test(name);
    const to = quotedValue(scan, value.at, value.mark, value.escapes, naming, member);
    return to > value.at ? to : at;
  }
  if (naming === "credential") {
    const to = listedValue(scan, value.at);
    if (to > value.at) return to;
  }
  const begins = bytes[value.at];
  if (begins === 60 && separator === colon) {
    // `<b>Password:</b> …`
    const skipped = closedTags.exec(textBetween(bytes, value.at, value.at + 160))?.[0].length ?? 0;
    const to = skipped > 0 ? plainValue(scan, value.at + skipped, colon, naming, name, true, false, true) : 0;
    return to > value.at + skipped ? to : at;
  }
  const before = bytes[from - 1];
  const inPairs = separator === equals && (before === 59 || isBlank(before)) && value.at === at + 1;
  if (begins === 123 && inPairs && before === 59) {
    // ODBC: `Pwd={…}`, where a bracket within is written twice.
    const braced = /^\{((?:[^{}"\\\n]|\}\})*)\}(?!\})/.exec(textBetween(bytes, value.at, value.at + 256))?.[1];
    if (braced !== undefined && isMember(braced)) return addSpan(scan, value.at + 1, value.at + 1 + braced.length);
  }
  const inQuery =
    separator === equals &&
    ((from === 0 && value.at === at + 1) ||
      before === 38 ||
      before === 63 ||
      (before === 59 && /&amp;$/.test(textBetween(bytes, from - 5, from))));
  if (!arrow && !inQuery) {
    // A line may begin with a name in quotes: `"password": …`.
    const start = closed === 0 ? from : from - 1;
    const to = lineValue(scan, start, value.at, name, naming, separator === equals && value.at === at + 1);
    if (to > value.at) return to;
  }
  if (begins === 91 && separator === equals) {
    // A long string of Lua: `[[…]]`, `[=[…]=]`.
    const [, open, long] =
      /^(\[(=*)\[)([^\s"'\][][^\n\][]{0,255}?)\]\2\]/
        .exec(textBetween(bytes, value.at, value.at + 280))
        ?.filter((_, i) => i !== 2) ?? [];
    if (long !== undefined && isMember(long))
      return addSpan(scan, value.at + open!.length, value.at + open!.length + long.length);
  }
  if (begins === 123 || begins === 91) {
    if (value.at >= scan.objectEnd) addMembers(scan, value.at, naming);
    return at;
  }
  if (closed === 0 && !arrow && !inQuery && naming === "credential") {
    const to = tokenValue(scan, from, value.at, separator, name, value.at > at + 1);
    if (to > value.at) return to;
  }
  const to = plainValue(
    scan,
    value.at,
    arrow ? equals : separator,
    naming,
    name,
    arrow || value.at > at + 1,
    inQuery || (inPairs && isAmongPairs(bytes, from, value.at, before === 59)),
    closed !== 0,
  );
  return to > value.at ? to : at;
}
