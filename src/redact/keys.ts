/** Finds keys of services by their shape, in long runs of letters and digits, and private keys. */
import type { Shape } from "./shape-sources.ts";
import { ofAzure, placed, shapes, whole } from "./shapes.ts";
import type { Span } from "./source-map.ts";

/** The bytes of runs: 1 for those of words, 2 for those between words as well as in base64, 3 for a dot. */
const inRun = new Uint8Array(256);
for (const byte of Buffer.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")) inRun[byte] = 1;
for (const byte of Buffer.from("/=+~")) inRun[byte] = 2;
inRun[46] = 3;

/** No key is shorter. */
const shortestRun = 15;

/** Longer keys are hidden up to here, further ones as runs of the same letters. */
const maxKeyLength = 16 << 10;

const [dash, tilde] = [45, 126] as const;
const isWord = (byte: number | undefined): boolean => byte !== undefined && inRun[byte] === 1;

/** Shapes by the first two bytes of their prefixes, with the bytes of these. */
const byBeginning = new Map<number, (readonly [prefix: Buffer, rest: Shape[2]])[]>();
const begins = new Uint8Array(1 << 16);
for (const [, prefix, rest] of shapes) {
  const code = (prefix.charCodeAt(0) << 8) | prefix.charCodeAt(1);
  begins[code] = 1;
  byBeginning.set(code, [...(byBeginning.get(code) ?? []), [Buffer.from(prefix), rest]]);
}

/** Whether a prefix stands at a byte; its first two bytes are known to. */
function hasPrefix(bytes: Buffer, at: number, prefix: Buffer): boolean {
  for (let i = 2; i < prefix.length; i++) if (bytes[at + i] !== prefix[i]) return false;
  return true;
}

/** The beginning of a key whose run begins as part of an escape: `\n`, `%20`, `\u0020`; -1 where there is none. */
function afterEscape(bytes: Buffer, from: number): number {
  const before = bytes[from - 1];
  if (before === 92) return from + (bytes[from] === 117 ? 5 : bytes[from] === 120 ? 3 : 1);
  return before === 37 ? from + 2 : -1;
}

/** The end of a run, one byte of which is known. */
function runEnd(bytes: Buffer, from: number): number {
  let to = from;
  while (to < bytes.length && inRun[bytes[to]!] !== 0) to++;
  return to;
}

/** The end of a key that begins at a byte, or -1. `told` is where its run ends at the earliest. */
function keyAt(bytes: Buffer, at: number, told: number, broken: boolean): number {
  const code = (bytes[at]! << 8) | bytes[at + 1]!;
  if (begins[code] === 0) return -1;
  let text = "";
  let end = 0;
  for (const [prefix, rest] of byBeginning.get(code)!) {
    if (!hasPrefix(bytes, at, prefix)) continue;
    if (text === "") {
      end = runEnd(bytes, told);
      text = bytes.toString("latin1", at, Math.min(end + 512, at + maxKeyLength));
    }
    rest.lastIndex = prefix.length;
    if (rest.test(text)) {
      let to = at + rest.lastIndex;
      // A longer run is one key.
      if (rest.lastIndex === text.length) while (to < end && isWord(bytes[to])) to++;
      return to;
    }
    // Nobody knows how long a torn key is.
    if (broken && end === bytes.length && prefix.length > 2 && end - at >= 8) return end;
  }
  return -1;
}

/** Adds the keys in a run, and gives its end. They begin where a word does; a name may be part of the run. */
function findKeys(bytes: Buffer, from: number, broken: boolean, spans: Span[]): number {
  const { length } = bytes;
  let told = 0;
  let dots = 0;
  let segment = from;
  let start = from;
  let to = from;
  for (; ; to++) {
    const kind = to < length ? inRun[bytes[to]!]! : 0;
    if (kind === 1) continue;
    if (start >= told && start < to && begins[(bytes[start]! << 8) | bytes[start + 1]!] === 1) {
      const end = keyAt(bytes, start, to, broken);
      if (end > 0) spans.push([start, (told = end)]);
    }
    start = to + 1;
    if (kind === 3) {
      dots++;
      continue;
    }
    if (to - segment >= shortestPlaced && segment >= told) findPlaced(bytes, segment, to, dots, spans);
    if (kind === 0) break;
    if (bytes[to] === tilde && bytes[to - 1] === 81) findAzure(bytes, from, to, spans);
    segment = to + 1;
    dots = 0;
  }
  const inner = afterEscape(bytes, from);
  if (inner < 0 || inner >= to) return to;
  const end = keyAt(bytes, inner, to, broken);
  if (end > 0) spans.push([inner, end]);
  return to;
}

/** Adds the client secret whose mark ends at a tilde. */
function findAzure(bytes: Buffer, from: number, tildeAt: number, spans: Span[]): void {
  const [, mark, before, key] = ofAzure;
  const at = tildeAt + 1 - mark.length - before;
  key.lastIndex = 0;
  if (at >= from && key.test(bytes.toString("latin1", at, at + 64))) spans.push([at, at + key.lastIndex]);
}

/** No key is shorter that is told by what stands before it, or by what it is as a whole. */
const shortestPlaced = 32;

/** Adds what is a key by what stands before it, or as a whole. */
function findPlaced(bytes: Buffer, from: number, to: number, dots: number, spans: Span[]): void {
  const before = bytes[from - 1];
  if (before === 47 || before === 58) {
    const text = bytes.toString("latin1", Math.max(0, from - 64), Math.min(bytes.length, to + 80, from + 256));
    const at = Math.min(from, 64);
    for (const [, behind, key] of placed) {
      key.lastIndex = at;
      if (behind.test(text.slice(0, at)) && key.test(text)) spans.push([from, from - at + key.lastIndex]);
    }
  }
  // Two dots, or a data centre behind a dash.
  if (to - from < 36 || to - from > 100 || (dots !== 2 && bytes[from + 32] !== dash)) return;
  const text = bytes.toString("latin1", from, to);
  for (const [, all] of whole) if (all.test(text)) spans.push([from, to]);
}

/** Keys of services, by steps of a run's length: most of what is looked through is passed over. */
export function keySpans(bytes: Buffer, broken = false): Span[] {
  const spans: Span[] = [];
  const { length } = bytes;
  const minRun = broken ? 8 : shortestRun;
  for (let start = 0; start + shortestRun <= length; ) {
    let at = start + shortestRun - 1;
    while (at >= start && inRun[bytes[at]!] !== 0) at--;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let from = start;
    while (from > 0 && inRun[bytes[from - 1]!] !== 0) from--;
    start = findKeys(bytes, from, broken, spans) + 1;
  }
  if (broken) {
    // The last run may be the start of a key however short it is.
    let from = length;
    while (from > 0 && inRun[bytes[from - 1]!] !== 0 && length - from < shortestRun) from--;
    if (length - from >= minRun && length - from < shortestRun) findKeys(bytes, from, true, spans);
  }
  for (const span of privateKeySpans(bytes)) spans.push(span);
  return spans;
}

/** A line of a key in a string behind another one: a plus, a comma or a line's end stand between. */
const joinedLine = /^\\*"(?:[\s+.,&_()\\]|\\+[nrt])*\\*["'](?:\\+[nr])*([A-Za-z0-9+/=]{12,}(?:\\+[nr])*)/;
const maxPrivateKeyLineLength = 512;

/** A private key without its end is hidden up to here. */
const maxPrivateKeyLength = 16 << 10;

/** Private keys from their first line on, within one string of JSON. Each search ahead is done once. */
function* privateKeySpans(bytes: Buffer): Generator<Span> {
  let told = 0;
  let quote = 0;
  let end = 0;
  const next = (text: string, before: number, from: number): number => {
    if (before >= from) return before;
    const found = bytes.indexOf(text, from, "latin1");
    return found < 0 ? bytes.length : found;
  };
  for (let at = bytes.indexOf("PRIVATE KEY"); at >= 0; at = bytes.indexOf("PRIVATE KEY", at + 11)) {
    if (at < told) continue;
    const [begin] = /-----BEGIN [A-Z0-9 ]*$/.exec(bytes.toString("latin1", Math.max(told, at - 48), at)) ?? [];
    if (begin === undefined) continue;
    // A first line alone is talked about.
    const inside = /^(?: BLOCK)?-----[^"]*/.exec(bytes.toString("latin1", at + 11, at + 411))?.[0] ?? "";
    quote = next('"', quote, at);
    end = next("-----END", end, at);
    const last = Math.min(end === bytes.length ? end : end + 8, at + maxPrivateKeyLength);
    if (!/[A-Za-z0-9+/]{12}/.test(inside.split("-----END")[0]!)) {
      // Its lines may be strings of their own, joined or in a list.
      if (quote >= last || end > last) continue;
      const joined = bytes.toString("latin1", quote, last);
      if (!joinedLine.test(joined)) continue;
      for (const { index, 0: line } of joined.matchAll(/[A-Za-z0-9+/=]{12,}/g))
        yield [quote + index, quote + index + line.length];
      told = last;
      continue;
    }
    told = Math.min(quote, last);
    yield [at - begin.length, told];
    // The rest of the key in strings that are joined to the first.
    while (told < last && told === quote) {
      const joint = joinedLine.exec(bytes.toString("latin1", quote, Math.min(last, quote + maxPrivateKeyLineLength)));
      if (!joint) break;
      yield [quote + joint[0].length - joint[1]!.length, quote + joint[0].length];
      told = quote + joint[0].length;
      quote = next('"', quote, told);
    }
  }
}
