/** Whether a JSON value obeys a Schema object of the document; judges only what the Schema clearly says. */

import { type Budget, spend, TooMuch } from "../../../check/budget.ts";
import { formatList, quoted } from "../../../check/format-list.ts";
import { characters } from "../../../wire/characters.ts";
import { isObject } from "../../../wire/json.ts";
import { escapeToken } from "../../../wire/pointer.ts";
import { itemsOf, memberOf } from "./reply.ts";

type Json = Readonly<Record<string, unknown>>;

/** A place at which a value breaks a schema. */
export interface Mismatch {
  readonly pointer: string;
  readonly expected: string;
  readonly actual: unknown;
}

const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  STRING: (value) => typeof value === "string",
  NUMBER: (value) => typeof value === "number",
  INTEGER: (value) => Number.isInteger(value),
  BOOLEAN: (value) => typeof value === "boolean",
  ARRAY: Array.isArray,
  OBJECT: isObject,
};

/** A schema's type in upper case; undefined where it names none we know. */
export function typeOf(schema: unknown): string | undefined {
  const type = isObject(schema) ? schema["type"] : undefined;
  const upper = typeof type === "string" ? type.toUpperCase() : "";
  return Object.hasOwn(fits, upper) ? upper : undefined;
}

/** The demands of a Schema object, read once however many values are held against it. */
interface Plan {
  readonly allowed: ReadonlySet<unknown>;
  readonly expected: () => string;
  readonly required: readonly string[];
  readonly properties: readonly (readonly [string, unknown])[];
}

/** The state for holding values of one exchange against its Schemas: the demands, and the budget. */
export interface Matching {
  readonly budget: Budget;
  readonly plans: Map<Json, Plan>;
}

export const createMatching = (budget: Budget): Matching => ({ budget, plans: new Map() });

/** The cost of a value beside the lists of its Schema that are gone through, and the cost of reading a Schema. */
const [visit, reading] = [25, 50];
/** Nesting that is looked into. */
const maxDepth = 100;
/** Longest text that V8 hashes by its characters; longer ones it hashes by length, and then compares. */
const hashed = 16_000;

function planOf(schema: Json, { budget, plans }: Matching): Plan {
  const known = plans.get(schema);
  if (known) return known;
  const allowed = itemsOf(schema["enum"]);
  const properties = Object.entries(memberOf(schema, "properties"));
  const required = itemsOf(schema["required"]);
  spend(budget, reading + allowed.length + required.length + properties.length);
  let text: string | undefined;
  const plan: Plan = {
    allowed: new Set(allowed),
    expected: () => (text ??= `one of [${formatList(allowed, ",", quoted)}]`),
    required: required.filter((name) => typeof name === "string"),
    properties,
  };
  plans.set(schema, plan);
  return plan;
}

const limit = (schema: Json, name: string): number | undefined => {
  const value = schema[name];
  return typeof value === "number" ? value : undefined;
};

function* outside(
  schema: Json,
  [low, high]: readonly [string, string],
  sizeOf: () => number,
  what: string,
  at: { pointer: string; actual: unknown },
): Generator<Mismatch> {
  const min = limit(schema, low);
  const max = limit(schema, high);
  if (min === undefined && max === undefined) return;
  const size = sizeOf();
  if (min !== undefined && size < min) yield { ...at, expected: `at least ${min}${what}` };
  if (max !== undefined && size > max) yield { ...at, expected: `at most ${max}${what}` };
}

/** Names every place where `value` breaks `schema`. Ill-shaped schemas demand nothing. Throws TooMuch. */
export function* mismatches(
  value: unknown,
  schema: unknown,
  matching: Matching,
  pointer = "",
  depth = 0,
): Generator<Mismatch> {
  const { budget } = matching;
  spend(budget, visit);
  if (!isObject(schema)) return;
  if (depth > maxDepth) throw new TooMuch();
  if (value === null && schema["nullable"] === true) return;
  const at = { pointer, actual: value };
  const type = typeOf(schema);
  if (type !== undefined && !fits[type]?.(value)) {
    // JSON Schema's list of types and anyOf are no part of the documented Schema, but widen what it asks for.
    if (schema["anyOf"] === undefined) yield { ...at, expected: `a value of type ${type}` };
    return;
  }
  const plan = planOf(schema, matching);
  if (typeof value === "string") {
    if (value.length > hashed) spend(budget, plan.allowed.size * value.length);
    if (plan.allowed.size > 0 && !plan.allowed.has(value)) yield { ...at, expected: plan.expected() };
    const count = (): number => {
      spend(budget, value.length);
      return characters(value);
    };
    yield* outside(schema, ["minLength", "maxLength"], count, " characters", at);
  } else if (typeof value === "number") yield* outside(schema, ["minimum", "maximum"], () => value, "", at);
  else if (Array.isArray(value)) {
    yield* outside(schema, ["minItems", "maxItems"], () => value.length, " items", at);
    for (const [i, item] of value.entries())
      yield* mismatches(item, schema["items"], matching, `${pointer}/${i}`, depth + 1);
  } else if (isObject(value)) {
    spend(budget, plan.required.length + plan.properties.length);
    for (const name of plan.required)
      if (!Object.hasOwn(value, name))
        yield { pointer: `${pointer}/${escapeToken(name)}`, expected: "this member to be present", actual: undefined };
    for (const [name, property] of plan.properties)
      if (Object.hasOwn(value, name))
        yield* mismatches(value[name], property, matching, `${pointer}/${escapeToken(name)}`, depth + 1);
  }
}
