/** The types of JSON values as schemas name them, and the keywords that speak about one type alone. */

export type TypeName = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

export const allTypes: readonly TypeName[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** Types by the keywords that speak about them alone. */
export const speaksOf: Readonly<Record<string, TypeName>> = {
  properties: "object",
  required: "object",
  additionalProperties: "object",
  patternProperties: "object",
  minProperties: "object",
  maxProperties: "object",
  items: "array",
  minItems: "array",
  maxItems: "array",
  uniqueItems: "array",
  minLength: "string",
  maxLength: "string",
  pattern: "string",
  minimum: "number",
  maximum: "number",
  multipleOf: "number",
};

export const typeOfValue = (value: unknown): TypeName =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "array"
      : typeof value === "number"
        ? Number.isInteger(value)
          ? "integer"
          : "number"
        : (typeof value as TypeName);

export const allowsType = (names: ReadonlySet<TypeName>, type: TypeName): boolean =>
  names.has(type) || (type === "integer" && names.has("number"));

/** The types that both allow. */
export function intersect(a: ReadonlySet<TypeName>, b: ReadonlySet<TypeName>): Set<TypeName> {
  const both = [...a].filter((type) => allowsType(b, type));
  return new Set([...both, ...[...b].filter((type) => allowsType(a, type))]);
}
