/** Counterexamples derived from the schema: for each keyword, values beyond it and twins just within it. */

import { isMultipleOf } from "../check/multiple.ts";
import type { Alternatives } from "../check/schema.ts";
import { isObject } from "../wire/json.ts";
import { characters, textsAgainstFormat, textsAgainstPattern, textsBelow, textsOfLength } from "./text-mutants.ts";
import type { Visit } from "./trace.ts";

/** A value to put in place of the visited one. */
export interface Mutants {
  /** Each breaks the keyword. */
  readonly beyond: readonly unknown[];
  /** Each obeys it: at the limit and just inside. */
  readonly within: readonly unknown[];
}

const samples: Readonly<Record<string, unknown>> = {
  string: "text",
  number: 0.5,
  integer: 7,
  boolean: true,
  object: { unexpected: true },
  array: [[]],
  null: null,
};

export const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;

/** Values of one list that are tried. */
const maxListed = 100;

/** A value of the same type that is another one; none of null, which has none. */
const otherThan = (value: unknown): unknown[] =>
  value === null
    ? []
    : typeof value === "boolean"
      ? [!value]
      : Array.isArray(value)
        ? [[...value, "not-a-value"]]
        : isObject(value)
          ? [{ ...value, "not-a-member": 1 }]
          : [987654];

const allows = (types: readonly string[], value: unknown): boolean =>
  types.includes(typeOf(value)) || (types.includes("number") && typeof value === "number");

function ofLength(array: readonly unknown[], length: number, { uniqueItems, items }: Visit["node"]): unknown[] {
  const last = array.at(-1) ?? "x";
  const listed = isObject(items) && Array.isArray(items["enum"]) ? items["enum"] : [];
  const others = listed.filter((one) => !array.includes(one));
  const filler = (i: number): unknown =>
    uniqueItems !== true
      ? last
      : (others[i - array.length] ??
        (typeof last === "string" ? `${last}${i}` : typeof last === "number" ? last + i : last));
  return Array.from({ length }, (_, i) => (i < array.length ? array[i] : filler(i)));
}

function withMembers(value: object, count: number, { propertyNames: names }: Visit["node"]): object {
  const entries = Object.entries(value);
  const [first = "member", filler = "x"] = entries[0] ?? [];
  // A name that has to match a pattern mostly does with another letter.
  const isBound = isObject(names) && "pattern" in names;
  while (entries.length < count)
    entries.push([isBound ? `${first}${characters(entries.length)}` : `member-${entries.length}`, filler]);
  return Object.fromEntries(entries.slice(0, count));
}

const stepIn = ({ type }: Visit["node"]): number => ([type].flat().includes("integer") ? 1 : 1 / 1024);

type Derive = (limit: never, visit: Visit) => Mutants;
const only = (...beyond: unknown[]): Mutants => ({ beyond, within: [] });

