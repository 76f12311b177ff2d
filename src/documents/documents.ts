/** Reads users' own documents, which describe interfaces as those that ship with touchstone are described. */
import { createHash, type Hash } from "node:crypto";
import { statSync } from "node:fs";
import type { Reading } from "../check/clause.ts";
import type { Conversation, Example, OwnRecording } from "../check/example.ts";
import type { Interface } from "../check/interface.ts";
import type { LawClause } from "../check/laws/compile.ts";
import type { SchemaSource } from "../check/schema-files.ts";
import { UserError } from "../user-error.ts";
import { interfaceFolders, readFolder } from "./folder.ts";
import { fromOpenApiFile } from "./from-openapi.ts";
import type { Contradiction } from "./openapi.ts";
import type { CodeUse, OwnInterface, UnusedCode } from "./own.ts";
import type { KeyDemand } from "./security.ts";

/** What users' own documents come to. */
export interface OwnDocuments {
  /** In routing order: the first interface that has the operation takes the request. */
  readonly interfaces: readonly Interface[];
  /** Clause and schema files, called `INTERFACE/SECTION.clauses.json` and `INTERFACE/NAME.schema.json`. */
  readonly sources: readonly SchemaSource[];
  /** Reading id to reading, beside those that ship with touchstone. */
  readonly readings: Readonly<Record<string, Reading>>;
  /** Interface name to good exchanges. */
  readonly examples: Readonly<Record<string, readonly Example[]>>;
  /** Interface name to its laws, which examples have to follow. */
  readonly laws: Readonly<Record<string, readonly LawClause[]>>;
  /** Interface name to places of its document that examples do not show, each with the reason. */
  readonly unexampled: Readonly<Record<string, ReadonlyMap<string, string>>>;
  /** Names of interfaces whose examples somebody wrote. */
  readonly writtenExamples: ReadonlySet<string>;
  /** Interface name to good exchanges that belong together. */
  readonly conversations: Readonly<Record<string, readonly Conversation[]>>;
  /** Interface name to the recordings in its folder; read when asked for. */
  readonly recordings: () => Promise<Readonly<Record<string, readonly OwnRecording[]>>>;
  /** Interface name to its requests that have to carry a key. */
  readonly keyDemands: Readonly<Record<string, KeyDemand>>;
  /** Document name to the SHA-256 of what restates it, and files of code, `things/rules.mjs`, to theirs. */
  readonly digests: Readonly<Record<string, string>>;
  /** Interface name to the code of its folder, if that was not run. */
  readonly unusedCode: ReadonlyMap<string, UnusedCode>;
  /** Interface name to where its document contradicts itself. */
  readonly contradictions: Readonly<Record<string, readonly Contradiction[]>>;
}

/**
 * Reads the documents at these paths. UserError for what cannot be read.
 * @param paths folders with an `interface.json`, folders of such folders, and OpenAPI files
 */
export async function openDocuments(paths: readonly string[], use: CodeUse = "listed"): Promise<OwnDocuments> {
  const read: OwnInterface[] = [];
  for (const path of paths) read.push(...(await readPath(path, use)));
  const names = read.map(({ described }) => described.name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new UserError(`--documents names the interface ${twice} twice`, "Give each interface a name of its own.");
  const byName = <T>(of: (one: OwnInterface) => T): Readonly<Record<string, T>> =>
    Object.fromEntries(read.map((one) => [one.described.name, of(one)]));
  return {
    interfaces: read.map(({ described }) => described),
    sources: read.flatMap(({ sources }) => sources),
    readings: {},
    get examples() {
      return withoutEmpty(byName(({ examples }) => examples()));
    },
    laws: withoutEmpty(byName(({ laws = [] }) => laws)),
    get unexampled() {
      return byName(({ unexampled }) => unexampled());
    },
    writtenExamples: new Set(read.filter((one) => one.writtenExamples).map(({ described }) => described.name)),
    conversations: withoutEmpty(byName(({ conversations }) => conversations)),
    async recordings() {
      const lists: [string, readonly OwnRecording[]][] = [];
      for (const { described, recordings } of read) lists.push([described.name, await recordings()]);
      return withoutEmpty(Object.fromEntries(lists));
    },
    keyDemands: Object.fromEntries(
      read.flatMap(({ described, keyDemand }) => (keyDemand ? [[described.name, keyDemand]] : [])),
    ),
    digests: digestsOf(read),
    unusedCode: new Map(read.flatMap(({ described, unusedCode: code }) => (code ? [[described.name, code]] : []))),
    get contradictions() {
      return byName(({ contradictions }) => contradictions());
    },
  };
}

const withoutEmpty = <T extends readonly unknown[]>(lists: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

function digestsOf(read: readonly OwnInterface[]): Record<string, string> {
  const digests = new Map<string, Hash>();
  for (const { described, files } of read) {
    const hash = digests.get(described.document) ?? createHash("sha256");
    digests.set(described.document, hash);
    for (const { name, digest } of files) hash.update(`${name} ${digest}\n`);
  }
  return {
    ...Object.fromEntries([...digests].map(([name, hash]) => [name, hash.digest("hex")])),
    ...Object.fromEntries(read.flatMap(({ code = [] }) => code.map(({ name, digest }) => [name, digest]))),
  };
}

async function readPath(path: string, use: CodeUse): Promise<OwnInterface[]> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats)
    throw new UserError(
      `--documents ${path}: there is no such file or folder`,
      "Name an OpenAPI file, or a folder with an interface.json.",
    );
  if (!stats.isDirectory()) return fromOpenApiFile(path);
  const folders = interfaceFolders(path);
  const read: OwnInterface[] = [];
  for (const folder of folders.length > 0 ? folders : [path]) read.push(await readFolder(folder, use));
  return read;
}
