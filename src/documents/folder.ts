/** Reads a folder that describes an interface: `interface.json`, and the clause and schema files beside it. */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { OwnRecording } from "../check/example.ts";
import type { Interface } from "../check/interface.ts";
import type { Operation } from "../check/operation.ts";
import type { SchemaSource } from "../check/schema-files.ts";
import { jsonOf } from "../json-file.ts";
import { readNamedFile } from "../plain-file.ts";
import { UserError } from "../user-error.ts";
import { isObject } from "../wire/json.ts";
import type { ClauseEntry, WrittenClause } from "./clauses.ts";
import { deriveFrom, documentName, ownInterface, selectOperations } from "./from-openapi.ts";
import { operationPlaces } from "./operations.ts";
import type { OwnInterface } from "./own.ts";
import { openOpenApi, readOpenApi } from "./read-openapi.ts";
import { readRecordings } from "./recordings.ts";

const remedy = `Name a folder with an interface.json such as {"name": "embeddings", "openapi": "openapi.yaml", "operations": ["POST /embeddings"]}, or an OpenAPI file.`;

const places = ["headers", "query", "request", "form", "response", "event", "error"];

/** What an `interface.json` says. */
interface Description {
  readonly name: string;
  readonly document: string | undefined;
  /** An OpenAPI document, by its path from the folder, and the operations to take of it; all where none are named. */
  readonly openapi: { readonly file: string; readonly operations: readonly string[] | undefined } | undefined;
  /** Operations that are described by hand. */
  readonly operations: readonly Operation[];
}

/** Reads a folder. UserError for what cannot be read. */
export async function readFolder(folder: string): Promise<OwnInterface> {
  const names = readdirSync(folder).filter(
    (name) => name === "interface.json" || /\.(?:clauses|schema)\.json$/.test(name),
  );
  const files = names.sort().map((name) => {
    const bytes = readNamedFile(join(folder, name), join(folder, name), remedy);
    return { name, digest: digestOf(bytes), content: jsonOf(bytes, join(folder, name), "Mend the file.") };
  });
  const file = join(folder, "interface.json");
  const description = descriptionIn(files.find(({ name }) => name === "interface.json")?.content, file);
  const { name, openapi } = description;
  const own = files.filter((one) => one.name !== "interface.json");
  const sources = own.map((one): SchemaSource => ({ path: `${name}/${one.name}`, content: one.content }));
  const listed = files.map((one) => ({ name: `${name}/${one.name}`, digest: one.digest }));
  const recordings = (): Promise<OwnRecording[]> => readRecordings(folder);
  if (!openapi) {
    const described = byHand(description);
    return {
      described,
      sources,
      examples: () => [],
      conversations: [],
      recordings,
      files: listed,
      contradictions: () => [],
    };
  }
  const path = resolve(folder, openapi.file);
  const read = await readOpenApi(path);
  const document = description.document ?? documentName(path);
  const doc = openOpenApi(read, document);
  const taken = openapi.operations ? selectOperations(doc, openapi.operations, path) : operationPlaces(doc);
  const derived = deriveFrom(doc, name, document, taken, writtenIn(own, name, folder));
  const joined = { ...derived, sources: joinSources(derived.sources, sources) };
  return ownInterface(doc, joined, [...listed, { name: openapi.file, digest: read.digest }], recordings);
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Clauses that people wrote, by the places they speak about. UserError where a file lists none. */
function writtenIn(
  files: readonly { readonly name: string; readonly content: unknown }[],
  of: string,
  folder: string,
): Map<string, WrittenClause> {
  const written = new Map<string, WrittenClause>();
  for (const { name, content } of files) {
    const section = /^(.+)\.clauses\.json$/.exec(name)?.[1];
    if (section === undefined) continue;
    const clauses = isObject(content) ? content["clauses"] : undefined;
    if (!Array.isArray(clauses) || !clauses.every(isEntry))
      throw new UserError(
        `${join(folder, name)} has no list of "clauses" with name, at, says, on and level each`,
        "touchstone clauses --documents FOLDER --write shows how they are written.",
      );
    for (const entry of clauses) written.set(entry.at, { id: `${of}.${section}.${entry.name}`, entry });
  }
  return written;
}

const isEntry = (value: unknown): value is ClauseEntry =>
  isObject(value) && ["name", "at", "says", "on", "level"].every((member) => typeof value[member] === "string");

/** Derived files with those of the folder, whose clauses stand beside derived ones of the same section. */
function joinSources(derived: readonly SchemaSource[], own: readonly SchemaSource[]): SchemaSource[] {
  const joined = new Map(derived.map((source) => [source.path, source]));
  for (const { path, content } of own) {
    const before = joined.get(path)?.content;
    const isList = isObject(before) && isObject(content) && path.endsWith(".clauses.json");
    const clauses = (one: unknown): unknown[] => (isObject(one) ? (one["clauses"] as unknown[]) : []);
    joined.set(path, {
      path,
      content: isList ? { ...content, clauses: [...clauses(content), ...clauses(before)] } : content,
    });
  }
  return [...joined.values()];
}

/** What an `interface.json` describes; UserError where it does not. */
function descriptionIn(content: unknown, file: string): Description {
  const refuse = (what: string): never => {
    throw new UserError(`${file} ${what}`, remedy);
  };
  if (content === undefined) return refuse("is missing");
  if (!isObject(content)) return refuse("is not a JSON object");
  const { name, document, openapi, operations } = content;
  if (typeof name !== "string" || !/^[a-z][a-z0-9-]*$/.test(name)) return refuse(`has no "name" such as embeddings`);
  if (document !== undefined && typeof document !== "string") return refuse(`has a "document" that is no name`);
  const isNames = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((one) => typeof one === "string");
  if (openapi === undefined) {
    if (!Array.isArray(operations)) return refuse(`has neither "openapi" nor a list of "operations"`);
    const described = operations.map(
      (one: unknown) => operationOf(one, name) ?? refuse("has an operation that is none"),
    );
    return { name, document, openapi: undefined, operations: described };
  }
  const source = isObject(openapi) ? openapi : { file: openapi, operations };
  const { file: path, operations: taken = operations } = source;
  if (typeof path !== "string" || path === "") return refuse(`has an "openapi" that names no file`);
  if (taken !== undefined && !isNames(taken)) return refuse(`has "operations" that are no list of names`);
  return { name, document, openapi: { file: path, operations: taken }, operations: [] };
}

/** An interface whose operations and schemas are all written by hand. */
const byHand = ({ name, document = name, operations }: Description): Interface => ({
  name,
  document,
  operations,
  streams: ({ requestJson }) => requestJson["stream"] === true,
  rules: [],
  refusalBody: ({ message, finding }) => ({ error: { message, code: finding.clause } }),
});

function operationOf(content: unknown, of: string): Operation | undefined {
  if (!isObject(content) || typeof content["name"] !== "string") return undefined;
  const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(content["name"]) ?? [];
  const { schemas = {} } = content;
  if (method === undefined || path === undefined || !isObject(schemas)) return undefined;
  const isFile = (value: unknown): value is string => typeof value === "string" && value.endsWith(".schema.json");
  if (!Object.entries(schemas).every(([place, file]) => places.includes(place) && isFile(file))) return undefined;
  return {
    name: content["name"],
    method,
    at: (asked) => (asked.endsWith(path) ? asked.length - path.length : -1),
    schemas: Object.fromEntries(Object.entries(schemas).map(([place, file]) => [place, `/${of}/${file}`])),
  };
}
