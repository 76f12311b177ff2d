/** Reads users' own documents, which describe interfaces as those that ship with touchstone are described. */

import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Reading } from "../check/clause.ts";
import type { Conversation, Example } from "../check/example.ts";
import type { Interface } from "../check/interface.ts";
import type { Operation } from "../check/operation.ts";
import type { SchemaSource } from "../check/schema-files.ts";
import { jsonOf } from "../json-file.ts";
import { readNamedFile } from "../plain-file.ts";
import { UserError } from "../user-error.ts";
import { isObject } from "../wire/json.ts";

/** What users' own documents come to. */
export interface OwnDocuments {
  /** In the order in which they are asked whose a request is. */
  readonly interfaces: readonly Interface[];
  /** Clause and schema files, called `INTERFACE/SECTION.clauses.json` and `INTERFACE/NAME.schema.json`. */
  readonly sources: readonly SchemaSource[];
  /** Reading id to reading, beside those that ship with touchstone. */
  readonly readings: Readonly<Record<string, Reading>>;
  /** Interface name to good exchanges. */
  readonly examples: Readonly<Record<string, readonly Example[]>>;
  /** Interface name to good exchanges that belong together. */
  readonly conversations: Readonly<Record<string, readonly Conversation[]>>;
  /** Document name to the SHA-256 of what restates it. */
  readonly digests: Readonly<Record<string, string>>;
}

const remedy = `Name a folder with an interface.json such as {"name": "embeddings", "document": "embeddings", "operations": [{"name": "POST /v1/embeddings", "schemas": {"request": "request.schema.json"}}]}.`;

const places = ["headers", "query", "request", "form", "response", "event", "error"];

/**
 * Reads the documents of these folders. UserError for what cannot be read.
 * @param paths folders with an `interface.json`
 */
export async function openDocuments(paths: readonly string[]): Promise<OwnDocuments> {
  const read = paths.map(readFolder);
  const names = read.map(({ described }) => described.name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new UserError(`--documents names the interface ${twice} twice`, "Give each interface a name of its own.");
  const digests = new Map<string, ReturnType<typeof createHash>>();
  for (const { described, files } of read) {
    const hash = digests.get(described.document) ?? createHash("sha256");
    digests.set(described.document, hash);
    for (const { name, bytes } of files) hash.update(`${described.name}/${name}\n`).update(bytes);
  }
  return {
    interfaces: read.map(({ described }) => described),
    sources: read.flatMap(({ sources }) => sources),
    readings: {},
    examples: {},
    conversations: {},
    digests: Object.fromEntries([...digests].map(([name, hash]) => [name, hash.digest("hex")])),
  };
}

/** One folder: what its `interface.json` says, and the files beside it. */
function readFolder(folder: string) {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`--documents ${folder}: there is no such folder`, remedy);
  const files = readdirSync(folder)
    .filter((name) => name === "interface.json" || /\.(?:clauses|schema)\.json$/.test(name))
    .sort()
    .map((name) => ({ name, bytes: readNamedFile(join(folder, name), join(folder, name), remedy) }));
  const contents = new Map(
    files.map(({ name, bytes }) => [name, jsonOf(bytes, join(folder, name), "Mend the file.")] as const),
  );
  const described = interfaceOf(contents.get("interface.json"), join(folder, "interface.json"));
  const sources = [...contents]
    .filter(([name]) => name !== "interface.json")
    .map(([name, content]): SchemaSource => ({ path: `${described.name}/${name}`, content }));
  return { described, files, sources };
}

/** The interface that an `interface.json` describes; UserError where it does not. */
function interfaceOf(content: unknown, file: string): Interface {
  const refuse = (what: string): never => {
    throw new UserError(`${file} ${what}`, remedy);
  };
  if (content === undefined) return refuse("is missing");
  if (!isObject(content)) return refuse("is not a JSON object");
  const { name, document = name, operations } = content;
  if (typeof name !== "string" || !/^[a-z][a-z0-9-]*$/.test(name)) return refuse(`has no "name" such as embeddings`);
  if (typeof document !== "string") return refuse(`has a "document" that is no name`);
  if (!Array.isArray(operations)) return refuse(`has no list of "operations"`);
  return {
    name,
    document,
    operations: operations.map((one: unknown) => operationOf(one, name) ?? refuse("has an operation that is none")),
    streams: ({ requestJson }) => requestJson["stream"] === true,
    rules: [],
    refusalBody: ({ message, finding }) => ({ error: { message, code: finding.clause } }),
  };
}

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
