/** Makes a value that follows a caller's own JSON Schema, as far as its common keywords go. */

import { resolveReference, type Schema } from "../interfaces/common/schema-reference.ts";
import { isObject } from "../wire/json.ts";

/** The budget of one sample: an end to schemas that refer to themselves, or branch without end. */
interface Budget {
  steps: number;
}
const steps = 20_000;
const maxDepth = 64;

/** A small value that follows a schema, the same every time. */
export function sampleOf(schema: unknown): unknown {
  return isObject(schema) ? build(schema, schema, 0, { steps }) : {};
}

function build(schema: unknown, root: Schema, depth: number, budget: Budget): unknown {
  if (!isObject(schema) || depth > maxDepth || budget.steps-- <= 0) return null;
  const target = resolveReference(root, schema);
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
