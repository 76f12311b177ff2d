/** Values against a caller's own JSON Schema: whether one follows it, and one that does. Knows the common keywords. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../check/subject.ts";
import { escapeToken, resolvePointer } from "../wire/pointer.ts";

type Schema = Readonly<Record<string, unknown>>;

/** What breaks a schema: where, and what was wanted. */
export interface Mismatch {
  readonly pointer: string;
  readonly expected: string;
}

/** What one question may cost: an end to schemas that refer to themselves, or branch without end. */
interface Budget {
  steps: number;
}
const steps = 20_000;
const deepest = 64;

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "object" ? "object" : typeof value;
}

const types = new Set(["null", "boolean", "number", "integer", "string", "array", "object"]);

/** Dialects have further types (`any`, upper case): what this reader does not know, it does not refuse. */
function fitsType(value: unknown, type: unknown): boolean {
  return [type]
    .flat()
    .some(
      (one) => !types.has(one as string) || one === typeOf(value) || (one === "integer" && Number.isInteger(value)),
    );
}

function resolve(root: Schema, schema: Schema): Schema {
  const reference = schema["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#")) return schema;
  const target = resolvePointer(root, decodeURIComponentSafely(reference.slice(1)));
  return isObject(target) ? target : {};
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const bounds: readonly [string, (value: unknown) => number | undefined, (size: number, bound: number) => boolean][] = [
  ["minimum", (v) => (typeof v === "number" ? v : undefined), (size, bound) => size >= bound],
  ["maximum", (v) => (typeof v === "number" ? v : undefined), (size, bound) => size <= bound],
  ["exclusiveMinimum", (v) => (typeof v === "number" ? v : undefined), (size, bound) => size > bound],
  ["exclusiveMaximum", (v) => (typeof v === "number" ? v : undefined), (size, bound) => size < bound],
  ["minItems", (v) => (Array.isArray(v) ? v.length : undefined), (size, bound) => size >= bound],
  ["maxItems", (v) => (Array.isArray(v) ? v.length : undefined), (size, bound) => size <= bound],
  ["minLength", (v) => (typeof v === "string" ? Array.from(v).length : undefined), (size, bound) => size >= bound],
  ["maxLength", (v) => (typeof v === "string" ? Array.from(v).length : undefined), (size, bound) => size <= bound],
];

/** The first way in which a value breaks a schema; undefined where it follows it as far as this reader knows. */
export function mismatch(schema: unknown, value: unknown): Mismatch | undefined {
  return isObject(schema) ? search(schema, value, schema, "", 0, { steps }) : undefined;
}

function search(
  schema: unknown,
  value: unknown,
  root: Schema,
  at: string,
  depth: number,
  budget: Budget,
): Mismatch | undefined {
  if (schema === false) return { pointer: at, expected: "nothing here" };
  if (!isObject(schema) || depth > deepest || budget.steps-- <= 0) return undefined;
  const target = resolve(root, schema);
  if (target !== schema) return search(target, value, root, at, depth + 1, budget);
  const deeper = (sub: unknown, child: unknown, token?: string | number): Mismatch | undefined =>
    search(sub, child, root, token === undefined ? at : `${at}/${escapeToken(token)}`, depth + 1, budget);

  const { type, enum: allowed, properties, required, items, anyOf, allOf, additionalProperties: others } = schema;
  if ((typeof type === "string" || Array.isArray(type)) && !fitsType(value, type))
    return { pointer: at, expected: [type].flat().join(" or ") };
  if (Array.isArray(allowed) && !allowed.some((one) => isDeepStrictEqual(one, value)))
    return { pointer: at, expected: `one of ${JSON.stringify(allowed)}` };
  if (Object.hasOwn(schema, "const") && !isDeepStrictEqual(schema["const"], value))
    return { pointer: at, expected: JSON.stringify(schema["const"]) };
  for (const [keyword, measure, fits] of bounds) {
    const bound = schema[keyword];
    const size = measure(value);
    if (typeof bound === "number" && size !== undefined && !fits(size, bound))
      return { pointer: at, expected: `${keyword} ${bound}` };
  }
  if (isObject(value)) {
    for (const name of Array.isArray(required) ? required : [])
      if (typeof name === "string" && !Object.hasOwn(value, name))
        return { pointer: `${at}/${escapeToken(name)}`, expected: "this member to be present" };
    const known = isObject(properties) ? properties : {};
    for (const [name, child] of Object.entries(value)) {
      const broken = Object.hasOwn(known, name)
        ? deeper(known[name], child, name)
        : others !== undefined && !isObject(schema["patternProperties"])
          ? deeper(others, child, name)
          : undefined;
      if (broken) return broken;
    }
  }
  if (Array.isArray(value) && items !== undefined && !Array.isArray(items))
    for (const [i, child] of value.entries()) {
      const broken = deeper(items, child, i);
      if (broken) return broken;
    }
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const broken = deeper(part, value);
    if (broken) return broken;
  }
  if (Array.isArray(anyOf) && anyOf.length > 0 && anyOf.every((part) => deeper(part, value)))
    return { pointer: at, expected: "one of the alternatives of anyOf" };
  return undefined;
}

