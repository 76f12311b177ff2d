/** Parses JSON within bounds, and says what is wrong in the parser's words. */
import { utf8Text } from "./bytes.ts";
import { closingQuote } from "./find.ts";

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  /** `beyond` where it was not read, since it nests too deep or holds too many values. */
  | { readonly ok: false; readonly problem: string; readonly beyond?: true };

/** Whether a parsed value is an object: no list, no null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Levels of arrays and objects that are read; nobody sends so many, and each takes some of the stack of whoever walks them. A
 * document that holds 2,000 of them itself, such as a reply, is within.
 */
export const maxDepth = 2_100;
/** Values of one body that are read: each takes up to a hundred bytes of memory, for as little as three of text. */
export const maxValues = 4 << 20;
/** Shorter texts are looked at only once they are read: they are not worth a pass of their own. */
const short = 64 << 10;

/**
 * Why a text is not parsed, found without parsing it: it nests deeper than `maxDepth`, or has more than `limit` values.
 * Undefined for all that people send.
 */
export function beyondIn(text: string, limit = Number.POSITIVE_INFINITY): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) at = closingQuote(text, at);
    else if (code === 44) values++;
    else if (code === 123 || code === 91) {
      values++;
      if (++depth > maxDepth) return `it nests deeper than ${maxDepth} levels`;
    } else if (code === 125 || code === 93) depth--;
    if (values > limit) return `it holds more than ${limit} values`;
  }
  return undefined;
}

const beyond = (problem: string): JsonResult => ({ ok: false, problem, beyond: true });

/** The result of parsing, unless the text turns out to nest too deep. For texts whose keys the lint suspects, as it does if they nest deep. */
export function withinBounds(text: string, json: JsonResult): JsonResult {
  const problem = json.ok && text.length <= short ? beyondIn(text) : undefined;
  return problem === undefined ? json : beyond(problem);
}

/**
 * Parses a JSON text; a leading byte order mark is skipped. Never throws. A long text is not read if it nests deeper than
 * `maxDepth` or holds more than `limit` values. A short one may nest as deep as it is long.
 */
export function parseJson(text: string, limit?: number): JsonResult {
  const problem = text.length > short ? beyondIn(text, limit) : undefined;
  if (problem !== undefined) return beyond(problem);
  try {
    return { ok: true, value: JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) };
  } catch (error) {
    return { ok: false, problem: (error as Error).message.replace(/ is not valid JSON$/, "") };
  }
}

/** The problem of a text that was not parsed, as a phrase of its own: `not valid JSON: Unexpected end of JSON input`. */
export const jsonFault = ({ problem, beyond: isBeyond }: Extract<JsonResult, { readonly ok: false }>): string =>
  isBeyond ? problem : `not valid JSON: ${problem}`;

/** Parses the JSON of a body. */
export const parseJsonBytes = (bytes: Uint8Array): JsonResult => parseJson(utf8Text(bytes));

/** Levels and values of what is looked through by `isExact`: more are read as text, within the bounds of texts. */
const exactLevels = 64;
const exactValues = 10_000;

/**
 * Whether a parsed value is what parsing its `JSON.stringify` spelling gives, and that text has no lexical issues. No number is
 * lost (`-0`, or one too large), and none is an integer spelt with an exponent.
 */
export function isExact(value: unknown): boolean {
  let left = exactValues;
  const isFine = (one: unknown, levels: number): boolean => {
    if (typeof one === "number") return one === 0 ? !Object.is(one, -0) : Math.abs(one) < 1e21;
    if (typeof one !== "object" || one === null) return true;
    if (levels === 0 || --left < 0) return false;
    if (Array.isArray(one)) {
      left -= one.length;
      for (let i = 0; i < one.length; i++) if (!isFine(one[i], levels - 1)) return false;
      return true;
    }
    for (const key in one) if (--left < 0 || !isFine((one as Record<string, unknown>)[key], levels - 1)) return false;
    return true;
  };
  return isFine(value, exactLevels);
}
