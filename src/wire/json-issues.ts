/** Finds lexical issues of JSON texts, which parsing does not show: repeated keys, and integers written `1.0` or `1e3`. */
import { closingQuote } from "./find.ts";
import { parseJson } from "./json.ts";
import { mayHaveFractions, mayRepeatKeys } from "./json-lint.ts";
import { pointer } from "./pointer.ts";

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
const maxCharacters = 1 << 20;
const maxPointers = 100;
/** From here on a set is faster than looking along the list. */
const manyKeys = 12;

/** The name that a key spells; escapes matter, since `"a"` and `"\u0061"` are one key. */
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

/** One pass over a valid text; names the members whose key came before, or the numbers that `isWanted` picks. */
function scan(text: string, isWanted: ((literal: string) => boolean) | undefined): string[] {
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
  for (let at = 0; at < text.length && found.length < maxPointers && characters < maxCharacters; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      const closing = closingQuote(text, at);
      if (level?.awaitsKey) {
        level.awaitsKey = false;
        level.key = keyAt(text, at, closing);
        if (!isWanted && isRepeated(level, level.key)) note();
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
    } else if (isWanted && (code === 45 || (code >= 48 && code <= 57))) {
      number.lastIndex = at;
      const literal = number.exec(text)?.[0] ?? "-";
      if (isWanted(literal)) note();
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

/** Lexical issues of a text, as lists of pointers. */
export interface LexicalIssues {
  readonly duplicates: readonly string[];
  readonly fractions: readonly string[];
}

/** The lexical issues of a valid JSON text of which `lintJson` gave `suspects`; undefined where it has none. */
export function lexicalIssuesIn(text: string, suspects: number): LexicalIssues | undefined {
  if (suspects === 0) return undefined;
  const duplicates = suspects & mayRepeatKeys ? duplicateKeys(text) : [];
  const fractions = suspects & mayHaveFractions ? fractionalIntegers(text) : [];
  return duplicates.length + fractions.length > 0 ? { duplicates, fractions } : undefined;
}
