/** Reads a folder that describes an interface: `interface.json`, and the clause and schema files beside it. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ClauseFile } from "../check/compile.ts";
import type { OwnRecording } from "../check/example.ts";
import type { Interface } from "../check/interface.ts";
import { compileLaws, isSessionLaw, type LawClause, type WrittenLaw } from "../check/laws/compile.ts";
import { mistakeIn } from "../check/laws/law-schema.ts";
import { compileSessionLaws } from "../check/laws/session.ts";
import type { Operation } from "../check/operation.ts";
import type { SchemaSource } from "../check/schema-files.ts";
import { jsonOf } from "../json-file.ts";
import { readNamedFile } from "../plain-file.ts";
import { UserError } from "../user-error.ts";
import { isObject } from "../wire/json.ts";
import type { ClauseEntry, WrittenClause } from "./clauses.ts";
import { deriveFrom, documentName, ownInterface, selectOperations } from "./from-openapi.ts";
import { type Description, descriptionIn } from "./interface-file.ts";
import { type CodeFile, codeFilesIn, loadRules, rulesName, wordsIn } from "./load-rules.ts";
import { operationPlaces } from "./operations.ts";
import { type CodeUse, isNamedIn, type OwnInterface } from "./own.ts";
import { candidatesOf, finderOf } from "./paths.ts";
import { noteRepeated, openOpenApi, readOpenApi } from "./read-openapi.ts";
import { readRecordings } from "./recordings.ts";
import { streamsIn, withPlaces } from "./request-places.ts";

/** Returns the folders of interfaces at a path: the path itself, or its subfolders. Empty without an `interface.json`. */
export function interfaceFolders(path: string): string[] {
  const hasInterface = (folder: string): boolean => existsSync(join(folder, "interface.json"));
  if (hasInterface(path)) return [path];
  const names = readdirSync(path).sort();
  return names.map((name) => join(path, name)).filter(hasInterface);
}

const remedy = "Name a file that is there, or mend its name.";

/** Reads a folder. Throws UserError for a mistake. */
export async function readFolder(folder: string, use: CodeUse): Promise<OwnInterface> {
  const code = codeFilesIn(folder);
  const isRun = use === "run" && code.length > 0;
  const unusedCode =
    use === "unused" && code.length > 0 ? { file: join(folder, rulesName), words: wordsIn(folder, code) } : undefined;
  const read = await readData(folder, async (name) => {
    if (unusedCode) return (clause) => isNamedIn(unusedCode, clause);
    if (!isRun) return () => false;
    const { exports } = await loadRules(folder, code, name);
    const decided = new Set([...exports.rules, ...exports.laws].map(({ clause }) => clause));
    return (clause) => decided.has(clause);
  });
  const suffix = unusedCode ? " (not run)" : "";
  const listed = code.map(({ name, digest }) => ({ name: `${read.described.name}/${name}${suffix}`, digest }));
  const own = { ...read, code: listed, ...(unusedCode && { unusedCode }) };
  return isRun ? withCode(own, folder, code) : own;
}

type IsDecided = (clause: string) => boolean;

async function withCode(own: OwnInterface, folder: string, files: readonly CodeFile[]): Promise<OwnInterface> {
  const { described } = own;
  const { exports, code } = await loadRules(folder, files, described.name);
  const { rules, laws, examples, conversations, operations, ...members } = exports;
  for (const name of Object.keys(operations))
    if (!described.operations.some((one) => one.name === name))
      throw new UserError(
        `${join(folder, rulesName)}: its export operations has ${name}, which is no operation of ${described.name}`,
        `There are: ${described.operations.map((one) => one.name).join(", ")}.`,
      );
  const concernedBy = (concerns: (operation: Operation) => boolean): ReadonlySet<string> =>
    new Set(described.operations.filter(concerns).map((one) => one.name));
  return {
    ...own,
    described: {
      ...described,
      ...members,
      operations: described.operations.map((one): Operation => {
        const { schemas, ...more } = operations[one.name] ?? {};
        return { ...one, ...more, schemas: { ...one.schemas, ...schemas } };
      }),
      // Code may change what a path is.
      ...(Object.keys(operations).length > 0 && { operationsAt: undefined }),
      rules: [
        ...described.rules,
        ...rules.map(({ concerns, ...rule }) => (concerns ? { ...rule, operations: concernedBy(concerns) } : rule)),
      ],
      laws: [...(described.laws ?? []), ...laws],
      code,
    },
    examples: () => [...own.examples(), ...examples],
    writtenExamples: examples.length > 0,
    conversations: [...own.conversations, ...conversations],
  };
}

