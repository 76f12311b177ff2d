/** Tries the alternatives of a union without a discriminator and reports the violations of the nearest one. */
import type { Ajv as AjvCore, KeywordCxt } from "ajv";
import { _, Name } from "ajv/dist/compile/codegen/index.js";
import type { Alternatives, Marks, Nearest, SchemaError, Validator } from "./schema.ts";

/** Maximum number of errors per alternative. Judging stops there. */
const maxErrors = 100;
/** Budget steps per nested value and alternative. */
const stepsPerValue = 5;

class Enough extends Error {}

/**
 * Returns a function that tries each alternative; the result is undefined if one of them fits.
 * @param validator the validator of a schema id
 */
function createTrier(
  union: Alternatives,
  validator: (schema: string) => Validator,
): (context: Marks, value: unknown) => Nearest | undefined {
  const tryAll = (context: Marks, value: unknown): Nearest | undefined => {
    context.spend?.(union.of.length * stepsPerValue * sizeOf(value, context));
    let best: { readonly name: string; readonly errors: readonly SchemaError[]; readonly rank: Rank } | undefined;
    for (const { schema, name } of union.of) {
      const errors = errorsOf(validator(schema), context, value);
      if (errors.length === 0) return undefined;
      const rank = rankOf(errors);
      if (best === undefined || isNearer(rank, best.rank)) best = { name, errors, rank };
    }
    return best && { name: best.name, count: union.of.length, errors: best.errors };
  };
  return (context, value) => {
    if (typeof value !== "object" || value === null) return tryAll(context, value);
    context.tried ??= new WeakMap();
    const known = context.tried.get(value) ?? new Map<Alternatives, Nearest | undefined>();
    context.tried.set(value, known);
    if (!known.has(union)) {
      // A union inside one of its own alternatives adds nothing.
      known.set(union, undefined);
      known.set(union, tryAll(context, value));
    }
    return known.get(union);
  };
}

function errorsOf(validate: Validator, context: Marks, value: unknown): readonly SchemaError[] {
  const errors: SchemaError[] = [];
  const own: Marks = {
    marks: context.marks,
    closed: context.closed,
    tried: context.tried,
    spend: context.spend,
    onError(error) {
      if (error.instancePath === undefined || isWrapper(error)) return;
      errors.push(error);
      if (errors.length === maxErrors) throw new Enough();
    },
  };
  try {
    return validate.call(own, value) ? [] : errors.length > 0 ? errors : (validate.errors ?? []);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    return errors;
  }
}

/** Whether an error only says that a subschema within it has one. */
const isWrapper = ({ keyword }: SchemaError): boolean => keyword === "if" || keyword === "propertyNames";

/** Numbers of mismatches by their depth below the value; those that merely warn count last. */
type Rank = readonly number[];

/** Maximum depth that is distinguished. */
const maxLevels = 6;

function rankOf(errors: readonly SchemaError[]): Rank {
  const counts = new Array<number>(maxLevels + 1).fill(0);
  for (const { error, path } of flat(errors)) {
    const depth = path.split("/", maxLevels).length - 1;
    // A wrong constant says that the object is of another kind.
    const level = error.keyword === "const" || error.keyword === "required" ? Math.max(0, depth - 1) : depth;
    counts[isMild(error) ? maxLevels : Math.min(level, maxLevels - 1)]!++;
  }
  return counts;
}

/** Whether an error is graded as a warning at most, wherever it is. */
const isMild = ({ keyword, data, parentSchema }: SchemaError): boolean =>
  keyword === "closed" || (data === null && parentSchema["notNull"] !== true);

function isNearer(one: Rank, other: Rank): boolean {
  const i = one.findIndex((count, i) => count !== other[i]);
  return i >= 0 && one[i]! < other[i]!;
}

/** Errors with those of unions within unions in their place, and where each is. */
function* flat(
  errors: readonly SchemaError[],
  above = "",
): Generator<{ readonly error: SchemaError; readonly path: string; readonly nearest?: Nearest }> {
  for (const error of errors) {
    const path = above + error.instancePath;
    const inner = nearestIn(error);
    if (inner) yield* flat(inner.errors, path);
    else yield { error, path };
  }
}

const nearestIn = ({ keyword, params }: SchemaError): Nearest | undefined =>
  keyword === "alternatives" ? (params["nearest"] as Nearest) : undefined;

/** Replaces each error of a union by those of its nearest alternative, owned by the clause of the union. */
export function expandNearest(errors: readonly SchemaError[]): readonly SchemaError[] {
  if (!errors.some(({ keyword }) => keyword === "alternatives")) return errors;
  return errors.flatMap((outer) => {
    const nearest = nearestIn(outer);
    if (!nearest) return [outer];
    const owner = outer.parentSchema.clause?.["alternatives"] as string;
    const says = outer.parentSchema.says?.["alternatives"] as string | undefined;
    return [...flat(nearest.errors, outer.instancePath)].map(({ error, path }) => ({
      ...error,
      instancePath: path,
      owner,
      says,
      nearest,
    }));
  });
}

/** Values within a value, itself included. */
function sizeOf(value: unknown, context: Marks): number {
  if (typeof value !== "object" || value === null) return 1;
  context.sizes ??= new WeakMap();
  let size = context.sizes.get(value);
  if (size !== undefined) return size;
  size = 1;
  for (const one of Array.isArray(value) ? value : Object.values(value)) size += sizeOf(one, context);
  context.sizes.set(value, size);
  return size;
}

/** Adds the keyword `alternatives` to an ajv instance. @param isTracing whether only owners are followed, which alternatives lack */
export function addAlternatives(ajv: AjvCore, isTracing: boolean): void {
  ajv.addKeyword({
    keyword: "alternatives",
    schemaType: "object",
    error: { message: "no alternative fits", params: ({ params }) => _`{nearest: ${params.nearest}}` },
    code(cxt: KeywordCxt) {
      if (isTracing) return;
      const judge = createTrier(cxt.schema as Alternatives, (id) => ajv.getSchema(id) as unknown as Validator);
      const found = _`${cxt.gen.scopeValue("func", { ref: judge })}(${new Name("this")}, ${cxt.data})`;
      const nearest = cxt.gen.const("nearest", found);
      cxt.setParams({ nearest });
      cxt.fail(_`${nearest} !== undefined`);
    },
  });
}