const derivations: Readonly<Record<string, Derive>> = {
  type: (types: string | string[]) => {
    const allowed = [types].flat();
    return only(...Object.values(samples).filter((sample) => !allows(allowed, sample)));
  },
  enum: (values: unknown[]) => ({
    beyond: [
      ...new Set(
        values
          .slice(0, maxListed)
          .flatMap((value): unknown[] =>
            typeof value === "string" ? [`${value}-not`, "not-a-value"] : otherThan(value),
          ),
      ),
    ]
      .concat(values.every((value) => value === null) ? ["not-a-value"] : [])
      .filter((value) => !values.includes(value))
      .slice(0, 3),
    within: values.filter((value) => value !== null).slice(0, maxListed),
  }),
  const: (value: unknown) => only(...(typeof value === "string" ? [`${value}-not`] : otherThan(value ?? 1))),
  minimum: (limit: number) => ({ beyond: [limit - 1], within: [limit, limit + 1] }),
  maximum: (limit: number) => ({ beyond: [limit + 1], within: [limit, limit - 1] }),
  // If only whole numbers are meant, a half is another keyword's matter.
  exclusiveMinimum: (limit: number, { node }) => ({ beyond: [limit, limit - 1], within: [limit + stepIn(node)] }),
  exclusiveMaximum: (limit: number, { node }) => ({ beyond: [limit, limit + 1], within: [limit - stepIn(node)] }),
  minLength: (limit: number, visit) => ({
    beyond: textsBelow(limit, visit),
    within: [characters(limit), characters(limit + 1)],
  }),
  maxLength: (limit: number, visit) => ({
    beyond: textsOfLength(limit + 1, visit),
    within: [...textsOfLength(limit, visit), ...textsOfLength(Math.max(1, limit - 1), visit).slice(0, 1)],
  }),
  minItems: (limit: number, { value, node }) => ({
    beyond: limit > 0 ? [(value as unknown[]).slice(0, limit - 1)] : [],
    within: [ofLength(value as unknown[], limit, node), ofLength(value as unknown[], limit + 1, node)],
  }),
  maxItems: (limit: number, { value, node }) => ({
    beyond: [ofLength(value as unknown[], limit + 1, node)],
    within: [limit, Math.min(limit, Math.max(1, limit - 1))].map((one) => ofLength(value as unknown[], one, node)),
  }),
  minProperties: (limit: number, { value, node }) => ({
    beyond: [withMembers(value as object, limit - 1, node)],
    within: [withMembers(value as object, limit, node), withMembers(value as object, limit + 1, node)],
  }),
  maxProperties: (limit: number, { value, node }) => ({
    beyond: [withMembers(value as object, limit + 1, node)],
    within: [withMembers(value as object, limit, node), withMembers(value as object, Math.max(0, limit - 1), node)],
  }),
  uniqueItems: (_on: boolean, { value }) => {
    const [first] = value as unknown[];
    return first === undefined ? only() : only([...(value as unknown[]), first, first]);
  },
  pattern: (pattern: string, visit) => only(...textsAgainstPattern(pattern, visit)),
  format: (_name: string, visit) => only(...textsAgainstFormat(visit)),
  required: (_names: string[], { value, member, node }) => {
    const { [member!]: _gone, ...rest } = value as Record<string, unknown>;
    const isTooFew = Object.keys(rest).length < ((node["minProperties"] as number | undefined) ?? 0);
    return only(isTooFew ? { ...rest, "not-a-member": Object.values(rest)[0] ?? "x" } : rest);
  },
  either: (names: string[], { value }) =>
    only(Object.fromEntries(Object.entries(value as object).filter(([name]) => !names.includes(name)))),
  multipleOf: (step: number, { value, node }) => ({
    beyond: [(value as number) + (value === node["maximum"] ? -step : step) / 2, (value as number) + 1].filter(
      (one) => !isMultipleOf(one, step),
    ),
    within: [(value as number) + step],
  }),
  closed: (_on: boolean, { value }) => only({ ...(value as object), "zz-unheard-of": 1 }),
  not: (schema: { required?: string[]; const?: unknown; enum?: unknown[] }, { value }) => {
    if (schema.required && isObject(value))
      return only({ ...value, ...Object.fromEntries(schema.required.map((name) => [name, "x"])) });
    if (schema.enum) return only(schema.enum[0]);
    return "const" in schema ? only(schema.const) : only();
  },
  alternatives: ({ spoil }: Alternatives, { value }) => {
    if ("value" in spoil) return only(spoil.value);
    const kept = Object.entries(value as object).filter(([name]) => !spoil.drop.includes(name));
    return only({ ...Object.fromEntries(kept), ...spoil.set });
  },
  dependentRequired: (needs: Record<string, string[]>, { value }) =>
    only(
      ...Object.entries(needs)
        .filter(
          ([name, names]) => names.some((one) => one !== name && one in (value as object)) && name in (value as object),
        )
        .map(([, names]) =>
          Object.fromEntries(Object.entries(value as object).filter(([name]) => !names.includes(name))),
        ),
    ),
};

const objectKeywords = new Set(["required", "closed", "minProperties", "maxProperties", "dependentRequired", "either"]);
const arrayKeywords = new Set(["minItems", "maxItems", "uniqueItems"]);
const textKeywords = new Set(["minLength", "maxLength", "pattern", "format"]);

/** The values to try at a visit; none if the keyword does not speak about the value there. */
export function mutantsOf(visit: Visit): Mutants {
  const { keyword, value, node } = visit;
  const silent =
    (objectKeywords.has(keyword) && !isObject(value)) ||
    (arrayKeywords.has(keyword) && !Array.isArray(value)) ||
    (textKeywords.has(keyword) && typeof value !== "string") ||
    // An empty list does not show what a further item looks like.
    (keyword === "maxItems" && node["items"] !== undefined && Array.isArray(value) && value.length === 0);
  const derive = derivations[keyword];
  return silent || !derive ? { beyond: [], within: [] } : derive(node[keyword] as never, visit);
}
