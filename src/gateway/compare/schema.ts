/** Compares JSON schemas of two dialects. */
import { countOf } from "../../interfaces/common/facts/read.ts";
import { isObject } from "../../wire/json.ts";
import { resolvePointer } from "../../wire/pointer.ts";
import { isSame } from "./values.ts";

type Schema = Readonly<Record<string, unknown>>;

/** The differences of two schemas: fair ones of dialect, and the first that is none. */
export interface SchemaComparison {
  readonly dialect: readonly string[];
  readonly different?: string;
}

/** Keywords that the narrower dialect knows; all others may be left out for it. */
const narrow = new Set([
  ...["type", "description", "enum", "example", "nullable", "format", "items", "properties", "required"],
  ...["minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"],
]);

/** Keywords that say nothing of values. */
const remarks = new Set(["$schema", "$id", "$comment", "title", "examples", "example", "default", "propertyOrdering"]);

const deepest = 100;

const maxFollows = 200;

/** Types in lower case, and whether null is one of them; unions with null count as such types. */
function typeOf(schema: Schema): { readonly types: string; readonly nullable: boolean } {
  const { type } = schema;
  const all = (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === "string");
  const lower = all.map((one) => one.toLowerCase());
  return {
    types: lower
      .filter((one) => one !== "null")
      .sort()
      .join("|"),
    nullable: lower.includes("null") || schema["nullable"] === true,
  };
}

/** A union of one schema and null as that schema; a constant as a list of one. */
function plain(schema: Schema): Schema {
  const { anyOf, oneOf, const: only, ...rest } = schema;
  const union = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  const others = union?.filter((one) => !(isObject(one) && one["type"] === "null")) ?? [];
  if (union && others.length === 1 && union.length === 2 && isObject(others[0]))
    return { ...rest, ...others[0], nullable: true };
  return "const" in schema ? { ...rest, enum: [only] } : schema;
}

/** The state of a comparison of two schemas. */
interface Comparing {
  readonly dialect: Set<string>;
  /** Whether one of the two is of the narrower dialect. */
  readonly isNarrow: boolean;
  /** The whole schemas, in which references point. */
  readonly roots: readonly [before: unknown, after: unknown];
  /** Whether anything in the second one is a reference. */
  readonly refers: boolean;
  /** References that may still be followed: schemas that refer to themselves have no end. */
  follows: number;
  different: string | undefined;
}

function differ(comparing: Comparing, at: string): void {
  comparing.different ??= at === "" ? "/" : at;
}

/** Keywords that an empty value makes say nothing. */
const lists = new Set(["$defs", "definitions", "patternProperties", "dependentRequired", "dependentSchemas", "allOf"]);

const saysNothing = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

const definitions = new Set(["$defs", "definitions"]);

/** Whether a keyword may be there or not, whatever it says. */
function isFree({ isNarrow, refers }: Comparing, name: string, before: unknown, after: unknown): boolean {
  if (remarks.has(name)) return true;
  // Definitions that nobody refers to any more say nothing.
  if (definitions.has(name) && saysNothing(after) && !refers) return true;
  if (lists.has(name) && saysNothing(before) && saysNothing(after)) return true;
  if (name === "format") return before === undefined || after === undefined;
  if (name === "additionalProperties") return isNarrow || (before === undefined && after === false);
  return after === undefined && isNarrow && !narrow.has(name);
}

function compareKeyword(comparing: Comparing, name: string, before: unknown, after: unknown, at: string): void {
  if (isSame(before, after)) return;
  if (isFree(comparing, name, before, after)) comparing.dialect.add(name);
  // Lists of names may come in another order, and one that is empty says nothing.
  else if (["required", "enum"].includes(name) && sameItems(before, after)) comparing.dialect.add(`order of ${name}`);
  else differ(comparing, `${at}/${name}`);
}

function compareProperties(comparing: Comparing, before: Schema, after: Schema, at: string, depth: number): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (before[name] === undefined || after[name] === undefined) differ(comparing, `${at}/properties/${name}`);
    else compareNode(comparing, before[name], after[name], `${at}/properties/${name}`, depth + 1);
}

