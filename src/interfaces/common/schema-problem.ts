/** Whether what a request sends as a JSON Schema is one at all, of whatever draft. */
import { isObject } from "../../wire/json.ts";
import { escapeToken } from "../../wire/pointer.ts";

/** One thing wrong at one place. */
export interface Problem {
  readonly pointer: string;
  readonly expected: string;
  readonly actual: unknown;
}

type Data = Readonly<Record<string, unknown>>;

/** `any` and a boolean `required` are those of draft 3, which is still sent. */
const typeNames = new Set<unknown>(["string", "number", "integer", "boolean", "object", "array", "null", "any"]);
export type IsTypeName = (name: unknown) => boolean;
const schemaMaps = ["properties", "patternProperties", "$defs", "definitions"];
const schemaLists = ["allOf", "anyOf", "oneOf", "prefixItems"];
const oneSchema = ["additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"];
const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const numbers = ["minimum", "maximum", "multipleOf"];

const isSchema = (value: unknown): boolean => isObject(value) || typeof value === "boolean";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === "string");

const judged = new Set([
  ...["type", "items", "required", "enum"],
  ...[schemaMaps, schemaLists, oneSchema, counts, numbers].flat(),
]);

/** Most of what stands in a schema of a million parts says nothing that could be wrong. */
function saysSomething(schema: Data): boolean {
  for (const keyword in schema) if (judged.has(keyword)) return true;
  return false;
}

function* keywordProblems(schema: Data, at: string, isTypeName: IsTypeName): Generator<Problem> {
  const wrong = (keyword: string, expected: string): Problem => ({
    pointer: `${at}/${escapeToken(keyword)}`,
    expected,
    actual: schema[keyword],
  });
  const has = (keyword: string): boolean => Object.hasOwn(schema, keyword);
  if (has("type")) {
    const types = [schema["type"]].flat();
    if (!types.every((type) => isTypeName(type) || isObject(type)))
      yield wrong("type", "a type name of JSON Schema, or an array of them");
  }
  for (const keyword of schemaMaps)
    if (has(keyword) && !(isObject(schema[keyword]) && Object.values(schema[keyword] as Data).every(isSchema)))
      yield wrong(keyword, "an object of schemas");
  for (const keyword of schemaLists)
    if (has(keyword) && !(Array.isArray(schema[keyword]) && (schema[keyword] as unknown[]).every(isSchema)))
      yield wrong(keyword, "an array of schemas");
  for (const keyword of oneSchema) if (has(keyword) && !isSchema(schema[keyword])) yield wrong(keyword, "a schema");
  if (has("items") && ![schema["items"]].flat().every(isSchema)) yield wrong("items", "a schema, or an array of them");
  if (has("required") && !isTexts(schema["required"]) && typeof schema["required"] !== "boolean")
    yield wrong("required", "an array of member names");
  if (has("enum") && !Array.isArray(schema["enum"])) yield wrong("enum", "an array of values");
  for (const keyword of counts)
    if (has(keyword) && !(Number.isInteger(schema[keyword]) && (schema[keyword] as number) >= 0))
      yield wrong(keyword, "a count");
  for (const keyword of numbers)
    if (has(keyword) && typeof schema[keyword] !== "number") yield wrong(keyword, "a number");
}

function* subschemas(schema: Data, at: string): Generator<readonly [Data, string]> {
  for (const keyword of [...schemaMaps, ...schemaLists, ...oneSchema, "items"]) {
    const value = schema[keyword];
    if (!Object.hasOwn(schema, keyword)) continue;
    const place = `${at}/${escapeToken(keyword)}`;
    if (isObject(value) && !schemaMaps.includes(keyword)) yield [value, place];
    else if (typeof value === "object" && value !== null)
      for (const [name, child] of Object.entries(value))
        if (isObject(child)) yield [child, `${place}/${escapeToken(name)}`];
  }
}

/**
 * The first place where a schema departs from every draft of JSON Schema, or undefined.
 * @param isTypeName what counts as the name of a type, where that is more than JSON Schema's own
 */
export function schemaProblem(
  schema: Data,
  isTypeName: IsTypeName = (name) => typeNames.has(name),
): Problem | undefined {
  let level: (readonly [Data, string])[] = [[schema, ""]];
  while (level.length > 0) {
    const next: (readonly [Data, string])[] = [];
    for (const [at, pointer] of level) {
      if (!saysSomething(at)) continue;
      for (const problem of keywordProblems(at, pointer, isTypeName)) return problem;
      for (const child of subschemas(at, pointer)) next.push(child);
    }
    level = next;
  }
  return undefined;
}
