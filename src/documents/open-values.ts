/** Says which values of parameters can stay in a recording: those that a document describes so narrowly that they hold no secret. */
import { type BoundedPattern, boundedPattern } from "../check/pattern.ts";
import { isObject } from "../wire/json.ts";
import type { Node } from "./node.ts";
import type { Reader } from "./parameter-ways.ts";
import { isRedacted } from "./text-values.ts";

/** Characters of a text that only a pattern describes. A longer one may be a key. */
const maxLength = 15;

/** Texts like passwords and keys, of at least as many characters as a short text has. */
const secretTexts = [
  "hunter2hunter2h",
  "x7Kq2mPz9LwTb4c",
  "a7f30c9be1d2845",
  "X7KQ2MPZ9LWTB4C",
  "correcthorsebat",
  "SECRETSECRETSEC",
];

/** Shorter words of letters alone are codes of languages, currencies and the like. */
const shortestWord = 6;

/** Whether a pattern that matches a text also matches it with other texts in it, or another text of its length. */
function isLoose(pattern: BoundedPattern, text: string): boolean {
  const others = secretTexts
    .map((secret) => secret.slice(0, text.length))
    .filter((secret) => secret.length >= (/\d/.test(secret) ? 4 : shortestWord));
  if (others.some((secret) => pattern.test(secret))) return true;
  for (let at = 0; at <= text.length; at++)
    for (const secret of ["hunter2", "x7Kq2mPz9", "letmein"])
      if (pattern.test(text.slice(0, at) + secret + text.slice(at))) return true;
  return false;
}

const dates: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:z|[+-]\d\d:?\d\d)?$/i,
  "date-time": /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:z|[+-]\d\d:?\d\d)?$/i,
};

/** Alternatives within alternatives, and values within values, that are looked into. */
const maxDepth = 8;

/** Whether a value is a number or a boolean, is listed, is a date, or matches a narrow pattern. So are all values in it. */
export function isOpenValue(value: unknown, node: Node, reader: Reader, depth = 0): boolean {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return true;
  if (depth > maxDepth) return false;
  const own = reader.shape(node);
  const inner = (one: unknown, of: Node | undefined): boolean =>
    of !== undefined && isOpenValue(one, of, reader, depth + 1);
  if (own.unions.some(({ nodes }) => nodes.some((one) => inner(value, one)))) return true;
  if (Array.isArray(value)) return value.every((item) => inner(item, own.items));
  if (isObject(value)) return Object.entries(value).every(([name, member]) => inner(member, own.properties.get(name)));
  if (typeof value !== "string" || isRedacted(value)) return false;
  const { demands } = own;
  const listed = demands.get("enum")?.value;
  if ((Array.isArray(listed) && listed.includes(value)) || demands.get("const")?.value === value) return true;
  if (dates[String(demands.get("format")?.value)]?.test(value)) return true;
  const pattern = demands.get("pattern")?.value;
  if (typeof pattern !== "string" || value.length > maxLength) return false;
  const expression = boundedPattern(pattern);
  return expression.test(value) && !isLoose(expression, value);
}

/** More digits in a row are no number of things. */
const longNumber = /[\d.]{16,}/;

/** Whether what was sent as a parameter can stay in a recording. @param value what the text stands for */
export const isOpenText = (raw: string, value: unknown, isOpen: ((value: unknown) => boolean) | undefined): boolean =>
  isOpen !== undefined && value !== undefined && !longNumber.test(raw) && isOpen(value);
