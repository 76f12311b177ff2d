/** Makes a value of the shape a tool's input_schema asks for: what the reference implementation calls tools with. */
import { isObject } from "../../check/subject.ts";

type Data = Readonly<Record<string, unknown>>;

const deepest = 16;

function sampleText(schema: Data): string {
  const { minLength, maxLength } = schema;
  const least = typeof minLength === "number" ? Math.min(minLength, 1000) : 0;
  const text = "text".padEnd(least, "x");
  return typeof maxLength === "number" ? text.slice(0, Math.max(maxLength, least)) : text;
}

function sampleNumber({ minimum, maximum }: Data): number {
  if (typeof minimum === "number") return Math.ceil(minimum);
  return typeof maximum === "number" ? Math.min(1, Math.floor(maximum)) : 1;
}

/** An object with the required members alone. */
export function sampleObject(schema: Data, depth = 0): Record<string, unknown> {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : [];
  const names = required.filter((name): name is string => typeof name === "string");
  return Object.fromEntries(
    names.map((name) => [name, sample(Object.hasOwn(properties, name) ? properties[name] : {}, depth + 1)]),
  );
}

function sampleArray(schema: Data, depth: number): unknown[] {
  const { minItems } = schema;
  const count = typeof minItems === "number" ? Math.min(minItems, 10) : 0;
  return Array.from({ length: count }, () => sample(schema["items"], depth + 1));
}

function sample(schema: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > deepest) return "text";
  if (Object.hasOwn(schema, "const")) return schema["const"];
  if (Array.isArray(schema["enum"]) && schema["enum"].length > 0) return schema["enum"][0];
  const [type] = [schema["type"]].flat();
  if (type === "object" || (type === undefined && isObject(schema["properties"]))) return sampleObject(schema, depth);
  if (type === "array") return sampleArray(schema, depth);
  if (type === "integer" || type === "number") return sampleNumber(schema);
  if (type === "boolean") return true;
  return type === "null" ? null : sampleText(schema);
}