/** Reads the data of a folder. @param decidedIn tells which clauses of the interface of this name are decided by code */
async function readData(folder: string, decidedIn: (name: string) => Promise<IsDecided>): Promise<OwnInterface> {
  const names = readdirSync(folder).filter(
    (name) => name === "interface.json" || /\.(?:clauses|schema)\.json$/.test(name),
  );
  const files = names.sort().map((name) => {
    const bytes = readNamedFile(join(folder, name), join(folder, name), remedy);
    const content = jsonOf(bytes, join(folder, name), "Mend the file.");
    if (name.endsWith(".schema.json") && !isObject(content))
      throw new UserError(`${join(folder, name)} is not a JSON object`, 'Write a schema, such as {"properties": {}}.');
    return { name, digest: digestOf(bytes), content };
  });
  const file = join(folder, "interface.json");
  const description = descriptionIn(files.find(({ name }) => name === "interface.json")?.content, file);
  const { name, openapi } = description;
  const own = files.filter((one) => one.name !== "interface.json");
  const sources = own.map((one): SchemaSource => ({ path: `${name}/${one.name}`, content: one.content }));
  const listed = files.map((one) => ({ name: `${name}/${one.name}`, digest: one.digest }));
  const recordings = (): Promise<OwnRecording[]> => readRecordings(folder);
  const written = writtenIn(own, name, folder, await decidedIn(name));
  const laws = lawsIn(own, name);
  if (!openapi) {
    const described = withPlaces(byHand(description, own, folder), description, file);
    return withLaws(laws, {
      described,
      sources,
      examples: () => [],
      unexampled: () => new Map(),
      conversations: [],
      recordings,
      files: listed,
      contradictions: () => [],
      ...keyDemandIn(description, described),
    });
  }
  const path = resolve(folder, openapi.file);
  const read = await readOpenApi(path);
  const document = description.document ?? documentName(path);
  const doc = openOpenApi(read, document);
  noteRepeated(doc, read);
  const taken = openapi.operations ? selectOperations(doc, openapi.operations, path) : operationPlaces(doc);
  const derived = deriveFrom(doc, name, document, taken, written);
  const { keyDemand, ...others } = derived;
  const described = withPlaces(derived.interface, description, file);
  const joined = {
    ...others,
    interface: described,
    sources: joinSources(derived.sources, sources),
    ...(description.key ? keyDemandIn(description, described) : keyDemand && { keyDemand }),
  };
  const all = [...listed, { name: openapi.file, digest: read.digest }];
  return withLaws(laws, ownInterface(doc, joined, all, description, recordings));
}

/** The laws in files of clauses, which `writtenIn` has checked. */
const lawsIn = (files: readonly { readonly name: string; readonly content: unknown }[], of: string): LawClause[] =>
  files.flatMap(({ name, content }) => {
    const section = /^(.+)\.clauses\.json$/.exec(name)?.[1];
    if (section === undefined) return [];
    return (content as ClauseFile).clauses.flatMap(({ name: called, on, law }) =>
      law ? [{ clause: `${of}.${section}.${called}`, on, law: law as WrittenLaw }] : [],
    );
  });

