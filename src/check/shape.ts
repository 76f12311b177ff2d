/** Turns what a generated validator reports into violations: one per fault, blamed on the clause that owns the keyword. */
import { isObject } from "../wire/json.ts";
import { escapeToken, memberAt, pointer, resolvePointer, tokensOf } from "../wire/pointer.ts";
import { expandNearest } from "./alternatives.ts";
import { type Grade, isSilent, type Place, type Policy, type Side, type Violation, warns } from "./clause.ts";
import { expectedPhrases } from "./expected-phrases.ts";
import type { Marks, Nearest, Owners, SchemaError, Validator } from "./schema.ts";
import { suggestName } from "./suggest.ts";

export interface ShapePlace {
  readonly side: Side;
  readonly in: Place;
  readonly event?: number;
}

/** Keywords whose errors only repeat those of the subschemas inside them. */
const wrappers = new Set(["if", "propertyNames", "contains", "allOf"]);

function memberOf(error: SchemaError): string | undefined {
  const { keyword, params } = error;
  if (keyword === "required") return String(params["missingProperty"]);
  if (keyword === "closed") return String(params["member"]);
  if (keyword === "not") {
    const [only, ...others] = (error.schema as { readonly required?: readonly string[] }).required ?? [];
    return others.length === 0 ? only : undefined;
  }
  return error.propertyName;
}

/** What a table beside an error's keyword has for it. */
function besideKeyword(error: SchemaError, table: Owners | undefined): string | undefined {
  const own = table?.[error.keyword];
  return typeof own === "object" ? own[memberOf(error) ?? ""] : own;
}

function ownerOf(error: SchemaError): string {
  const clause = error.owner ?? besideKeyword(error, error.parentSchema.clause);
  if (clause === undefined) throw new Error(`no clause owns ${error.keyword} at ${error.instancePath || "the root"}`);
  return clause;
}

/** Grades that hold for every schema, whoever wrote it. */
function standingGrade(error: SchemaError, side: Side, harmless: (path: string) => boolean): Grade | undefined {
  if (error.keyword === "closed")
    return side === "request" ? warns("X-EXTRA") : { id: "X-EXTRA", default: "off", strict: "warning" };
  // A schema may say that null is no less wrong than any other value.
  if (error.data !== null || error.parentSchema["notNull"] === true) return undefined;
  return harmless(error.instancePath) ? warns("X-NULL") : undefined;
}

/** A copy without the members at `paths`, as far as they are members of objects. */
function without(document: unknown, paths: readonly string[]): unknown {
  const copy = structuredClone(document);
  for (const path of paths) {
    const tokens = tokensOf(path);
    const last = tokens.pop();
    const parent = resolvePointer(copy, pointer(...tokens));
    const name = last !== undefined && isObject(parent) ? memberAt(parent, last) : undefined;
    if (name !== undefined) delete (parent as Record<string, unknown>)[name];
  }
  return copy;
}

const gradeIn = ({ parentSchema }: SchemaError): Grade | undefined => parentSchema["reading"] as Grade | undefined;

/**
 * Pointers of nulls whose absence would have passed (reading X-NULL): asks once what would be said without any of them.
 * Entries of lists are no members: their absence cannot be asked for.
 */
function harmlessNulls(validate: Validator, value: unknown, errors: readonly SchemaError[], size: number): Set<string> {
  const nulls = errors
    .filter(({ data, keyword }) => data === null && keyword !== "required" && keyword !== "closed")
    .map(({ instancePath }) => instancePath)
    .filter((path) => isObject(resolvePointer(value, path.replace(/\/[^/]*$/, ""))) && path !== "");
  if (nulls.length === 0) return new Set();
  validate.call({ marks: new Uint8Array(size), closed: false }, without(value, nulls));
  const demanded = expandNearest(validate.errors ?? []).filter(
    (error) => error.keyword === "required" && (gradeIn(error)?.default ?? "error") === "error",
  );
  const missing = new Set(demanded.map((error) => `${error.instancePath}/${escapeToken(memberOf(error)!)}`));
  return new Set(nulls.filter((path) => !missing.has(path)));
}

export interface ShapePolicy {
  readonly openEnums: boolean;
  /** Grades members the value lacks, where only a part of it need be there. */
  readonly missing?: Grade | undefined;
}

/** Whether a reading silences an error, so that it need not be looked into; `missing` grades members that lack. */
export function isSilentError(error: SchemaError, policy: Policy, missing: Grade | undefined): boolean {
  return isSilent(missing && error.keyword === "required" ? missing : gradeIn(error), policy);
}

/** The known members of closed schemas, and how findings list them; made once a schema, since a body may break one a million times. */
const closedTexts = new WeakMap<object, { readonly expected: string; readonly members: readonly string[] }>();

function closedTextsOf(error: SchemaError) {
  let known = closedTexts.get(error.parentSchema);
  if (!known) {
    const members = Object.keys((error.parentSchema["properties"] as object | undefined) ?? {});
    closedTexts.set(error.parentSchema, (known = { expected: demandOf(error), members }));
  }
  return known;
}

const demandOf = (error: SchemaError): string =>
  expectedPhrases[error.keyword]?.(error.schema as never, error) ?? error.keyword;

/** The demand of an error's keyword. */
const expectedOf = (error: SchemaError): string =>
  error.keyword === "closed" ? closedTextsOf(error).expected : demandOf(error);

