/** Turns what a generated validator reports into violations: one per fault, blamed on the clause that owns the keyword. */
import { isObject } from "../wire/json.ts";
import { escapeToken, memberAt, pointer, resolvePointer, tokensOf } from "../wire/pointer.ts";
import { type Grade, isSilent, type Place, type Policy, type Side, type Violation, warns } from "./clause.ts";
import { expectedPhrases } from "./expected-phrases.ts";
import type { Marks, Owners, SchemaError, Validator } from "./schema.ts";
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

function ownerOf(error: SchemaError): string {
  const owner = error.parentSchema.clause?.[error.keyword as keyof Owners];
  const clause = typeof owner === "object" ? owner[memberOf(error) ?? ""] : owner;
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
  const demanded = (validate.errors ?? []).filter(
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

/** Words an error: what its keyword demands, and which member was probably meant; once a schema, since a body may break one a million times. */
function createWording() {
  const texts = new Map<object, { expected?: string; members?: readonly string[] }>();
  let hints = 0;
  const of = (schema: object) => {
    let known = texts.get(schema);
    if (!known) texts.set(schema, (known = {}));
    return known;
  };
  const demand = (error: SchemaError): string =>
    expectedPhrases[error.keyword]?.(error.schema as never, error) ?? error.keyword;
  return {
    expected: (error: SchemaError): string =>
      error.keyword === "closed" ? (of(error.parentSchema).expected ??= demand(error)) : demand(error),
    hint(error: SchemaError, member: string | undefined): string | undefined {
      if (error.keyword !== "closed" || member === undefined || member.length > maxMisspeltLength || hints === maxHints)
        return undefined;
      hints++;
      const ofSchema = of(error.parentSchema);
      ofSchema.members ??= Object.keys((error.parentSchema["properties"] as object | undefined) ?? {});
      const meant = suggestName(member, ofSchema.members);
      return meant && `did you mean ${meant}?`;
    },
  };
}

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
  // Violations that a reading grades come last. A bound broken under every reading is then not excused by the
  // narrower one beside it.
  const errors = found
    .filter(({ keyword }) => !wrappers.has(keyword))
    .sort((a, b) => Number("reading" in a.parentSchema) - Number("reading" in b.parentSchema));
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === "type").map(({ instancePath }) => instancePath));
  const nulls = harmlessNulls(validate, value, errors, context.marks.length);
  const harmless = (path: string): boolean => nulls.has(path) || (policy.missing !== undefined && path !== "");
  const wording = createWording();
  const seen = new Set<string>();
  for (const error of errors) {
    if (error.keyword !== "type" && mistyped.has(error.instancePath)) continue;
    const clause = ownerOf(error);
    const member = memberOf(error);
    const at = member === undefined ? error.instancePath : `${error.instancePath}/${escapeToken(member)}`;
    const reading = readingOf(error, place.side, policy, harmless);
    const key = `${clause} ${at}`;
    if (seen.has(key)) continue;
    // A violation that a reading silences by default must not hide a further finding of the same clause.
    if (reading?.default !== "off") seen.add(key);
    const hint = wording.hint(error, member);
    yield {
      ...place,
      clause,
      pointer: at,
      expected: wording.expected(error),
      actual: actualOf(error, member),
      ...(hint && { hint }),
      ...(reading && { reading }),
    };
  }
}

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