/** The interface with its laws as rules. */
function withLaws(laws: readonly LawClause[], own: OwnInterface): OwnInterface {
  if (laws.length === 0) return own;
  const { described } = own;
  const ofExchanges = laws.filter((one) => !isSessionLaw(one));
  return {
    ...own,
    described: {
      ...described,
      rules: [...described.rules, ...compileLaws(ofExchanges)],
      laws: [...(described.laws ?? []), ...compileSessionLaws(laws)],
    },
    laws: ofExchanges,
  };
}

/** A key that `interface.json` describes is demanded in all requests, or in none. */
function keyDemandIn({ key: written }: Description, { key, operations }: Interface): Pick<OwnInterface, "keyDemand"> {
  if (!key || !written || written.optional === true) return {};
  return { keyDemand: { at: "interface.json", ways: new Map(operations.map(({ name }) => [name, [[key]]])) } };
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/**
 * Returns the handwritten clauses by their places. Throws UserError for a file without clauses.
 * @param isDecided whether code decides the clause of an id
 */
function writtenIn(
  files: readonly { readonly name: string; readonly content: unknown }[],
  of: string,
  folder: string,
  isDecided: IsDecided,
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
    for (const entry of clauses) {
      checkWords(entry, join(folder, name));
      checkLaw(entry, join(folder, name));
    }
    for (const entry of clauses) {
      const id = `${of}.${section}.${entry.name}`;
      written.set(entry.at, { id, entry, byCode: entry.law !== undefined || isDecided(id) });
    }
  }
  return written;
}

const isEntry = (value: unknown): value is ClauseEntry =>
  isObject(value) && ["name", "at", "says", "on", "level"].every((member) => typeof value[member] === "string");

/** Allowed values of the members of a clause. */
const allowedWords = { level: ["must", "should", "may"], on: ["request", "response", "stream", "exchange", "error"] };

/** Throws UserError for an unknown value of such a member. */
function checkWords(entry: ClauseEntry, file: string): void {
  for (const [member, words] of Object.entries(allowedWords)) {
    const word = entry[member as keyof typeof allowedWords];
    if (!words.includes(word))
      throw new UserError(
        `${file}: the clause ${entry.name} has ${JSON.stringify(word)} as its "${member}"`,
        `Write one of ${words.join(", ")}.`,
      );
  }
}

/** Throws UserError for an invalid law, and for a law of a clause that is marked as undecidable. */
function checkLaw({ name, law, unobservable, opaque }: ClauseEntry, file: string): void {
  if (law === undefined) return;
  const mistake = mistakeIn(law);
  if (mistake) throw new UserError(`${file}: the clause ${name}: ${mistake.problem}`, mistake.remedy);
  if (unobservable !== undefined || opaque !== undefined)
    throw new UserError(
      `${file}: the clause ${name} has a law, and is marked as one that nothing decides`,
      "Remove either.",
    );
}

/** Merges the files of a folder into the derived ones, section by section. */
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

/** Returns an interface without an OpenAPI document. Throws UserError for missing schema files. */
function byHand(description: Description, files: readonly { readonly name: string }[], folder: string): Interface {
  const { name, document = name, operations, stream: { end = "[DONE]" } = {} } = description;
  const paths = operations.map(({ path }) => path);
  return {
    name,
    document,
    operations: operations.map(({ name: called, method, path, schemas }, i): Operation => {
      for (const [place, file] of Object.entries(schemas))
        if (!files.some((one) => one.name === file))
          throw new UserError(
            `${join(folder, "interface.json")}: "operations[${i}].schemas.${place}" is ${file}, which is not in the folder`,
            remedy,
          );
      return {
        name: called,
        method,
        at: finderOf(path, paths, ""),
        schemas: Object.fromEntries(Object.entries(schemas).map(([place, file]) => [place, `/${name}/${file}`])),
        terminator: end,
      };
    }),
    operationsAt: candidatesOf(paths),
    streams: streamsIn(description.stream ?? { body: "/stream" }),
    rules: [],
    refusalBody: ({ message, finding }) => ({ error: { message, code: finding.clause } }),
  };
}
