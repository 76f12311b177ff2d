/** Whether a JSON value obeys a Schema object of the document; judges only what the Schema clearly says. */
import { isObject } from "../../check/subject.ts";
import { escapeToken } from "../../wire/pointer.ts";
import { itemsOf, memberOf } from "./reply.ts";

/** Where a value breaks a schema. */
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

const limit = (schema: Readonly<Record<string, unknown>>, name: string): number | undefined => {
  const value = schema[name];
  return typeof value === "number" ? value : undefined;
};

function* outside(
  schema: Readonly<Record<string, unknown>>,
  [low, high]: readonly [string, string],
  size: number,
  what: string,
  at: { pointer: string; actual: unknown },
): Generator<Mismatch> {
  const least = limit(schema, low);
  const most = limit(schema, high);
  if (least !== undefined && size < least) yield { ...at, expected: `at least ${least}${what}` };
  if (most !== undefined && size > most) yield { ...at, expected: `at most ${most}${what}` };
}

/** Names every place where `value` breaks `schema`. Ill-shaped schemas and nesting beyond 100 levels demand nothing. */
export function* mismatches(value: unknown, schema: unknown, pointer = "", depth = 0): Generator<Mismatch> {
  if (!isObject(schema) || depth > 100) return;
  if (value === null && schema["nullable"] === true) return;
  const at = { pointer, actual: value };
  const type = typeOf(schema);
  if (type !== undefined && !fits[type]?.(value)) {
    // JSON Schema's list of types and anyOf are no part of the documented Schema, but widen what it asks for.
    if (schema["anyOf"] === undefined) yield { ...at, expected: `a value of type ${type}` };
    return;
  }
  if (typeof value === "string") {
    const allowed = itemsOf(schema["enum"]);
    if (allowed.length > 0 && !allowed.includes(value)) yield { ...at, expected: `one of ${JSON.stringify(allowed)}` };
    yield* outside(schema, ["minLength", "maxLength"], Array.from(value).length, " characters", at);
  } else if (typeof value === "number") yield* outside(schema, ["minimum", "maximum"], value, "", at);
  else if (Array.isArray(value)) {
    yield* outside(schema, ["minItems", "maxItems"], value.length, " items", at);
    for (const [i, item] of value.entries()) yield* mismatches(item, schema["items"], `${pointer}/${i}`, depth + 1);
  } else if (isObject(value)) {
    for (const name of itemsOf(schema["required"]))
      if (typeof name === "string" && !Object.hasOwn(value, name))
        yield { pointer: `${pointer}/${escapeToken(name)}`, expected: "this member to be present", actual: undefined };
    for (const [name, property] of Object.entries(memberOf(schema, "properties")))
      if (Object.hasOwn(value, name))
        yield* mismatches(value[name], property, `${pointer}/${escapeToken(name)}`, depth + 1);
  }
}
