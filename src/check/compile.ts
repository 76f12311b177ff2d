/** Reads clause and schema files into one table and compiles the schemas; used by the build and by tests. */
import standalone from "ajv/dist/standalone/index.js";
import { addAlternatives } from "./alternatives.ts";
import type { Clause } from "./clause.ts";
import {
  type CompileOptions,
  createAjv,
  type Owners,
  ofUnion,
  requireSchema,
  tellErrors,
  type Validator,
} from "./schema.ts";
import type { SchemaSource } from "./schema-files.ts";

/** A `*.clauses.json` file. */
export interface ClauseFile {
  readonly document: string;
  readonly clauses: readonly {
    readonly name: string;
    /** Heading of the document under which the statement stands. */
    readonly at: string;
    /** Further headings that repeat the statement. */
    readonly also?: readonly string[];
    readonly says: string;
    readonly on: Clause["on"];
    readonly level: Clause["level"];
    readonly basis?: Clause["basis"];
    readonly readings?: readonly string[];
    /** Clauses that necessarily break along with it; rare. */
    readonly alsoBreaks?: readonly string[];
    /** Why no exchange can show it; makes the clause unobservable. */
    readonly unobservable?: string;
    /** Why its shape cannot be decided; makes the clause opaque. */
    readonly opaque?: string;
    /** The law that decides it. */
    readonly law?: Readonly<Record<string, unknown>>;
    /** Why no request of a run can have a target show it; the clause is decided wherever it is met. */
    readonly unasked?: string;
  }[];
}

export interface Compiled {
  readonly clauses: readonly Clause[];
  readonly ajv: ReturnType<typeof createAjv>;
  /** Schema ids (`/<interface>/<name>.schema.json`), sorted. */
  readonly schemaIds: readonly string[];
}

const assertions = new Set(
  `type enum const required minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format
  minItems maxItems uniqueItems minProperties maxProperties dependentRequired not closed either alternatives`.split(
    /\s+/,
  ),
);
const banned = new Set(["anyOf", "oneOf", "additionalProperties", "unevaluatedProperties"]);

/** Walks a schema, calling `visit` on every subschema that asserts something (those under `if` and `not` only ask). */
export function walkSchema(
  schema: unknown,
  path: string,
  visit: (node: Record<string, unknown>, path: string) => void,
): void {
  if (typeof schema !== "object" || schema === null) return;
  const node = schema as Record<string, unknown>;
  visit(node, path);
  for (const key of ["properties", "patternProperties", "$defs"])
    for (const [name, child] of Object.entries((node[key] as object | undefined) ?? {}))
      walkSchema(child, `${path}/${key}/${name}`, visit);
  for (const key of ["items", "then", "else", "propertyNames", "contains"])
    if (key in node) walkSchema(node[key], `${path}/${key}`, visit);
  for (const key of ["allOf", "prefixItems"])
    for (const [i, child] of ((node[key] as unknown[] | undefined) ?? []).entries())
      walkSchema(child, `${path}/${key}/${i}`, visit);
  // A map such as metadata: every value obeys one schema. Named apart, since additionalProperties: false is banned.
  if (typeof node["additionalProperties"] === "object")
    walkSchema(node["additionalProperties"], `${path}/additionalProperties`, visit);
}

/** Owners in schemas that passed. Each catalogue contains the schemas that ship. */
const knownOwners = new WeakMap<object, ReadonlySet<string>>();

/** Clause ids a schema's keywords name, each assertion owned; throws with every mistake named. */
function ownersIn({ path: file, content: schema }: SchemaSource): ReadonlySet<string> {
  const known = knownOwners.get(schema as object);
  if (known) return known;
  const owners = new Set<string>();
  const mistakes: string[] = [];
  walkSchema(schema, `/${file}`, (node, path) => {
    const owned = (node["clause"] ?? {}) as Owners;
    for (const keyword of Object.keys(node)) {
      if (banned.has(keyword) && typeof node[keyword] !== "object")
        mistakes.push(`${path}: ${keyword} hides which branch failed; use if/then or closed`);
      if (keyword === "anyOf" || keyword === "oneOf")
        mistakes.push(`${path}: ${keyword} hides which branch failed; use if/then`);
      if (!assertions.has(keyword)) continue;
      const owner = owned[keyword];
      if (owner === undefined) mistakes.push(`${path}: nobody owns ${keyword}`);
      if (keyword === "required" && typeof owner === "object")
        for (const name of node["required"] as string[])
          if (!owner[name]) mistakes.push(`${path}: nobody owns required ${name}`);
    }
    for (const [keyword, owner] of Object.entries(owned)) {
      if (!(keyword in node) && !["present", "items", "properties"].includes(keyword))
        mistakes.push(`${path}: clause owns ${keyword}, which is not there`);
      for (const clause of typeof owner === "string" ? [owner] : Object.values(owner))
        if (clause !== ofUnion) owners.add(clause);
    }
  });
  if (mistakes.length) throw new Error(`schemas are not well owned:\n  ${mistakes.join("\n  ")}`);
  knownOwners.set(schema as object, owners);
  return owners;
}

