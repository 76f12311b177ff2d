/** Makes a value that obeys a schema: arguments of function calls, and structured output. */

import { itemsOf, memberOf } from "../../interfaces/generate-content/reading/reply.ts";
import { isObject } from "../../wire/json.ts";

type Json = Readonly<Record<string, unknown>>;

const numberOr = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);

const formats: Readonly<Record<string, string>> = { date: "2025-01-01", "date-time": "2025-01-01T00:00:00Z" };

function sampleText(schema: Json): string {
  const [first] = itemsOf(schema["enum"]);
  if (typeof first === "string") return first;
  const text = formats[String(schema["format"])] ?? "sample";
  const minLength = Math.min(numberOr(schema["minLength"], 0), 10_000);
  return text.padEnd(minLength, "x").slice(0, Math.max(0, numberOr(schema["maxLength"], Number.POSITIVE_INFINITY)));
}

function sampleNumber(schema: Json, wanted: number): number {
  const max = numberOr(schema["maximum"], Number.POSITIVE_INFINITY);
  return Math.min(Math.max(wanted, numberOr(schema["minimum"], wanted)), max);
}

/** A value of the schema's type within its limits; schemas in either case of letters, without type an empty object. */
export function sampleOf(schema: unknown, depth = 0): unknown {
  if (!isObject(schema) || depth > 20) return null;
  const [type] = [schema["type"]].flat();
  switch (String(type ?? (isObject(schema["properties"]) ? "object" : "")).toLowerCase()) {
    case "string":
      return sampleText(schema);
    case "number":
      return sampleNumber(schema, 1.5);
    case "integer":
      return Math.ceil(sampleNumber(schema, 1));
    case "boolean":
      return true;
    case "array": {
      const minItems = Math.min(numberOr(schema["minItems"], 1), 50);
      const count = Math.max(0, Math.min(minItems, numberOr(schema["maxItems"], minItems)));
      return Array.from({ length: count }, () => sampleOf(schema["items"], depth + 1));
    }
    case "null":
      return null;
    default:
      return Object.fromEntries([
        ...itemsOf(schema["required"]).map((name) => [String(name), null] as const),
        ...Object.entries(memberOf(schema, "properties")).map(
          ([name, one]) => [name, sampleOf(one, depth + 1)] as const,
        ),
      ]);
  }
}
