/** Reads JSON bodies; says what is wrong in the parser's words, and finds what parsing hides: repeated keys, `1.0`. */
import { closingQuote } from "./find.ts";
import { pointer } from "./pointer.ts";

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  /** `beyond` where it was not read, since it nests too deep or holds too many values. */
  | { readonly ok: false; readonly problem: string; readonly beyond?: true };

/** Levels of arrays and objects that are read; nobody sends so many, and each takes some of the stack of whoever walks them. */
export const deepest = 2_000;
/** Values of one body that are read: each takes up to a hundred bytes of memory, for as little as three of text. */
export const mostValues = 4 << 20;
/** Shorter texts are looked at only once they are read: they are not worth a pass of their own. */
const short = 64 << 10;

/**
 * Why a text is not to be read, told without reading it: it nests deeper than `deepest`, or has more than `most` values.
 * Undefined for all that people send.
 */
export function beyondIn(text: string, most = Number.POSITIVE_INFINITY): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) at = closingQuote(text, at);
    else if (code === 44) values++;
    else if (code === 123 || code === 91) {
      values++;
      if (++depth > deepest) return `it nests deeper than ${deepest} levels`;
    } else if (code === 125 || code === 93) depth--;
    if (values > most) return `it holds more than ${most} values`;
  }
  return undefined;
}

const beyond = (problem: string): JsonResult => ({ ok: false, problem, beyond: true });

/** What parsing gave, unless that turns out to nest too deep; for texts whose glance saw something odd. */
export function withinBounds(text: string, json: JsonResult): JsonResult {
  const problem = json.ok && text.length <= short ? beyondIn(text) : undefined;
  return problem === undefined ? json : beyond(problem);
}

/**
 * Parses a JSON text; a leading byte order mark is skipped. Never throws. A long text is not read where it nests deeper than
 * `deepest` or holds more than `most` values; a short one may nest as deep as it is long.
 */
export function parseJson(text: string, most?: number): JsonResult {
  const problem = text.length > short ? beyondIn(text, most) : undefined;
  if (problem !== undefined) return beyond(problem);
  try {
    return { ok: true, value: JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) };
  } catch (error) {
    return { ok: false, problem: (error as Error).message };
  }
}

/** An object or array that is open at some point of the text. */
interface Level {
  /** Keys so far; undefined in an array. */
  readonly keys: string[] | undefined;
  /** The same once there are many. */
  lookup: Set<string> | undefined;
  /** Whether the next string is a key. */
  awaitsKey: boolean;
  key: string;
  index: number;
}

/** Pointers are as long as the text is deep: no more than this many characters are kept of them, nor this many of them. */
const mostCharacters = 1 << 20;
const mostPointers = 100;
/** From here on a set is faster than looking along the list. */
const manyKeys = 12;

/** What a key says; escapes matter, since `"a"` and `"\u0061"` are one key. */
function keyAt(text: string, opening: number, closing: number): string {
  const raw = text.slice(opening + 1, closing);
  if (!raw.includes("\\")) return raw;
  const parsed = parseJson(`"${raw}"`);
  return parsed.ok ? String(parsed.value) : raw;
}

function isRepeated(level: Level, key: string): boolean {
  const keys = level.keys!;
  if (level.lookup ? level.lookup.has(key) : keys.includes(key)) return true;
  keys.push(key);
  if (level.lookup) level.lookup.add(key);
  else if (keys.length > manyKeys) level.lookup = new Set(keys);
  return false;
}

const placeOf = (levels: readonly Level[]): string =>
  pointer(...levels.map(({ keys, key, index }) => (keys ? key : index)));

/** One pass over a valid text; names the members whose key came before, or the numbers that `isOdd` picks. */
function scan(text: string, isOdd: ((literal: string) => boolean) | undefined): string[] {
  const found: string[] = [];
  let characters = 0;
  const levels: Level[] = [];
  let level: Level | undefined;
  const note = (): void => {
    const place = placeOf(levels);
    characters += place.length;
    found.push(place);
  };
  const open = (keys: string[] | undefined): void => {
    level = { keys, lookup: undefined, awaitsKey: keys !== undefined, key: "", index: 0 };
    levels.push(level);
  };
  for (let at = 0; at < text.length && found.length < mostPointers && characters < mostCharacters; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      const closing = closingQuote(text, at);
      if (level?.awaitsKey) {
        level.awaitsKey = false;
        level.key = keyAt(text, at, closing);
        if (!isOdd && isRepeated(level, level.key)) note();
      }
      at = closing;
    } else if (code === 123) open([]);
    else if (code === 91) open(undefined);
    else if (code === 125 || code === 93) {
      levels.pop();
      level = levels.at(-1);
    } else if (code === 44) {
      if (level?.keys) level.awaitsKey = true;
      else if (level) level.index++;
    } else if (isOdd && (code === 45 || (code >= 48 && code <= 57))) {
      number.lastIndex = at;
      const literal = number.exec(text)?.[0] ?? "-";
      if (isOdd(literal)) note();
      at += literal.length - 1;
    }
  }
  return found;
}

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const isFractional = (literal: string): boolean => /[.eE]/.test(literal) && Number.isInteger(Number(literal));

