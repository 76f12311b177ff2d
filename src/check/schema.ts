/** Teaches ajv our schema keywords: `clause` (who is to blame, and coverage), `says`, `reading`, `notNull`, `closed` and `either`. */
import type { Ajv as AjvCore, KeywordCxt } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { _, type Code, Name, or, stringify } from "ajv/dist/compile/codegen/index.js";
import { callRef } from "ajv/dist/vocabularies/core/ref.js";
import { formats } from "./formats.ts";
import { isMultipleOf } from "./multiple.ts";
import { regExpOfAjv } from "./pattern.ts";

/**
 * The owners of a subschema's assertions: keyword to clause id, or, for `required`, property to clause id. Every assertion
 * keyword beside it must have an owner.
 * In `says`, sentences take the place of ids: how findings word a clause whose own sentence is about another type.
 */
export type Owners = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** Owner of the assertions within alternatives: the clause of the union is blamed for them. */
export const ofUnion = "-";

/** Value of the keyword `alternatives`. */
export interface Alternatives {
  /** Ids of their schemas, and how messages name them. */
  readonly of: readonly { readonly schema: string; readonly name: string }[];
  /** A change to a value after which it fits none of them. */
  readonly spoil: Spoil;
}

export type Spoil =
  | { readonly set: Readonly<Record<string, unknown>>; readonly drop: readonly string[] }
  | { readonly value: unknown };

/** What a value violates of the nearest alternative. */
export interface Nearest {
  readonly name: string;
  /** How many alternatives were tried. */
  readonly count: number;
  /** Their places begin at the value. */
  readonly errors: readonly SchemaError[];
}

/** Results by value and union: unions within unions would try the same values again and again. */
export type Tried = WeakMap<object, Map<Alternatives, Nearest | undefined>>;

/** The `this` of a validator: coverage marks by clause index, and whether unknown members are errors. */
export interface Marks {
  readonly marks: Uint8Array;
  readonly closed: boolean;
  /** Told of every error as it is made; may throw to end the validation. */
  readonly onError?: (error: SchemaError) => void;
  /** Spends steps of the budget; may throw to end the validation. */
  readonly spend?: ((steps: number) => void) | undefined;
  /** What the alternatives of unions found, and the sizes of values: kept for one validation. */
  tried?: Tried | undefined;
  sizes?: WeakMap<object, number> | undefined;
}

export interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly propertyName?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly schema: unknown;
  readonly parentSchema: Readonly<Record<string, unknown>> & { readonly clause?: Owners; readonly says?: Owners };
  readonly data: unknown;
  /** The clause of the union whose nearest alternative has the error, and that alternative. */
  readonly owner?: string;
  readonly says?: string | undefined;
  readonly nearest?: Nearest;
}

export type Validator = {
  (this: Marks, data: unknown): boolean;
  errors?: readonly SchemaError[] | null;
};

export interface CompileOptions {
  /** Ahead-of-time code. */
  readonly source: boolean;
  /** Told of every subschema with owners that a value meets; for tracing, not for judging. */
  readonly onMeet?: (owners: Owners, node: Record<string, unknown>, pointer: string, value: unknown) => void;
}

/** The JavaScript test for values a keyword speaks about at all; keywords not listed speak about every value. */
const speaksAbout: Record<string, (data: Name) => Code> = {};
for (const keyword of ["minLength", "maxLength", "pattern", "format"])
  speaksAbout[keyword] = (data) => _`typeof ${data} == "string"`;
for (const keyword of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])
  speaksAbout[keyword] = (data) => _`typeof ${data} == "number"`;
for (const keyword of ["minItems", "maxItems", "items", "uniqueItems", "contains"])
  speaksAbout[keyword] = (data) => _`Array.isArray(${data})`;
for (const keyword of ["required", "minProperties", "maxProperties", "dependentRequired", "closed", "either"])
  speaksAbout[keyword] = (data) => _`${data} && typeof ${data} == "object" && !Array.isArray(${data})`;

const self = new Name("this");

/**
 * Makes generated code report every error to its caller, and gather those of a called validator in place. ajv copies all
 * before, which takes time in the square of their number.
 */
export function tellErrors(code: string): string {
  return code
    .replace(/(vErrors\.push\((err\d+)\);\s*\}\s*errors\+\+;)/g, "$1this.onError?.($2);")
    .replace(/vErrors\.concat\(([\w.]+)\.errors\)/g, "$1.errors.reduce((all,one)=>(all.push(one),all),vErrors)");
}

