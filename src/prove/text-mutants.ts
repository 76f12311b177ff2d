/** Counterexamples of what schemas demand of texts: each breaks one keyword, and keeps the others where such a text is found. */
import { hasFormat } from "../check/formats.ts";
import { boundedPattern } from "../check/pattern.ts";
import { textsBeside } from "../check/pattern-text.ts";
import { isObject } from "../wire/json.ts";
import type { Visit } from "./trace.ts";

export const characters = (count: number): string => "x".repeat(count);
/** Every character outside the basic plane: two UTF-16 units, four bytes, one code point. */
const astral = (count: number): string => "\u{1F600}".repeat(count);

const textKeywords = ["pattern", "format", "minLength", "maxLength"];

/** Clauses of what else is demanded of the text at a visit; none at the visit of another keyword. */
export function textClausesBeside({ node, keyword }: Visit): readonly string[] {
  if (!textKeywords.includes(keyword) || !isObject(node["clause"])) return [];
  const { clause } = node as { readonly clause: Readonly<Record<string, unknown>> };
  return textKeywords.flatMap((one) => (typeof clause[one] === "string" ? clause[one] : []));
}

/** Texts that patterns mostly rule out, and characters that some rule out one by one. */
const strayTexts: readonly string[] = [
  ...["", "!", "no match", characters(200)],
  ..."<>\"'`\\/|{}[]()&%$#@?*+=:;,.~^-_ \t\n\r\0",
  "\u{1F600}",
];

const length = (text: string): number => [...text].length;

/** Whether a text obeys what the schema demands of texts, except for one keyword. */
function obeysRest(text: string, { node, keyword }: Visit): boolean {
  const { pattern, format, minLength, maxLength } = node;
  return (
    (keyword === "pattern" || typeof pattern !== "string" || boundedPattern(pattern).test(text)) &&
    (keyword === "format" || typeof format !== "string" || hasFormat(text, format)) &&
    (keyword === "minLength" || typeof minLength !== "number" || length(text) >= minLength) &&
    (keyword === "maxLength" || typeof maxLength !== "number" || length(text) <= maxLength)
  );
}

/** Those that keep what else is demanded come first. */
function keepersFirst(texts: readonly string[], visit: Visit): readonly string[] {
  const isKeeper = texts.map((text) => obeysRest(text, visit));
  return [...texts.filter((_, i) => isKeeper[i]), ...texts.filter((_, i) => !isKeeper[i])];
}

/** Texts that a pattern does not match, if any are found. */
export function textsAgainstPattern(pattern: string, visit: Visit): readonly string[] {
  const expression = boundedPattern(pattern);
  const value = String(visit.value);
  const beside = textsBeside(pattern);
  const tried = [
    ...[`${value}!`, `${value} é`, ...strayTexts, ...strayTexts.map((one) => `${value}${one}`)],
    ...[...beside, ...beside.map((one) => `${value}${one}`), ...beside.map((one) => `${one}${value}`)],
    ...[value.slice(1), value.slice(0, -1), `${value}${value.at(-1) ?? ""}`, `${value}${value}`],
    ...[value.toUpperCase(), value.toLowerCase()],
  ];
  const broken = [...new Set(tried)].filter((text) => !expression.test(text));
  return keepersFirst(broken, visit).slice(0, 2);
}

/** Texts without the format. */
export function textsAgainstFormat(visit: Visit): readonly string[] {
  const { format, minLength } = visit.node;
  const value = String(visit.value);
  const least = typeof minLength === "number" ? minLength : 3;
  const tried = ["***", "*".repeat(least), `***${value}`, `${value}***`, value.slice(3), value.slice(0, -3)];
  const broken = tried.filter((text) => !hasFormat(text, String(format)));
  return keepersFirst(broken, visit).slice(0, 1);
}

/** Texts that are one character too short. */
export function textsBelow(limit: number, visit: Visit): readonly string[] {
  if (limit <= 0) return [];
  const value = [...String(visit.value)];
  const cuts = [value.slice(0, limit - 1).join(""), value.slice(value.length - limit + 1).join("")];
  const plain = characters(limit - 1);
  const tried = visit.node["pattern"] ? [...cuts, plain] : [plain, ...cuts];
  const short = tried.filter((text) => length(text) < limit);
  return keepersFirst(short, visit).slice(0, 1);
}

/** Texts of a length that keep what else is demanded of them, as far as they can be made of one that does. */
export function textsOfLength(count: number, visit: Visit): readonly string[] {
  const { pattern, format } = visit.node;
  const plain = characters(count);
  if (pattern === undefined && format === undefined) return [plain, astral(count)];
  const text = String(visit.value);
  const rest = Math.max(0, count - length(text));
  const longer = [text + (text.at(-1) ?? "x").repeat(rest), text + characters(rest), characters(rest) + text];
  return [[plain, ...longer].find((one) => length(one) === count && obeysRest(one, visit)) ?? plain];
}
