/** As much of JSON Schema as tool inputs need: whether a schema is one, and whether a value has the shape it asks for. */
import { isObject } from "../../check/subject.ts";
import { escapeToken } from "../../wire/pointer.ts";

/** One thing wrong at one place. */
export interface Problem {
  readonly pointer: string;
  readonly expected: string;
  readonly actual: unknown;
}

/** How deep is looked; what lies deeper passes. */
const deepest = 64;
/** How many places are looked at; the rest passes. */
const mostPlaces = 20_000;

type Data = Readonly<Record<string, unknown>>;

/** `any` and a boolean `required` are those of draft 3, which is still sent. */
const typeNames = new Set<unknown>(["string", "number", "integer", "boolean", "object", "array", "null", "any"]);
const schemaMaps = ["properties", "patternProperties", "$defs", "definitions"];
const schemaLists = ["allOf", "anyOf", "oneOf", "prefixItems"];
const oneSchema = ["additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"];
const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const numbers = ["minimum", "maximum", "multipleOf"];

const isSchema = (value: unknown): boolean => isObject(value) || typeof value === "boolean";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === "string");

function* keywordProblems(schema: Data, at: string): Generator<Problem> {
  const wrong = (keyword: string, expected: string): Problem => ({
    pointer: `${at}/${escapeToken(keyword)}`,
    expected,
    actual: schema[keyword],
  });
  const has = (keyword: string): boolean => Object.hasOwn(schema, keyword);
  if (has("type")) {
    const types = [schema["type"]].flat();
    if (!types.every((type) => typeNames.has(type) || isObject(type)))
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

/** The first place where a schema departs from every draft of JSON Schema, or undefined. */
export function schemaProblem(schema: Data): Problem | undefined {
  let level: (readonly [Data, string])[] = [[schema, ""]];
  let places = 0;
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const next: (readonly [Data, string])[] = [];
    for (const [at, pointer] of level) {
      if (++places > mostPlaces) return undefined;
      for (const problem of keywordProblems(at, pointer)) return problem;
      for (const child of subschemas(at, pointer)) next.push(child);
    }
    level = next;
  }
  return undefined;
}

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "number" ? "number" : typeof value;

function hasType(value: unknown, type: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  return !typeNames.has(type) || type === "any" || typeOf(value) === type;
}

/** Objects and arrays are not compared, so they count as the same. */
function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && a !== null && typeof b === "object" && b !== null);
}

interface Budget {
  places: number;
}

function* valueProblems(schema: Data, value: unknown, at: string): Generator<Problem> {
  const problem = (expected: string): Problem => ({ pointer: at, expected, actual: value });
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  // The OpenAPI way to allow null.
  if (value === null && schema["nullable"] === true) return;
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((one) => hasType(value, one))) return yield problem(types.join(" or "));
  if (Array.isArray(schema["enum"]) && !schema["enum"].some((one) => same(one, value)))
    yield problem(`one of ${schema["enum"].map((one) => JSON.stringify(one)).join(", ")}`);
  if (Object.hasOwn(schema, "const") && !same(schema["const"], value)) yield problem(JSON.stringify(schema["const"]));
  if (typeof value === "number") {
    if (typeof minimum === "number" && value < minimum) yield problem(`at least ${minimum}`);
    if (typeof maximum === "number" && value > maximum) yield problem(`at most ${maximum}`);
  }
  if (typeof value === "string") {
    const length = [...value].length;
    if (typeof minLength === "number" && length < minLength) yield problem(`at least ${minLength} characters`);
    if (typeof maxLength === "number" && length > maxLength) yield problem(`at most ${maxLength} characters`);
  }
  if (Array.isArray(value)) {
    if (typeof minItems === "number" && value.length < minItems) yield problem(`at least ${minItems} items`);
    if (typeof maxItems === "number" && value.length > maxItems) yield problem(`at most ${maxItems} items`);
  }
}

function memberProblem(schema: Data, value: Data, at: string): Problem | undefined {
  const { required, properties, additionalProperties, patternProperties } = schema;
  for (const name of Array.isArray(required) ? (required as unknown[]) : [])
    if (typeof name === "string" && !Object.hasOwn(value, name))
      return { pointer: `${at}/${escapeToken(name)}`, expected: "this member to be present", actual: undefined };
  if (additionalProperties !== false || patternProperties !== undefined) return undefined;
  const known = isObject(properties) ? properties : {};
  for (const name of Object.keys(value))
    if (!Object.hasOwn(known, name))
      return { pointer: `${at}/${escapeToken(name)}`, expected: "only declared members", actual: value[name] };
  return undefined;
}

function look(schema: unknown, value: unknown, at: string, depth: number, budget: Budget): Problem | undefined {
  // A reference may stand for anything, and beside it nothing else counts in older drafts.
  if (!isObject(schema) || depth > deepest || ++budget.places > mostPlaces || "$ref" in schema) return undefined;
  for (const problem of valueProblems(schema, value, at)) return problem;
  const deeper = (child: unknown, member: unknown, pointer: string): Problem | undefined =>
    look(child, member, pointer, depth + 1, budget);
  if (Array.isArray(value) && isObject(schema["items"])) {
    for (const [i, item] of (value as unknown[]).entries()) {
      const problem = deeper(schema["items"], item, `${at}/${i}`);
      if (problem) return problem;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const problem = memberProblem(schema, value, at);
  if (problem) return problem;
  for (const [name, child] of Object.entries(properties)) {
    const inner = Object.hasOwn(value, name) && deeper(child, value[name], `${at}/${escapeToken(name)}`);
    if (inner) return inner;
  }
  return undefined;
}

/**
 * The first place where a value lacks the shape a schema asks for, or undefined. Looks at types, values, bounds, required
 * and declared members; leaves patterns, formats, references and combinations alone, so it may miss but never wrongly accuse.
 */
export function misfit(schema: Data, value: unknown): Problem | undefined {
  return look(schema, value, "", 0, { places: 0 });
}