/** A small value that follows a schema, the same every time. */
export function sampleOf(schema: unknown): unknown {
  return isObject(schema) ? build(schema, schema, 0, { steps }) : {};
}

function build(schema: unknown, root: Schema, depth: number, budget: Budget): unknown {
  if (!isObject(schema) || depth > deepest || budget.steps-- <= 0) return null;
  const target = resolve(root, schema);
  if (target !== schema) return build(target, root, depth + 1, budget);
  const deeper = (sub: unknown): unknown => build(sub, root, depth + 1, budget);
  const { type, enum: allowed, properties, required, items, anyOf, allOf, minItems, minLength, minimum } = schema;
  if (Object.hasOwn(schema, "const")) return schema["const"];
  if (Array.isArray(allowed)) return allowed[0];
  if (Array.isArray(anyOf) && anyOf.length > 0) {
    // A branch that ends comes first, so that recursive schemas do.
    const flat = anyOf.find((part) => isObject(part) && part["type"] === "null");
    return deeper(depth > 3 && flat ? flat : anyOf[0]);
  }
  if (Array.isArray(allOf) && type === undefined && allOf.length > 0) return deeper(allOf[0]);
  const one = Array.isArray(type) ? (depth > 3 && type.includes("null") ? "null" : type[0]) : type;
  if (one === "object" || isObject(properties)) {
    const known = isObject(properties) ? properties : {};
    const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
    const wanted = depth > 3 ? names : [...new Set([...Object.keys(known), ...names])];
    return Object.fromEntries(wanted.map((name) => [name, deeper(known[name] ?? {})]));
  }
  if (one === "array") {
    const count = Math.min(100, typeof minItems === "number" ? minItems : depth > 3 ? 0 : 1);
    return Array.from({ length: count }, () => deeper(items));
  }
  if (one === "string") return "text".padEnd(Math.min(1000, Number(minLength) || 0), ".").slice(0, maxOf(schema));
  if (one === "boolean") return true;
  if (one === "integer" || one === "number")
    return numberFor(schema, typeof minimum === "number" ? minimum : undefined);
  return null;
}

const maxOf = ({ maxLength }: Schema): number => (typeof maxLength === "number" ? maxLength : 1000);

function numberFor({ exclusiveMinimum, maximum, exclusiveMaximum }: Schema, minimum: number | undefined): number {
  const low = minimum ?? (typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : 1);
  if (typeof maximum === "number" && low > maximum) return maximum;
  return typeof exclusiveMaximum === "number" && low >= exclusiveMaximum ? exclusiveMaximum - 1 : low;
}
