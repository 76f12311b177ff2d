/** Tells where values begin and end, in quotes and without; keeps what was found out, so that no byte is read often. */
import { backslash, blank, colon, ends, equals, greater, inName, isQuote, quote, slash } from "./characters.ts";
import { openingOf } from "./notations.ts";
import type { Span } from "./source-map.ts";

/** Bytes that are read for labelled values, what was found in them, and which ends of values are known. */
export interface Scan {
  readonly bytes: Buffer;
  /** Whether the bytes lack their end. */
  readonly broken: boolean;
  /** The places of values that are credentials. */
  readonly spans: Span[];
  /** A value without quotes begins anywhere in here and ends at `unquotedTo`. */
  unquotedFrom: number;
  unquotedTo: number;
  /** The last string of each quote and number of backslashes before it. */
  readonly quoted: Map<number, { readonly from: number; readonly to: number }>;
  /** How far objects named credentials were read. */
  objectEnd: number;
  /** The end of the last row of the last table. */
  tableEnd: number;
  /** The name read last, between these bytes. */
  nameFrom: number;
  nameEnd: number;
  /** The quote that closes it, or 0. */
  nameQuote: number;
  /** Whether an arrow follows it: `=>`, `->`. */
  arrow: boolean;
}

/** A scan that has read nothing yet. */
export const createScan = (bytes: Buffer, broken: boolean): Scan => ({
  bytes,
  broken,
  spans: [],
  unquotedFrom: 0,
  unquotedTo: -1,
  quoted: new Map(),
  objectEnd: 0,
  tableEnd: -1,
  nameFrom: 0,
  nameEnd: 0,
  nameQuote: 0,
  arrow: false,
});

/** Notes where a credential stands, unless that is nowhere; gives its end. */
export function addSpan(scan: Scan, from: number, to: number): number {
  if (to > from) scan.spans.push([from, to]);
  return to;
}

/** Values are looked at closely up to so many bytes. */
export const maxLookahead = 4096;

/** Bytes as Latin-1, `longestLook` of them at most. */
export const textBetween = (bytes: Buffer, from: number, to: number): string =>
  bytes.toString("latin1", from, Math.min(to, from + maxLookahead));

/** The end of a value without quotes. */
export function unquotedEnd(scan: Scan, from: number): number {
  if (from >= scan.unquotedFrom && from <= scan.unquotedTo) return scan.unquotedTo;
  const { bytes } = scan;
  const { length } = bytes;
  let to = from;
  while (to < length && ends[bytes[to]!] === 0) to++;
  scan.unquotedFrom = from;
  scan.unquotedTo = to;
  return to;
}

/** Bytes that end a value, but may stand in the midst of one. */
const inside = new Uint8Array(256);
for (const byte of Buffer.from(",;&<>)]}|")) inside[byte] = 1;

/** Signs within one value are few. */
const maxSigns = 64;

/** The end of a value without quotes in which signs may stand: it goes on where neither a blank nor another name follows one. */
export function looseEnd(scan: Scan, from: number): number {
  const { bytes } = scan;
  let to = unquotedEnd(scan, from);
  for (let signs = 0; inside[bytes[to] ?? 0] === 1 && signs < maxSigns; signs++) {
    let next = to + 1;
    while (inside[bytes[next] ?? 0] === 1) next++;
    if (ends[bytes[next] ?? 0] === 1 || bytes[next] === slash) return to;
    let name = next;
    while (name < next + maxLookahead && inName[bytes[name] ?? 0] === 1) name++;
    if (name > next && (bytes[name] === equals || bytes[name] === colon || bytes[name] === greater)) {
      // Parameters of a hash: `$argon2id$v=19$m=65536,t=3,p=4$…`.
      if (bytes[from] !== 36 || bytes[to] !== 44) return to;
    }
    to = unquotedEnd(scan, next);
  }
  return to;
}

/** The end of a value in a query or a form, in which apostrophes and brackets may stand as they are. */
export function queryEnd(scan: Scan, from: number): number {
  const { bytes } = scan;
  let to = unquotedEnd(scan, from);
  for (let signs = 0; signs < maxSigns; signs++) {
    const byte = bytes[to];
    const next = bytes[to + 1] ?? 0;
    if ((byte !== 39 && byte !== 41) || (ends[next] === 1 && next !== 39 && next !== 41)) return to;
    if (next === colon || next === slash) return to;
    to = unquotedEnd(scan, to + 1);
  }
  return to;
}

/** The closing quote of a string whose opening one had so many backslashes before it; the end where there is none. */
export function quotedEnd(scan: Scan, from: number, mark: number, escapes: number): number {
  const { bytes, quoted } = scan;
  const { length } = bytes;
  const key = mark * 64 + escapes;
  const before = quoted.get(key);
  if (before && from >= before.from && from <= before.to) return before.to;
  const turn = 2 * (escapes + 1);
  let to = from;
  let slashes = 0;
  for (; to < length; to++) {
    const byte = bytes[to]!;
    if (byte === backslash) {
      slashes++;
      continue;
    }
    // A quote that is escaped less is the end of what it stands in.
    if (
      byte === mark &&
      mark !== quote &&
      bytes[to + 1] === backslash &&
      /^'\\+''/.test(bytes.toString("latin1", to, to + 8))
    ) {
      while (bytes[to + 1] === backslash) to++;
      to += 2;
    } else if (byte === mark && (slashes % turn === escapes % turn || slashes < escapes)) break;
    if (byte === 10) break;
    // The string around it ends, unless that quote is escaped and stands in the midst of something.
    if (
      mark !== quote &&
      byte === quote &&
      (slashes % 2 === 0 || /^[,}\]:\s\\]?$/.test(bytes.toString("latin1", to + 1, to + 2)))
    )
      break;
    slashes = 0;
  }
  const end = bytes[to] === mark && mark === quote ? to - Math.min(escapes, slashes) : to - (to < length ? slashes : 0);
  const kept = { from, to: Math.max(from, end) };
  quoted.set(key, kept);
  return kept.to;
}

/** The beginning of a value: `mark` is the quote before it, 0 where none is, with so many backslashes before that. */
export interface Start {
  readonly at: number;
  readonly mark: number;
  readonly escapes: number;
}

/** The beginning of a value behind a separator: behind blanks and backslashes before a quote, seldom more. */
export function valueStart(bytes: Buffer, at: number): Start {
  const from = bytes[at] === blank ? at + 1 : at;
  const first = bytes[from]!;
  if (isQuote(first)) {
    // `"""…"""`
    const triple = bytes[from + 1] === first && bytes[from + 2] === first;
    return { at: from + (triple ? 3 : 1), mark: first, escapes: 0 };
  }
  if (first === backslash && isQuote(bytes[from + 1])) {
    const triple = /^(\\["'`])\1\1/.test(bytes.toString("latin1", from, from + 6));
    return { at: from + (triple ? 6 : 2), mark: bytes[from + 1]!, escapes: 1 };
  }
  const { skipped, mark, escapes } = openingOf(bytes, at);
  return { at: at + skipped, mark, escapes };
}
