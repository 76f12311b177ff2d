/** Says whether a value obeys one demand of a schema. */
import { hasFormat } from "../check/formats.ts";
import { isMultipleOf } from "../check/multiple.ts";
import { boundedPattern } from "../check/pattern.ts";
import { isObject } from "../wire/json.ts";
import type { Demand } from "./demands.ts";

const length = (value: unknown): number => [...(value as string)].length;
const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => typeof value === "number";

/** The texts of listed values, made once: a list may be long, and asked about as often. */
const textsOfLists = new WeakMap<readonly unknown[], ReadonlySet<string>>();

function isListed(value: unknown, list: readonly unknown[]): boolean {
  let texts = textsOfLists.get(list);
  if (!texts) textsOfLists.set(list, (texts = new Set(list.map((one) => JSON.stringify(one)))));
  return texts.has(JSON.stringify(value));
}

/** How each keyword is checked; those that speak about another type pass. */
const checks: Readonly<Record<string, (value: unknown, limit: never) => boolean>> = {
  enum: (value, list: readonly unknown[]) => isListed(value, list),
  const: (value, one: unknown) => JSON.stringify(one) === JSON.stringify(value),
  minimum: (value, limit: number) => !isNumber(value) || value >= limit,
  maximum: (value, limit: number) => !isNumber(value) || value <= limit,
  exclusiveMinimum: (value, limit: number) => !isNumber(value) || value > limit,
  exclusiveMaximum: (value, limit: number) => !isNumber(value) || value < limit,
  multipleOf: (value, step: number) => !isNumber(value) || isMultipleOf(value, step),
  minLength: (value, limit: number) => !isText(value) || length(value) >= limit,
  maxLength: (value, limit: number) => !isText(value) || length(value) <= limit,
  pattern: (value, pattern: string) => !isText(value) || boundedPattern(pattern).test(value),
  format: (value, name: string) => !isText(value) || hasFormat(value, checkedFormat(name)),
  minItems: (value, limit: number) => !Array.isArray(value) || value.length >= limit,
  maxItems: (value, limit: number) => !Array.isArray(value) || value.length <= limit,
  uniqueItems: (value) =>
    !Array.isArray(value) || new Set(value.map((one) => JSON.stringify(one))).size === value.length,
  minProperties: (value, limit: number) => !isObject(value) || Object.keys(value).length >= limit,
  maxProperties: (value, limit: number) => !isObject(value) || Object.keys(value).length <= limit,
};

/** Whether a value obeys one demand; one that speaks about another type is obeyed. */
export const obeys = (value: unknown, { keyword, value: limit }: Demand): boolean =>
  checks[keyword]?.(value, limit as never) ?? true;

/** What our validators call a format of a document. */
export const checkedFormat = (format: string): string =>
  format === "byte" ? "base64" : format === "url" ? "uri" : format;