/** Unknown members of one value of which the nearest known name is looked for, and how long such a name may be. */
const maxHints = 200;
const maxMisspeltLength = 200;

/**
 * Names every fault of a value once, right after `validate` found it invalid.
 * @param found what it found
 * @param context coverage marks by clause index, set for every clause the value exercised, and whether unknown members count
 */
export function* shapeViolations(
  validate: Validator,
  value: unknown,
  found: readonly SchemaError[],
  place: ShapePlace,
  context: Marks,
  policy: ShapePolicy,
): Generator<Violation, void> {
  const errors: SchemaError[] = [];
  const graded: SchemaError[] = [];
  let mistyped: Set<string> | undefined;
  let hasNull = false;
  for (const error of expandNearest(found)) {
    if (wrappers.has(error.keyword)) continue;
    (gradeIn(error) ? graded : errors).push(error);
    if (error.keyword === "type") (mistyped ??= new Set()).add(error.instancePath);
    hasNull ||= error.data === null;
  }
  // Violations that a reading grades come last. A bound broken under every reading is then not excused by the
  // narrower one beside it.
  for (const error of graded) errors.push(error);
  const nulls = hasNull ? harmlessNulls(validate, value, errors, context.marks.length) : undefined;
  const harmless = (path: string): boolean => nulls?.has(path) || (policy.missing !== undefined && path !== "");
  const isNew = createNovelty();
  let hints = 0;
  for (const error of errors) {
    if (error.keyword !== "type" && mistyped?.has(error.instancePath)) continue;
    const clause = ownerOf(error);
    const member = memberOf(error);
    const at = member === undefined ? error.instancePath : `${error.instancePath}/${escapeToken(member)}`;
    const reading = readingOf(error, place.side, policy, harmless);
    // A violation that a reading silences by default must not hide a further finding of the same clause.
    if (!isNew(clause, at, reading?.default !== "off")) continue;
    const violation: { -readonly [K in keyof Violation]: Violation[K] } = {
      side: place.side,
      in: place.in,
      clause,
      pointer: at,
      expected: expectedOf(error),
      actual: actualOf(error, member),
    };
    if (place.event !== undefined) violation.event = place.event;
    if (reading) violation.reading = reading;
    const says = error.owner === undefined ? besideKeyword(error, error.parentSchema.says) : error.says;
    if (says !== undefined) violation.says = says;
    if (error.keyword === "closed" && member !== undefined && member.length <= maxMisspeltLength && hints < maxHints) {
      hints++;
      const meant = suggestName(member, closedTextsOf(error).members);
      if (meant) violation.hint = `did you mean ${meant}?`;
    }
    if (error.nearest) violation.hint = [nearestOf(error.nearest), violation.hint].filter((one) => one).join("; ");
    yield violation;
  }
}

/** Tells whether a violation is the first of its clause at its place. Most clauses are violated at one place only, which costs the least. */
function createNovelty(): (clause: string, at: string, counts: boolean) => boolean {
  const first = new Map<string, string>();
  let others: Set<string> | undefined;
  return (clause, at, counts) => {
    const before = first.get(clause);
    if (before === undefined) {
      if (counts) first.set(clause, at);
      return true;
    }
    if (before === at) return false;
    const key = `${clause} ${at}`;
    if (others?.has(key)) return false;
    if (counts) (others ??= new Set()).add(key);
    return true;
  };
}

const nearestOf = ({ count, name }: Nearest): string => `no alternative of ${count} fits, and ${name} is the nearest`;

function actualOf({ keyword, data }: SchemaError, member: string | undefined): unknown {
  if (keyword === "required") return undefined;
  // It is its name that is wrong.
  if (keyword === "closed") return member;
  return isObject(data) && member !== undefined ? data[member] : data;
}

function readingOf(
  error: SchemaError,
  side: Side,
  policy: ShapePolicy,
  harmless: (path: string) => boolean,
): Grade | undefined {
  if (error.keyword === "required" && policy.missing) return policy.missing;
  const own = gradeIn(error) ?? standingGrade(error, side, harmless);
  if (own || !policy.openEnums || error.keyword !== "enum" || side === "request") return own;
  return warns("X-OPEN-ENUM");
}

/**
 * Finds numbers written with a fraction or exponent (`1.0`) where the schema wants an integer (reading X-INT). It asks for the
 * violations of a real fraction in their place.
 * @param pointers where such literals stand
 * @param size how many clauses there are
 */
export function fractionViolations(
  validate: Validator,
  value: unknown,
  pointers: readonly string[],
  place: ShapePlace,
  size: number,
): Violation[] {
  const half = structuredClone(value);
  // At most some hundred: what the reader notes of them is bounded.
  for (const place of pointers) {
    const tokens = tokensOf(place);
    const last = tokens.pop();
    const parent = resolvePointer(half, pointer(...tokens));
    const name = last !== undefined && typeof parent === "object" && parent && memberAt(parent, last);
    if (typeof name === "string") (parent as Record<string, number>)[name]! += 0.5;
  }
  const scratch = { marks: new Uint8Array(size), closed: false };
  if (validate.call(scratch, half)) return [];
  return [...shapeViolations(validate, half, validate.errors ?? [], place, scratch, { openEnums: false })]
    .filter((violation) => pointers.includes(violation.pointer) && violation.expected.startsWith("an integer"))
    .map((violation) => ({
      ...violation,
      actual: resolvePointer(value, violation.pointer),
      hint: "written with a fraction or an exponent",
      reading: warns("X-INT"),
    }));
}