/** Compiles what another schema file holds when it is first asked for: ajv would follow chains of files as deep as they lead. */
function referLazily(ajv: Ajv2020): void {
  const { code: codeOfAjv } = ajv.getKeyword("$ref") as { code: (cxt: KeywordCxt) => void };
  const files = new Map<string, { readonly validate: Validator }>();
  ajv.removeKeyword("$ref");
  ajv.addKeyword({
    keyword: "$ref",
    schemaType: "string",
    code(cxt: KeywordCxt) {
      const id = cxt.schema as string;
      if (ajv.schemas[id] === undefined) return codeOfAjv(cxt);
      let file = files.get(id);
      if (!file) {
        let compiled: Validator | undefined;
        file = {
          get validate() {
            return (compiled ??= ajv.getSchema(id) as unknown as Validator);
          },
        };
        files.set(id, file);
      }
      callRef(cxt, _`${cxt.gen.scopeValue("wrapper", { ref: file })}.validate`);
    },
  });
}

/** Has ajv judge multiples of fractions as numbers of a computer show them. */
function tolerateFractions(ajv: Ajv2020): void {
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    error: { message: "no multiple", params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}` },
    code(cxt: KeywordCxt) {
      cxt.fail(_`!${cxt.gen.scopeValue("func", { ref: isMultipleOf })}(${cxt.data}, ${cxt.schema})`);
    },
  });
}

/** Checks the schemas of all instances. Each would compile the meta-schema again, which takes longer than opening most documents. */
const metaSchema = new Ajv2020({ allErrors: true, formats, code: { regExp: regExpOfAjv } });
const checked = new WeakSet<object>();

/**
 * Checks a schema once for each content it was read as.
 * @throws Error if it is no JSON Schema
 */
export function requireSchema(schema: object, content: object): void {
  if (checked.has(content)) return;
  metaSchema.validateSchema(schema, true);
  checked.add(content);
}

/**
 * An ajv instance that knows the keywords. It takes schemas that `requireSchema` has checked.
 * @param indexOf the mark index of a clause id; throws for ids that are no clause
 */
export function createAjv(indexOf: (clause: string) => number, options: CompileOptions): AjvCore {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    passContext: true,
    strictTypes: false,
    strictRequired: false,
    validateFormats: true,
    formats,
    meta: false,
    validateSchema: false,
    code: options.source
      ? { source: true, esm: true, formats: _`formats`, lines: true }
      : { process: tellErrors, regExp: regExpOfAjv },
  });
  if (!options.source) {
    referLazily(ajv);
    tolerateFractions(ajv);
  }
  const { onMeet } = options;
  if (onMeet)
    ajv.addKeyword({
      keyword: "clause",
      schemaType: "object",
      errors: false,
      validate(owners: Owners, value: unknown, node?: object, context?: { instancePath: string }) {
        onMeet(owners, node as Record<string, unknown>, context?.instancePath ?? "", value);
        return true;
      },
    });
  else
    ajv.addKeyword({
      keyword: "clause",
      schemaType: "object",
      code(cxt: KeywordCxt) {
        for (const [keyword, owner] of Object.entries(cxt.schema as Owners)) {
          const marks = (typeof owner === "string" ? [owner] : Object.values(owner))
            .filter((id) => id !== ofUnion)
            .map((id) => _`${self}.marks[${indexOf(id)}] = 1`);
          const about = speaksAbout[keyword];
          const emit = () => {
            for (const mark of marks) cxt.gen.code(mark);
          };
          if (about) cxt.gen.if(about(cxt.data as Name), emit);
          else emit();
        }
      },
    });
  ajv.addKeyword({ keyword: "reading", schemaType: "object" });
  ajv.addKeyword({ keyword: "says", schemaType: "object" });
  ajv.addKeyword({ keyword: "excluded", schemaType: "boolean" });
  ajv.addKeyword({ keyword: "notNull", schemaType: "boolean" });
  ajv.addKeyword({
    keyword: "closed",
    schemaType: "boolean",
    type: "object",
    error: { message: "unknown member", params: ({ params }) => _`{member: ${params.member}}` },
    code(cxt: KeywordCxt) {
      const properties = Object.keys((cxt.parentSchema as { properties?: object }).properties ?? {});
      const table = Object.fromEntries(properties.map((name) => [name, 1]));
      const known = cxt.gen.scopeValue("schema", { ref: table, code: stringify(table) });
      const key = cxt.gen.name("key");
      cxt.gen.if(_`${self}.closed`, () =>
        cxt.gen.forIn("key", cxt.data as Name, (name) => {
          cxt.gen.const(key, name);
          cxt.gen.if(_`!Object.prototype.hasOwnProperty.call(${known}, ${key})`, () => {
            cxt.setParams({ member: key });
            cxt.error();
          });
        }),
      );
    },
  });
  ajv.addKeyword({
    keyword: "either",
    schemaType: "array",
    type: "object",
    error: { message: "none of the members", params: _`{}` },
    code(cxt: KeywordCxt) {
      const present = (cxt.schema as string[]).map((name) => _`${cxt.data}[${name}] !== undefined`);
      cxt.fail(_`!(${or(...present)})`);
    },
  });
  return ajv as unknown as AjvCore;
}
