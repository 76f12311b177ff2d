/** Puts a marker wherever a recorded request says that something was taken out, so that its canonical form shows where anything may stand. */

import type { HeaderPairs, WireRequest } from "../wire/exchange.ts";
import { closingQuote } from "../wire/find.ts";
import { parseJson } from "../wire/json.ts";
import { percentEncoded } from "../wire/percent.ts";
import { tokensOf } from "../wire/pointer.ts";

const placeholder = "[redacted]";
const encoded = percentEncoded(placeholder);

export interface MarkedRequest {
  readonly request: WireRequest;
  /** One character that stands nowhere else in the request. */
  readonly marker: string;
  /** Whether the body was masked where a marker would make it unreadable: any body may stand there. */
  readonly anyBody: boolean;
}

/** A private-use character that a request does not hold, as it is, percent-encoded, or escaped as JSON has it; undefined where it holds all. */
function freeMarker({ target, headers, body }: WireRequest): string | undefined {
  const used = new Set<number>();
  const text = Buffer.from(`${target}\n${headers.map(([, value]) => value).join("\n")}\n`, "utf8").toString("latin1");
  for (const part of [text, Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")]) {
    for (const [found] of part.matchAll(/[\xee\xef][\x80-\xbf]{2}/g))
      used.add(Buffer.from(found, "latin1").toString("utf8").charCodeAt(0));
    for (const [found] of part.matchAll(/\\u[ef][\da-f]{3}/gi)) used.add(Number.parseInt(found.slice(2), 16));
    for (const [found] of part.matchAll(/%e[ef](?:%[89ab][\da-f]){2}/gi))
      used.add(decodeURIComponent(found).charCodeAt(0));
  }
  for (let code = 0xe000; code <= 0xf8ff; code++) if (!used.has(code)) return String.fromCharCode(code);
  return undefined;
}

/** A text that is known to have been masked: its placeholders and masks, all of it where none is found. */
function markedText(text: string, marker: string): string {
  const marked = text
    .replaceAll(placeholder, marker)
    .replaceAll(encoded, marker)
    .replace(/x{6,}|1{6,}/g, marker);
  return marked === text ? marker : marked;
}

function markedTarget(target: string, places: ReadonlySet<string>, marker: string): string {
  const at = target.indexOf("?");
  const path = at < 0 ? target : target.slice(0, at);
  // A path is noted as well where its address lost its user, and no mask stands in it then.
  const markedPath = places.has("/path") ? path.replace(/x{6,}|1{6,}/g, marker) : path;
  if (at < 0) return markedPath;
  const query = target
    .slice(at + 1)
    .split("&")
    .map((pair) => {
      const equals = pair.indexOf("=");
      if (equals < 0) return pair;
      const value = pair
        .slice(equals + 1)
        .replaceAll(encoded, marker)
        .replaceAll(placeholder, marker);
      const [name = ""] = new URLSearchParams(pair).keys();
      return `${pair.slice(0, equals)}=${places.has(name) && !value.includes(marker) ? markedText(value, marker) : value}`;
    });
  return `${markedPath}?${query.join("&")}`;
}

type Range = readonly [from: number, to: number];

/** Ranges of the body, in order, none within another. */
function rangesOf(redacted: readonly string[], length: number): Range[] {
  const ranges = redacted.flatMap((place): Range[] => {
    const [, from, to] = /^\/body\/(\d{1,15})-(\d{1,15})$/.exec(place) ?? [];
    return from !== undefined && Number(from) < Number(to) && Number(to) <= length ? [[Number(from), Number(to)]] : [];
  });
  let end = 0;
  return ranges
    .sort(([a], [b]) => a - b)
    .flatMap(([from, to]): Range[] => {
      const start = Math.max(from, end);
      end = Math.max(end, to);
      return start < to ? [[start, to]] : [];
    });
}

/** The ranges with what replaces each: in JSON a number as a whole becomes a string. Texts are Latin-1, a character a byte. */
function* replacements(
  text: string,
  ranges: readonly Range[],
  marker: string,
  isJson: boolean,
): Generator<[...Range, string]> {
  let quote = isJson ? text.indexOf('"') : -1;
  let close = quote < 0 ? -1 : closingQuote(text, quote);
  let copied = 0;
  for (const [from, to] of ranges) {
    while (quote >= 0 && close < from) {
      quote = text.indexOf('"', close + 1);
      close = quote < 0 ? -1 : closingQuote(text, quote);
    }
    if (!isJson || (quote >= 0 && quote < from)) yield [from, to, marker];
    else {
      let [start, end] = [from, to];
      while (start > copied && /[-+.\deE]/.test(text[start - 1]!)) start--;
      while (/[-+.\deE]/.test(text[end] ?? "")) end++;
      if (start >= copied) yield [start, end, `"${marker}"`];
      copied = end;
    }
  }
}

function markedBody(body: Buffer, ranges: readonly Range[], marker: string): { body: Buffer; readable: boolean } {
  const text = body.toString("latin1");
  const isJson = parseJson(body.toString("utf8")).ok;
  const pieces: string[] = [];
  let copied = 0;
  for (const [from, to, said] of replacements(text, ranges, Buffer.from(marker, "utf8").toString("latin1"), isJson)) {
    if (from < copied) continue;
    pieces.push(text.slice(copied, from), said);
    copied = to;
  }
  const marked = Buffer.from(pieces.join("") + text.slice(copied), "latin1");
  return { body: marked, readable: !isJson || parseJson(marked.toString("utf8")).ok };
}

/** A recorded request with a marker wherever it was masked; undefined where nothing was. */
export function withMarker(recorded: WireRequest): MarkedRequest | undefined {
  const { target, headers, body: raw, redacted = [] } = recorded;
  const ranges = rangesOf(redacted, raw.length);
  const mayHold = (text: string): boolean => text.includes(placeholder) || text.includes(encoded);
  if (redacted.length === 0 && !mayHold(target) && !headers.some(([, value]) => mayHold(value))) return undefined;
  const marker = freeMarker(recorded);
  // No character is left to mark with, which nobody's client sends by accident.
  if (marker === undefined) return undefined;
  const names = (part: string): ReadonlySet<string> =>
    new Set(redacted.filter((place) => place.startsWith(`/${part}/`)).map((place) => tokensOf(place)[1] ?? ""));
  const inQuery = new Set(names("query"));
  if (redacted.includes("/path")) inQuery.add("/path");
  const inHeaders = names("headers");
  const safe: HeaderPairs = headers.map(([name, value]) => {
    const known = value.replaceAll(placeholder, marker);
    const masked = inHeaders.has(name.toLowerCase()) && !known.includes(marker);
    return [name, masked ? markedText(value, marker) : known] as const;
  });
  const { body, readable } =
    ranges.length > 0
      ? markedBody(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), ranges, marker)
      : { body: raw, readable: true };
  return {
    request: { ...recorded, target: markedTarget(target, inQuery, marker), headers: safe, body },
    marker,
    anyBody: !readable,
  };
}