/** Pointers of members whose key already stood in the same object (reading X-DUP); `text` must be valid JSON. */
export function duplicateKeys(text: string): string[] {
  return scan(text, undefined);
}

/** Pointers of numbers written with fraction or exponent whose value is an integer: `1.0`, `1e3` (reading X-INT). */
export function fractionalIntegers(text: string): string[] {
  return scan(text, isFractional);
}

/** What parsing hides of a text; lists of pointers. */
export interface Hidden {
  readonly duplicates: readonly string[];
  readonly fractions: readonly string[];
}

/** What a glance at a text may have seen; bits of what `glance` gives. */
export const oddKeys = 1;
export const oddNumbers = 2;

/** What parsing hides of a valid JSON text, where a glance at its bytes saw `odd`; undefined where that is nothing. */
export function hiddenIn(text: string, odd: number): Hidden | undefined {
  if (odd === 0) return undefined;
  const duplicates = odd & oddKeys ? duplicateKeys(text) : [];
  const fractions = odd & oddNumbers ? fractionalIntegers(text) : [];
  return duplicates.length + fractions.length > 0 ? { duplicates, fractions } : undefined;
}

/** What a glance stops at: 1 for what opens, closes or quotes, 2 for what a number may be odd by. */
const kinds = new Uint8Array(256);
for (const character of '"{}[]') kinds[character.charCodeAt(0)] = 1;
for (const character of ".eE") kinds[character.charCodeAt(0)] = 2;

/**
 * What it stops at within a string: 1 for what ends it, 2 for what is not ASCII, 3 for an escape. A line end ends what was no
 * string of JSON, such as a quote in a comment between events.
 */
const stops = new Uint8Array(256).fill(2, 128);
for (const character of '"\n\r') stops[character.charCodeAt(0)] = 1;
stops[92] = 3;

/** What a glance keeps: hashes of the keys of all open objects, one after another, and where each object's begin. */
const hashes = new Int32Array(1024);
const starts = new Int32Array(128);
const mostSiblings = 48;

/**
 * Whether valid JSON, or several of them such as the events of a stream, may hold a key like one before it (by length and four
 * of its bytes), and whether a number that may be an odd integer. Makes nothing, and reads bytes since they are read faster than
 * characters: every body passes here. Keys that are escaped or not ASCII, great depth and many members count as odd.
 */
export function glance(bytes: Uint8Array): number {
  const { length } = bytes;
  let odd = 0;
  let depth = 0;
  let count = 0;
  starts[0] = 0;
  for (let at = 0; at < length; at++) {
    const code = bytes[at]!;
    const kind = kinds[code]!;
    if (kind === 0) continue;
    if (code === 34) {
      const from = at + 1;
      let strange = false;
      for (at++; at < length; at++) {
        const stop = stops[bytes[at]!]!;
        if (stop === 0) continue;
        if (stop === 1) break;
        strange = true;
        if (stop === 3) at++;
      }
      let next = at + 1;
      while (bytes[next]! <= 32) next++;
      if (bytes[next] !== 58) continue;
      if (odd & oddKeys) continue;
      if (strange || count === hashes.length || count - starts[depth]! > mostSiblings) {
        odd |= oddKeys;
        continue;
      }
      const hash =
        (((((at - from) * 31 + bytes[from]!) * 31 + bytes[from + 1]!) * 31 + bytes[(from + at) >> 1]!) * 31 +
          bytes[at - 1]!) |
        0;
      for (let i = starts[depth]!; i < count; i++) if (hashes[i] === hash) odd |= oddKeys;
      hashes[count++] = hash;
      at = next;
    } else if (code === 123 || code === 91) {
      // Deeper levels share the last place; keys were given up on by then.
      if (++depth >= starts.length) odd |= oddKeys;
      else starts[depth] = count;
    } else if (code === 125 || code === 93) {
      if (depth < starts.length) count = starts[depth]!;
      if (depth > 0) depth--;
    } else if (code === 46) {
      // Digits after the point of which one is not zero make a fraction; an exponent behind them is met next.
      let digit = 48;
      let whole = true;
      while ((digit = bytes[++at]!) >= 48 && digit <= 57) if (digit !== 48) whole = false;
      if (whole) odd |= oddNumbers;
      at--;
    } else {
      const before = bytes[at - 1]!;
      if (before >= 48 && before <= 57) odd |= oddNumbers;
    }
  }
  return odd;
}
