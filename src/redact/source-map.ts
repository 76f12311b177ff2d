/** Decodes bytes as a reader sees them, and maps each decoded byte back to its place in the source. */

import { createIntBuffer, type IntBuffer, push } from "./int-buffer.ts";

/** A run of bytes. */
export type Span = readonly [from: number, to: number];

/** The beginnings of a view's stretches in it, and the bytes they stand for. In order, without gaps. */
export interface Stretches {
  readonly at: IntBuffer;
  readonly from: IntBuffer;
  readonly to: IntBuffer;
}

/** A text made of stretches of bytes. One as long as what it stands for is a copy, byte for byte. */
export interface SourceMap {
  readonly bytes: Buffer;
  readonly stretches: () => Stretches;
}

const createStretches = (room = 64): Stretches => ({
  at: createIntBuffer(room),
  from: createIntBuffer(room),
  to: createIntBuffer(room),
});

export function addStretch(stretches: Stretches, at: number, from: number, to: number): void {
  push(stretches.at, at);
  push(stretches.from, from);
  push(stretches.to, to);
}

/** A view whose stretches are told only when somebody asks, which is rare. */
export function lazyView(bytes: Buffer, tell: (stretches: Stretches) => void): SourceMap {
  let stretches: Stretches | undefined;
  return {
    bytes,
    stretches() {
      if (!stretches) tell((stretches = createStretches()));
      return stretches;
    },
  };
}

/** The bytes that a span of a view stands for. */
export function originals(view: SourceMap, [from, to]: Span): Span[] {
  const { at: places, from: starts, to: stops } = view.stretches();
  const spans: Span[] = [];
  let low = 0;
  for (let high = places.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if (places.all[middle]! <= from) low = middle;
    else high = middle;
  }
  for (let i = low; i < places.length && places.all[i]! < to; i++) {
    const [at, begin, end] = [places.all[i]!, starts.all[i]!, stops.all[i]!];
    const length = (i + 1 < places.length ? places.all[i + 1]! : view.bytes.length) - at;
    if (length === 0) continue;
    if (length !== end - begin) spans.push([begin, end]);
    else spans.push([begin + Math.max(0, from - at), begin + Math.min(length, to - at)]);
  }
  return spans;
}

const hexDigit = Int8Array.from({ length: 256 }, (_, byte) =>
  byte >= 48 && byte <= 57 ? byte - 48 : (byte | 32) >= 97 && (byte | 32) <= 102 ? (byte | 32) - 87 : -1,
);

/** The byte that two hexadecimal digits spell; -1 where they are none. */
function hexAt(bytes: Buffer, at: number): number {
  const high = hexDigit[bytes[at] ?? 0]!;
  const low = hexDigit[bytes[at + 1] ?? 0]!;
  return high < 0 || low < 0 ? -1 : 16 * high + low;
}

/** The meaning of an escape and its length. */
interface Escape {
  byte: number;
  length: number;
}

const octal = (byte: number | undefined): boolean => byte! >= 48 && byte! <= 55;

/** The characters behind backslashes: `u0041`, `u{41}`, `U00000041`, `x41`, `101`. */
function behindBackslash(bytes: Buffer, at: number, into: Escape): boolean {
  const kind = bytes[at];
  let from = at + 1;
  let close = 0;
  if (kind === 117 && bytes[from] === 123) {
    from++;
    for (let zeros = 0; zeros < 4 && bytes[from] === 48 && bytes[from + 2] !== 125; zeros++) from++;
    close = 1;
  } else if (kind === 117 || kind === 85) {
    const zeros = kind === 117 ? 2 : 6;
    for (let i = 0; i < zeros; i++) if (bytes[from + i] !== 48) return false;
    from += zeros;
  } else if (octal(kind) && octal(bytes[from])) {
    const three = kind! < 50 && octal(bytes[from + 1]);
    into.byte = 8 * (kind! - 48) + bytes[from]! - 48;
    if (three) into.byte = 8 * into.byte + bytes[from + 1]! - 48;
    into.length = three ? 3 : 2;
    return into.byte >= 32;
  } else if (kind !== 120) return false;
  into.byte = hexAt(bytes, from);
  into.length = from + 2 + close - at;
  return into.byte >= 0 && (close === 0 || bytes[from + 2] === 125);
}

/** Characters that HTML and XML have names for. */
const byteOf: Readonly<Record<string, number>> = { quot: 34, apos: 39, amp: 38, lt: 60, gt: 62 };

/** An escape that begins at a byte, also where it was encoded again, as in JSON within JSON. */
function escapeAt(bytes: Buffer, at: number, into: Escape): boolean {
  const first = bytes[at];
  if (first === 92) {
    let from = at + 1;
    while (bytes[from] === 92) from++;
    if (!behindBackslash(bytes, from, into)) return false;
    into.length += from - at;
    return true;
  }
  let from = at + 1;
  if (first === 37) {
    if (bytes[from] === 117 && bytes[from + 1] === 48 && bytes[from + 2] === 48) from += 3;
    else while (bytes[from] === 50 && bytes[from + 1] === 53 && hexAt(bytes, from + 2) >= 0) from += 2;
    into.byte = hexAt(bytes, from);
    into.length = from + 2 - at;
    return into.byte >= 0;
  }
  if (first === 61) {
    into.byte = hexAt(bytes, from);
    into.length = 3;
    return into.byte >= 32 && (bytes[at + 3] === 61 || (bytes[at - 3] === 61 && hexAt(bytes, at - 2) >= 0));
  }
  if (first !== 38) return false;
  if (bytes[from] !== 35) {
    const named = /^&(quot|apos|amp|lt|gt);/.exec(bytes.toString("latin1", at, at + 6))?.[1];
    into.byte = named === undefined ? 0 : byteOf[named]!;
    into.length = named === undefined ? 0 : named.length + 2;
    return named !== undefined;
  }
  const text = /^&#(?:x0*([0-9a-f]{1,2})|0*(\d{1,3}));/i.exec(bytes.toString("latin1", at, at + 12));
  into.byte = text ? Number.parseInt(text[1] ?? text[2]!, text[1] ? 16 : 10) : 256;
  into.length = text?.[0].length ?? 0;
  return into.byte < 256;
}