/** The types of two schemas; false where they differ. */
function compareTypes(comparing: Comparing, before: Schema, after: Schema, at: string): boolean {
  const [one, other] = [typeOf(before), typeOf(after)];
  if (one.types !== other.types && !(one.types === "" && isObject(before["properties"]))) {
    if (!(comparing.isNarrow && one.types.includes("|"))) {
      differ(comparing, `${at}/type`);
      return false;
    }
    comparing.dialect.add("several types");
  } else if (!isSame(before["type"], after["type"])) comparing.dialect.add("spelling of types");
  if (one.nullable === other.nullable) return true;
  if (one.nullable && comparing.isNarrow) comparing.dialect.add("nullable");
  else differ(comparing, `${at}/nullable`);
  return one.nullable && comparing.isNarrow;
}

/** A schema with what its reference points at in its place; the schema itself if it refers to nothing that is there. */
function followed(comparing: Comparing, schema: Schema, root: unknown): Schema {
  const { $ref, ...rest } = schema;
  if (typeof $ref !== "string" || !$ref.startsWith("#/") || comparing.follows-- <= 0) return schema;
  const target = resolvePointer(root, $ref.slice(1));
  if (!isObject(target)) return schema;
  comparing.dialect.add("references");
  return followed(comparing, { ...target, ...rest }, root);
}

function compareNode(comparing: Comparing, before: unknown, after: unknown, at: string, depth: number): void {
  if (comparing.different !== undefined || isSame(before, after)) return;
  const [first, second] =
    isObject(before) && isObject(after) && before["$ref"] !== after["$ref"]
      ? [followed(comparing, before, comparing.roots[0]), followed(comparing, after, comparing.roots[1])]
      : [before, after];
  if (isSame(first, second)) return;
  // What is beyond the bound shows nothing.
  if (comparing.follows < 0) return;
  if (!isObject(first) || !isObject(second) || depth > deepest) {
    differ(comparing, at);
    return;
  }
  const [one, other] = [plain(first), plain(second)];
  if (one !== first) comparing.dialect.add("unions with null");
  if (!compareTypes(comparing, one, other, at)) return;
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    if (name === "type" || name === "nullable") continue;
    const [left, right] = [one[name], other[name]];
    if (name === "properties")
      compareProperties(comparing, isObject(left) ? left : {}, isObject(right) ? right : {}, at, depth);
    else if (name === "items" && left !== undefined && right !== undefined)
      compareNode(comparing, left, right, `${at}/items`, depth + 1);
    else compareKeyword(comparing, name, left, right, at);
  }
}

function sameItems(before: unknown, after: unknown): boolean {
  const [one, other] = [before ?? [], after ?? []];
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  const texts = new Set(one.map((item) => JSON.stringify(item)));
  return other.every((item) => texts.has(JSON.stringify(item)));
}

const empty: Schema = { type: "object", properties: {} };

/** Whether a schema takes an object without members. */
const isEmpty = (schema: unknown): boolean =>
  schema === undefined ||
  (isObject(schema) &&
    Object.keys(isObject(schema["properties"]) ? schema["properties"] : {}).length === 0 &&
    !("$ref" in schema || "anyOf" in schema || "oneOf" in schema));

/**
 * Compares two schemas.
 * @param isNarrow whether one of them is of the dialect that knows few keywords
 */
export function compareSchemas(before: unknown, after: unknown, isNarrow: boolean): SchemaComparison {
  if (isEmpty(before) && isEmpty(after)) return { dialect: isSame(before, after) ? [] : ["an empty schema"] };
  const roots = [before, after] as const;
  const refers = countOf(after, "$ref") > 0;
  const comparing: Comparing = {
    dialect: new Set(),
    isNarrow,
    roots,
    refers,
    follows: maxFollows,
    different: undefined,
  };
  compareNode(comparing, before ?? empty, after ?? empty, "", 0);
  const { dialect, different } = comparing;
  return { dialect: [...dialect], ...(different !== undefined && { different }) };
}
