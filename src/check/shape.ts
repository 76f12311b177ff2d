/** Turns what a generated validator reports into violations: one per fault, blamed on the clause that owns the keyword. */
import { escapeToken, resolvePointer, tokensOf } from "../wire/pointer.ts";
import type { Grade, Place, Side, Violation } from "./clause.ts";
import type { Owners, SchemaError, Validator } from "./schema.ts";
import { isObject } from "./subject.ts";

export interface ShapePlace {
  readonly side: Side;
  readonly in: Place;
  readonly event?: number;
}

/** Keywords whose errors only repeat those of the subschemas inside them. */
const wrappers = new Set(["if", "propertyNames", "contains", "allOf"]);

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);
const typeNames = (schema: unknown): string =>
  [schema]
    .flat()
    .map((type) => (type === "null" ? "null" : article(String(type))))
    .join(" or ");
const list = (values: unknown): string => (values as unknown[]).map((value) => JSON.stringify(value)).join(", ");
const count = (n: unknown, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** How each keyword's demand reads after "expected". */
const demands: Record<string, (schema: never, error: SchemaError) => string> = {
  type: (schema) => typeNames(schema),
  enum: (schema) => `one of ${list(schema)}`,
  const: (schema) => JSON.stringify(schema),
  required: () => "this member to be present",
  minimum: (schema) => `at least ${schema}`,
  maximum: (schema) => `at most ${schema}`,
  exclusiveMinimum: (schema) => `more than ${schema}`,
  exclusiveMaximum: (schema) => `less than ${schema}`,
  minLength: (schema) => `at least ${count(schema, "character")}`,
  maxLength: (schema) => `at most ${count(schema, "character")}`,
  minItems: (schema) => `at least ${count(schema, "item")}`,
  maxItems: (schema) => `at most ${count(schema, "item")}`,
  minProperties: (schema) => `at least ${count(schema, "member")}`,
  maxProperties: (schema) => `at most ${count(schema, "member")}`,
  pattern: (schema) => `text matching ${schema}`,
  format: (schema) => `${schema} text`,
  uniqueItems: () => "items that differ from each other",
  closed: (_schema, { parentSchema }) =>
    `only the documented members (${Object.keys((parentSchema["properties"] as object | undefined) ?? {}).join(", ")})`,
  not: () => "something else",
  dependentRequired: (_schema, { params }) => `${params["missingProperty"]} beside ${params["property"]}`,
};

function memberOf(error: SchemaError): string | undefined {
  const { keyword, params } = error;
  if (keyword === "required") return String(params["missingProperty"]);
  if (keyword === "closed") return String(params["member"]);
  return error.propertyName;
}

function ownerOf(error: SchemaError): string {
  const owner = error.parentSchema.clause?.[error.keyword as keyof Owners];
  const clause = typeof owner === "object" ? owner[memberOf(error) ?? ""] : owner;
  if (clause === undefined) throw new Error(`no clause owns ${error.keyword} at ${error.instancePath || "the root"}`);
  return clause;
}

/** Grades that hold for every schema, whoever wrote it. */
function standingGrade(error: SchemaError, side: Side, harmlessNull: () => boolean): Grade | undefined {
  if (error.keyword === "closed")
    return side === "request"
      ? { id: "X-EXTRA", default: "warning", strict: "error" }
      : { id: "X-EXTRA", default: "off", strict: "warning" };
  if (error.data === null && harmlessNull()) return { id: "X-NULL", default: "warning", strict: "error" };
  return undefined;
}

/** The closest known member name to a mistyped one, or undefined when none is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const fold = (text: string): string => text.toLowerCase().replace(/[_\-\s]/g, "");
  const same = known.find((candidate) => fold(candidate) === fold(name));
  if (same) return same;
  const limit = name.length <= 4 ? 1 : 2;
  const near = known
    .map((candidate) => ({ candidate, distance: editDistance(fold(name), fold(candidate), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.candidate;
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/** The document without its member at `path`; shares everything else. */
function without(document: unknown, path: string): unknown {
  const [first, ...rest] = tokensOf(path);
  if (first === undefined || typeof document !== "object" || document === null) return document;
  if (Array.isArray(document))
    return document.map((item, i) =>
      String(i) === first ? without(item, rest.map((t) => `/${escapeToken(t)}`).join("")) : item,
    );
  const copy: Record<string, unknown> = { ...document };
  if (rest.length === 0) delete copy[first];
  else copy[first] = without(copy[first], rest.map((t) => `/${escapeToken(t)}`).join(""));
  return copy;
}

/**
 * Validates a value and names every fault once.
 * @param marks coverage by clause index, set for every clause the value exercised
 */
export function shapeViolations(
  validate: Validator,
  value: unknown,
  place: ShapePlace,
  marks: Uint8Array,
  policy: { readonly closed: boolean; readonly openEnums: boolean; readonly missing?: Grade },
): Violation[] {
  if (validate.call({ marks, closed: policy.closed }, value)) return [];
  // What a reading grades comes last, so that a bound broken under every reading is not excused by the narrower one beside it.
  const errors = (validate.errors ?? [])
    .filter(({ keyword }) => !wrappers.has(keyword))
    .sort((a, b) => Number("reading" in a.parentSchema) - Number("reading" in b.parentSchema));
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === "type").map(({ instancePath }) => instancePath));
  const seen = new Set<string>();
  const violations: Violation[] = [];
  for (const error of errors) {
    if (error.keyword !== "type" && mistyped.has(error.instancePath)) continue;
    const clause = ownerOf(error);
    const member = memberOf(error);
    const pointer = member === undefined ? error.instancePath : `${error.instancePath}/${escapeToken(member)}`;
    const key = `${clause} ${pointer}`;
    if (seen.has(key)) continue;
    seen.add(key);
    // Reading X-NULL: a null is no worse than absence, so ask whether absence would have passed.
    const harmlessNull = (): boolean => {
      const bare = without(value, error.instancePath);
      if (bare === value || Array.isArray(resolvePointer(value, error.instancePath.replace(/\/[^/]*$/, ""))))
        return false;
      if (policy.missing) return true;
      validate.call({ marks: new Uint8Array(marks.length), closed: false }, bare);
      return !(validate.errors ?? []).some(
        (other) =>
          other.keyword === "required" &&
          ((other.parentSchema["reading"] as Grade | undefined)?.default ?? "error") === "error" &&
          `${other.instancePath}/${escapeToken(memberOf(other)!)}` === error.instancePath,
      );
    };
    const enumGrade: Grade | undefined =
      policy.openEnums && error.keyword === "enum" && place.side === "response"
        ? { id: "X-OPEN-ENUM", default: "warning", strict: "error" }
        : undefined;
    const reading =
      (error.keyword === "required" ? policy.missing : undefined) ??
      (error.parentSchema["reading"] as Grade | undefined) ??
      standingGrade(error, place.side, harmlessNull) ??
      enumGrade;
    const near =
      error.keyword === "closed" &&
      nearestName(member!, Object.keys((error.parentSchema["properties"] as object) ?? {}));
    violations.push({
      ...place,
      clause,
      pointer,
      expected: demands[error.keyword]?.(error.schema as never, error) ?? error.keyword,
      actual:
        error.keyword === "required"
          ? undefined
          : isObject(error.data) && member !== undefined
            ? error.data[member]
            : error.data,
      ...(near && { hint: `did you mean ${near}?` }),
      ...(reading && { reading }),
    });
  }
  return violations;
}

/**
 * Numbers written with a fraction or exponent (`1.0`) where the schema wants an integer (reading X-INT): asks what would be
 * said of a real fraction in their place.
 * @param pointers where such literals stand
 */
export function fractionViolations(
  validate: Validator,
  value: unknown,
  pointers: readonly string[],
  place: ShapePlace,
  marks: Uint8Array,
): Violation[] {
  const half = structuredClone(value);
  for (const pointer of pointers) {
    const tokens = tokensOf(pointer);
    const last = tokens.pop();
    const parent = resolvePointer(half, tokens.map((token) => `/${escapeToken(token)}`).join(""));
    if (last !== undefined && typeof parent === "object" && parent !== null && Object.hasOwn(parent, last))
      (parent as Record<string, number>)[last]! += 0.5;
  }
  const scratch = new Uint8Array(marks.length);
  return shapeViolations(validate, half, place, scratch, { closed: false, openEnums: false })
    .filter(({ pointer, expected }) => pointers.includes(pointer) && expected.startsWith("an integer"))
    .map((violation) => ({
      ...violation,
      actual: resolvePointer(value, violation.pointer),
      hint: "written with a fraction or an exponent",
      reading: { id: "X-INT", default: "warning", strict: "error" },
    }));
}