const mayEscape = new Uint8Array(256);
for (const byte of Buffer.from("\\%&=")) mayEscape[byte] = 1;

/** Whether an escape of an ASCII character may begin at a byte: quick, and true for a little more. */
export function beginsEscape(bytes: Buffer, at: number): boolean {
  const next = bytes[at + 1]!;
  switch (bytes[at]) {
    case 92:
      return (
        (next === 117 && (bytes[at + 2] === 48 || bytes[at + 2] === 123)) ||
        next === 120 ||
        next === 85 ||
        (octal(next) && octal(bytes[at + 2]))
      );
    case 37:
      return hexDigit[next]! >= 0 || next === 117;
    case 38:
      // Quotes are spelled so where JSON stands in an attribute; other names change nothing that is looked for.
      return next === 35 || (next === 113 && bytes[at + 2] === 117 && bytes[at + 5] === 59);
    case 61:
      return bytes[at + 3] === 61 && hexDigit[next]! >= 0 && hexDigit[bytes[at + 2]!]! >= 0;
    default:
      return false;
  }
}

/** The bytes with escapes of single bytes undone, in JSON, URLs, HTML, program texts and mail; undefined where there are none. */
export function unescaped(bytes: Buffer): SourceMap | undefined {
  const { length } = bytes;
  const plain = Buffer.allocUnsafe(length);
  const stretches = createStretches();
  const one: Escape = { byte: 0, length: 0 };
  let at = 0;
  let from = 0;
  const copy = (to: number): void => {
    if (to === from) return;
    addStretch(stretches, at, from, to);
    bytes.copy(plain, at, from, to);
    at += to - from;
  };
  for (let i = 0; i < length; i++) {
    if (mayEscape[bytes[i]!] === 0) continue;
    if (!escapeAt(bytes, i, one)) {
      if (bytes[i] === 92) while (bytes[i + 1] === 92) i++;
      continue;
    }
    copy(i);
    from = i + one.length;
    addStretch(stretches, at, i, from);
    plain[at++] = one.byte;
    i = from - 1;
  }
  if (from === 0) return undefined;
  copy(length);
  return { bytes: plain.subarray(0, at), stretches: () => stretches };
}

const inWrapped = new Uint8Array(256);
for (const byte of Buffer.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/=."))
  inWrapped[byte] = 1;

/** Letters before a line's end, so many that it may go on in the next one. */
const wrappedAfter = 16;

/** Whether a byte ends a line in the midst of something long. */
export function wrapsAt(bytes: Buffer, at: number): boolean {
  for (let i = at - wrappedAfter; i < at; i++) if (inWrapped[bytes[i] ?? 0] === 0) return false;
  return true;
}

/** Whether a line's end stands at a byte, also an escaped one; its length, or 0. */
function lineEnd(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === 10 || byte === 13 || byte === 32 || byte === 9) return 1;
  let from = at;
  while (bytes[from] === 92 && from < at + 8) from++;
  return from > at && (bytes[from] === 110 || bytes[from] === 114) ? from + 1 - at : 0;
}

/** The bytes without the line ends in the midst of something long. */
export function unwrapped(bytes: Buffer): SourceMap | undefined {
  const { length } = bytes;
  const plain = Buffer.allocUnsafe(length);
  const stretches = createStretches();
  let at = 0;
  let from = 0;
  for (let i = 1; i < length; i++) {
    const byte = bytes[i]!;
    if ((byte !== 10 && byte !== 13 && byte !== 92) || inWrapped[bytes[i - 1]!] === 0 || lineEnd(bytes, i) === 0)
      continue;
    let to = i;
    for (let more = lineEnd(bytes, to); more > 0; more = lineEnd(bytes, to)) to += more;
    addStretch(stretches, at, from, i);
    bytes.copy(plain, at, from, i);
    at += i - from;
    from = to;
    i = to;
  }
  if (from === 0) return undefined;
  addStretch(stretches, at, from, length);
  bytes.copy(plain, at, from, length);
  return { bytes: plain.subarray(0, at + Math.max(0, length - from)), stretches: () => stretches };
}

/** The characters of what is UTF-16 as far as they are ASCII; undefined for what is not. */
export function narrowed(bytes: Buffer): SourceMap | undefined {
  const zero = bytes.indexOf(0);
  if (zero < 0 || zero > 64) return undefined;
  const looked = Math.min(bytes.length, 256);
  let zeros = 0;
  for (let i = zero & 1; i < looked; i += 2) if (bytes[i] === 0) zeros++;
  if (zeros < looked / 4) return undefined;
  const plain = Buffer.allocUnsafe((bytes.length >> 1) + 1);
  const stretches = createStretches(1 + (bytes.length >> 1));
  let size = 0;
  for (let i = 1 - (zero & 1); i < bytes.length; i += 2) {
    addStretch(stretches, size, i, i + 1);
    plain[size++] = bytes[i]!;
  }
  return { bytes: plain.subarray(0, size), stretches: () => stretches };
}