const schemasAmong = (sources: readonly SchemaSource[]): readonly SchemaSource[] =>
  sources.filter(({ path }) => path.endsWith(".schema.json") && !path.startsWith("formats/"));

const knownClauses = new WeakMap<readonly SchemaSource[], readonly Clause[]>();

/** The clauses of every source, sorted by id; throws one error that names mistakes of the data. */
export function clausesOf(sources: readonly SchemaSource[]): readonly Clause[] {
  const known = knownClauses.get(sources);
  if (known) return known;
  const shaped = new Set(schemasAmong(sources).flatMap((source) => [...ownersIn(source)]));
  const clauses: Clause[] = [];
  for (const { path, content } of sources) {
    const match = /^([^/]+)\/([^/]+)\.clauses\.json$/.exec(path);
    if (!match) continue;
    const file = content as ClauseFile;
    for (const entry of file.clauses) {
      const id = `${match[1]}.${match[2]}.${entry.name}`;
      clauses.push({
        id,
        interface: match[1]!,
        section: match[2]!,
        says: entry.says,
        on: entry.on,
        kind: entry.unobservable ? "unobservable" : entry.opaque || shaped.has(id) ? "shape" : "behaviour",
        level: entry.level,
        basis: entry.basis ?? "document",
        document: { name: file.document, section: entry.at },
        readings: entry.readings ?? [],
        ...(entry.alsoBreaks && { alsoBreaks: entry.alsoBreaks }),
        ...(entry.also && { also: entry.also }),
        ...(entry.unobservable && { reason: entry.unobservable }),
        ...(entry.opaque && { opaque: true as const, reason: entry.opaque }),
        ...(entry.unasked && { unasked: entry.unasked }),
        ...(entry.law && { law: entry.law }),
      });
    }
  }
  clauses.sort((a, b) => (a.id < b.id ? -1 : 1));
  const twice = clauses.find(({ id }, i) => id === clauses[i + 1]?.id);
  if (twice) throw new Error(`two clauses share the id ${twice.id}`);
  knownClauses.set(sources, clauses);
  return clauses;
}

/** Compiles every source; throws one error that names all mistakes of the data. */
export function compile(sources: readonly SchemaSource[], options: CompileOptions): Compiled {
  const clauses = clausesOf(sources);
  const indices = new Map(clauses.map(({ id }, i) => [id, i]));
  const ajv = createAjv((id) => {
    const index = indices.get(id);
    if (index === undefined) throw new Error(`a schema names ${id}, which is no clause`);
    return index;
  }, options);
  addAlternatives(ajv, options.onMeet !== undefined);
  const schemas = schemasAmong(sources);
  for (const { path, content } of schemas)
    try {
      const schema = { ...(content as object), $id: `/${path}` };
      requireSchema(schema, content as object);
      ajv.addSchema(schema);
    } catch (error) {
      const { message } = error as Error;
      throw message.includes(path) ? error : new Error(`/${path}: ${message}`);
    }
  return { clauses, ajv, schemaIds: schemas.map(({ path }) => `/${path}`).sort() };
}

/** Has pointers below the members of a map written as everybody's, however long the name of a member is. */
const writePointers = (code: string): string =>
  code.replaceAll(/\b(key\d+)\.replace\(\/~\/g, "~0"\)\.replace\(\/\\\/\/g, "~1"\)/g, "escapeToken($1)");

/** The validators as one ES module's text; `exportName(i)` is the i-th schema id's. */
export function validatorModule({ ajv, schemaIds }: Compiled): string {
  for (const id of schemaIds) ajv.getSchema(id);
  const names = Object.fromEntries(schemaIds.map((id, i) => [`v${i}`, id]));
  const code = (standalone as unknown as (a: unknown, n: object) => string)(ajv, names);
  return [
    `import { createRequire } from "node:module";`,
    `import { formats } from "../src/check/formats.js";`,
    `import { escapeToken } from "../src/wire/pointer.js";`,
    `const require = createRequire(import.meta.url);`,
    tellErrors(writePointers(code.replace('"use strict";', ""))),
    `export const validators = {${schemaIds.map((id, i) => `${JSON.stringify(id)}:v${i}`).join(",")}};`,
    "",
  ].join("\n");
}

/** The same validators without a build step. */
export function liveValidators({ ajv, schemaIds }: Compiled): Record<string, Validator> {
  return Object.fromEntries(schemaIds.map((id) => [id, ajv.getSchema(id) as unknown as Validator]));
}
