/** Words what each JSON Schema keyword expects. */
import type { SchemaError } from "./schema.ts";

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);
const typeNames = (schema: unknown): string =>
  [schema]
    .flat()
    .map((type) => (type === "null" ? "null" : article(String(type))))
    .join(" or ");
const list = (values: unknown): string => (values as unknown[]).map((value) => JSON.stringify(value)).join(", ");
const count = (n: unknown, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** Whether the sentence excludes the ends that a reading lets pass. */
const isExcluded = (schema: SchemaError["parentSchema"]): boolean => schema["excluded"] === true;

/** How each keyword's demand reads after "expected". */
export const expectedPhrases: Record<string, (schema: never, error: SchemaError) => string> = {
  type: (schema) => typeNames(schema),
  enum: (schema) => `one of ${list(schema)}`,
  const: (schema) => JSON.stringify(schema),
  required: () => "this member to be present",
  minimum: (schema, { parentSchema }) => `${isExcluded(parentSchema) ? "more than" : "at least"} ${schema}`,
  maximum: (schema, { parentSchema }) => `${isExcluded(parentSchema) ? "less than" : "at most"} ${schema}`,
  exclusiveMinimum: (schema) => `more than ${schema}`,
  exclusiveMaximum: (schema) => `less than ${schema}`,
  minLength: (schema) => `at least ${count(schema, "character")}`,
  maxLength: (schema) => `at most ${count(schema, "character")}`,
  minItems: (schema) => `at least ${count(schema, "item")}`,
  maxItems: (schema) => `at most ${count(schema, "item")}`,
  minProperties: (schema) => `at least ${count(schema, "member")}`,
  maxProperties: (schema) => `at most ${count(schema, "member")}`,
  pattern: (schema) => `text matching ${schema}`,
  format: (schema) => (schema === "uri" ? "an absolute address" : `${schema} text`),
  uniqueItems: () => "items that differ from each other",
  closed: (_schema, { parentSchema }) =>
    `only the documented members (${Object.keys((parentSchema["properties"] as object | undefined) ?? {}).join(", ")})`,
  not: (schema: { readonly const?: unknown; readonly enum?: unknown; readonly required?: unknown }) =>
    "required" in schema
      ? "no such member"
      : "const" in schema
        ? `anything but ${JSON.stringify(schema.const)}`
        : "enum" in schema
          ? `none of ${list(schema.enum)}`
          : "something else",
  either: (schema) => `one of the members ${list(schema)}`,
  multipleOf: (schema) => `a multiple of ${schema}`,
  dependentRequired: (_schema, { params }) => `${params["missingProperty"]} beside ${params["property"]}`,
};
