/** Finds credentials that are one token of a command, a log line or a map: `--name=…`, `NAME=…`, `X-Api-Key:…`, `{name: …}`. */
import { backslash, blank, colon, ends, equals, isBlank, isQuote } from "./characters.ts";
import { addSpan, looseEnd, type Scan, textBetween } from "./delimiters.ts";
import { isPath } from "./looks.ts";
import { isStandIn } from "./stand-ins.ts";
import { isChosen, isProseValue, isSetting, isStrong } from "./values.ts";

/** Maximum number of quotes and backslashes within one token. */
const maxMarks = 16;

/** The end of a token: a quote or a backslash within it is part of it where letters or signs follow. */
function tokenEnd(scan: Scan, from: number): number {
  const { bytes } = scan;
  let to = looseEnd(scan, from);
  for (let marks = 0; marks < maxMarks; marks++) {
    let next = to;
    while (bytes[next] === backslash) next++;
    const isMark = isQuote(bytes[next]);
    if (isMark) next++;
    // `\n` ends a line.
    else if (next === to || /[nrt]/.test(String.fromCharCode(bytes[next] ?? 110))) return to;
    if (ends[bytes[next] ?? 0] === 1 || bytes[next] === colon) return to;
    to = looseEnd(scan, next);
  }
  return to;
}

/** Names of variables, and names of options with their prefixes: `--name`, `-Dname`, `/name`, `_authToken`. */
const isVariable = (name: string): boolean => /^\$?[A-Z][A-Z0-9_]*$/.test(name);
const isOptionName = (name: string): boolean => /^(?:-|_[a-z])/.test(name);
const isHeaderName = (name: string): boolean => /^(?:[A-Z][A-Za-z0-9]*|x)(?:-[A-Za-z0-9]+)+$/.test(name);

const isAfter = (byte: number | undefined, signs: string): boolean =>
  byte !== undefined && signs.includes(String.fromCharCode(byte));

/** Whether a blank, a line end or a quote follows a token. Expressions in code end with other signs. */
const endsApart = (bytes: Buffer, to: number): boolean =>
  to >= bytes.length || bytes[to]! <= blank || isQuote(bytes[to]) || bytes[to] === backslash;

/** The last byte before a name, except blanks. */
function signBefore(bytes: Buffer, from: number): number | undefined {
  let at = from - 1;
  while (at > from - maxMarks && isBlank(bytes[at])) at--;
  return bytes[at];
}

/** The end of the value at `at` if it is one token and a credential; else `at`. */
export function tokenValue(
  scan: Scan,
  from: number,
  at: number,
  separator: number,
  name: string,
  gap: boolean,
): number {
  const { bytes } = scan;
  const before = bytes[from - 1];
  if (gap) {
    if (separator !== colon || !isAfter(signBefore(bytes, from), "{,")) return at;
    // A map of YAML in one line.
    const to = looseEnd(scan, at);
    const value = textBetween(bytes, at, to);
    const isLast = isAfter(bytes[to], ",}");
    return isLast &&
      (isProseValue(value) || (value.length >= 8 && isStrong(name) && !isStandIn(value) && isChosen(value)))
      ? addSpan(scan, at, to)
      : at;
  }
  const isOption = isOptionName(name) || (before === 47 && isBlank(bytes[from - 2]));
  if (separator === colon && !isOption && !isHeaderName(name) && before !== undefined && before > blank) return at;
  if (separator !== colon && separator !== equals) return at;
  const to = tokenEnd(scan, at);
  const value = textBetween(bytes, at, to);
  if (!isOption && !isVariable(name) && (isAfter(signBefore(bytes, from), "(,") || !endsApart(bytes, to))) return at;
  return isSetting(value, isStrong(name)) && !isPath(value) ? addSpan(scan, at, to) : at;
}
