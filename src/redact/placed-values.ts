/** Finds credentials in front of their names or at a known place: `S is my API key`, `auth=("me", "S")`, `IDENTIFIED BY 'S'`, `echo S | docker login`. */
import { isStriking } from "./beside.ts";
import { blank, equals } from "./characters.ts";
import { addSpan, type Scan, textBetween } from "./delimiters.ts";
import { namingOf } from "./names.ts";
import { isMember, isSetting } from "./values.ts";

/** Texts before and after a place are read up to here. */
const maxLength = 160;

const textBefore = (scan: Scan, at: number): string => textBetween(scan.bytes, Math.max(0, at - maxLength), at);
const textAfter = (scan: Scan, at: number): string => textBetween(scan.bytes, at, at + maxLength);

/** `Use … as the password`, `… is my API key`: adds the value before "as" or "is" that ends at a blank at `at`. */
function valueBeforeName(scan: Scan, at: number): void {
  const [, first, second] =
    /^ (?:the|my|your|our|an?|this) ([\w-]{2,32})(?: ([\w-]{2,32}))?/.exec(textAfter(scan, at)) ?? [];
  if (first === undefined) return;
  const isNamed =
    namingOf(first) === "credential" || (second !== undefined && namingOf(`${first} ${second}`) === "credential");
  if (!isNamed) return;
  const value = /(?:^|[\s"'`(])([^\s"'`\\(]{6,128})["'`]?$/.exec(textBefore(scan, at - 3))?.[1];
  if (value === undefined || !isStriking(value)) return;
  const from = at - 3 - textBefore(scan, at - 3).length + textBefore(scan, at - 3).lastIndexOf(value);
  addSpan(scan, from, from + value.length);
}

/** `aws configure set NAME …`, `npm config set NAME …`: the end of the value behind a blank at `at` after "set"; else `at`. */
function configuredValue(scan: Scan, at: number): number {
  if (!/\bconfig(?:ure)? set$/.test(textBefore(scan, at))) return at;
  const [, before, name, value] =
    /^((?: --?[\w-]+)* ([^\s=]{2,96}) \\*["']?)([^\s"'\\]{4,})/.exec(textAfter(scan, at)) ?? [];
  if (name === undefined || namingOf(name.replace(/^.*[:/]/, "")) !== "credential" || !isMember(value!)) return at;
  return addSpan(scan, at + before!.length, at + before!.length + value!.length);
}

/** `IDENTIFIED BY '…'`: the end of the string behind a blank at `at`; else `at`. */
function identifiedBy(scan: Scan, at: number): number {
  if (!/\bidentified(?: with [\w"'`\\]{1,40})? by(?: password)?$/i.test(textBefore(scan, at))) return at;
  const [, open, value] = /^( \\*["'])([^"'\\]+)/.exec(textAfter(scan, at)) ?? [];
  return value !== undefined && isMember(value)
    ? addSpan(scan, at + open!.length, at + open!.length + value.length)
    : at;
}

/** Reads a value next to a blank at `at`: after "set" or "by", or before "is" or "as". Returns the end of a value after the blank, or `at`. Adds a value before it. */
export function placedValue(scan: Scan, at: number): number {
  const { bytes } = scan;
  const last = bytes[at - 1]!;
  const before = bytes[at - 2]!;
  if (last === 115 && (before === 97 || before === 105) && bytes[at - 3] === blank) valueBeforeName(scan, at);
  else if (last === 116 && before === 101 && bytes[at - 3] === 115) return configuredValue(scan, at);
  else if ((last | 32) === 121 && (before | 32) === 98 && bytes[at - 3] === blank) return identifiedBy(scan, at);
  return at;
}

/** `auth=("me", "…")`: the end of the second string of a pair with its bracket at `at`; else `at`. */
export function pairedPassword(scan: Scan, at: number): number {
  const { bytes } = scan;
  const before = bytes[at - 1];
  if ((before !== equals && before !== blank && before !== 104) || !/auth(?:\s*=\s*)?$/i.test(textBefore(scan, at)))
    return at;
  const [, open, value] =
    /^(\(\\*(["'])[^"'\\]{1,64}\\*\2, ?\\*\2)([^"'\\]+)\\*\2\)/.exec(textAfter(scan, at))?.filter((_, i) => i !== 2) ??
    [];
  return value !== undefined && isMember(value)
    ? addSpan(scan, at + open!.length, at + open!.length + value.length)
    : at;
}

/** `echo … | docker login --password-stdin`: adds the value before a bar at `at`. */
export function pipedPassword(scan: Scan, at: number): void {
  if (!/^\|[^|\n]{0,140} --(?:password|token|pass)-stdin\b/.test(textAfter(scan, at))) return;
  const before = textBefore(scan, at);
  const value = /(?:echo|printf)(?: -\w+| \\*["']?%s(?:\\+n)?\\*["']?)* \\*["']?([^\s"'\\]+)\\*["']? $/.exec(
    before,
  )?.[1];
  if (value === undefined || !isMember(value)) return;
  const from = at - before.length + before.lastIndexOf(value);
  addSpan(scan, from, from + value.length);
}

/** Ports of PostgreSQL, of its poolers and of databases with its protocol, or any port. */
const databasePort = /(?:^|[\s"'`]|\\[nr])(?:\*|[\w.-]{1,64}):(?:\*|54\d\d|6432|6543|26257)$/;

/** `host:5432:database:user:…`, a line of `.pgpass`: the end of the password of the line whose second colon is at `at`; else `at`. */
export function pgpassPassword(scan: Scan, at: number): number {
  if (!databasePort.test(textBefore(scan, at))) return at;
  const [, before, value] =
    /^(:(?:\*|[\w.$-]{1,64}):(?:\*|[\w.@-]{1,64}):)((?:[^\s:"'`\\]|\\+[:\\]){4,128})(?=$|[\s"'`]|\\+[nr])/.exec(
      textAfter(scan, at),
    ) ?? [];
  return value !== undefined && isSetting(value, true)
    ? addSpan(scan, at + before!.length, at + before!.length + value.length)
    : at;
}
