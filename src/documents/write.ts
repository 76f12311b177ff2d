/** Writes folders of documents: the start of one, and the clauses that are derived, to be edited. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { didYouMean } from "../check/suggest.ts";
import { home } from "../home.ts";
import { reasonOf, UserError } from "../user-error.ts";
import { interfaceFolders, readFolder } from "./folder.ts";
import { byInterface, selectOperations } from "./from-openapi.ts";
import { openApiOf } from "./openapi.ts";
import { operationPlaces } from "./operations.ts";
import { readOpenApi } from "./read-openapi.ts";

const asText = (content: unknown): string => `${JSON.stringify(content, null, 2)}\n`;

/**
 * Writes the clause files of folders: derived clauses next to existing ones. Throws UserError if a path is not a folder.
 * @returns the files
 */
export async function writeClauses(folders: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of folders)
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new UserError(
        `${path} is no folder to write clauses into`,
        "Start one with touchstone new DIR --openapi FILE.",
      );
  for (const folder of folders.flatMap(interfaceFolders)) {
    const { sources } = await readFolder(folder, "listed");
    for (const { path, content } of sources) {
      const file = join(folder, basename(path));
      if (!file.endsWith(".clauses.json")) continue;
      written(file, () => writeFileSync(file, asText(content)));
      files.push(file);
    }
  }
  if (files.length === 0) throw new UserError("there are no clauses to write", "Name a folder with --documents DIR.");
  return files;
}

/**
 * Starts a folder for an OpenAPI document: a copy of it, and an `interface.json` that takes the operations. Operations of several
 * interfaces get a folder each below it, so that the clauses are those of the document alone.
 * @param operations by `operationId`, or method and path; all where none are named
 * @returns interface names and their folders
 */
export async function startFolder(
  folder: string,
  openapi: string,
  operations: readonly string[],
): Promise<Map<string, string>> {
  const { root, others } = await readOpenApi(openapi);
  const doc = openApiOf(root, basename(openapi));
  const groups = byInterface(operations.length > 0 ? selectOperations(doc, operations, openapi) : operationPlaces(doc));
  const file = basename(openapi);
  const started = new Map([...groups.keys()].map((name) => [name, groups.size === 1 ? folder : join(folder, name)]));
  written(folder, () => mkdirSync(folder, { recursive: true }));
  const [taken] = interfaceFolders(folder);
  if (taken !== undefined)
    throw new UserError(`${join(taken, "interface.json")} is there already`, "Name another folder.");
  written(folder, () => {
    copyFileSync(openapi, join(folder, file));
    for (const other of others) {
      mkdirSync(dirname(join(folder, other)), { recursive: true });
      copyFileSync(join(dirname(openapi), other), join(folder, other));
    }
    for (const [name, own] of started) {
      const description =
        groups.size === 1
          ? { name, openapi: file, ...(operations.length > 0 && { operations }) }
          : {
              name,
              openapi: `../${file}`,
              operations: groups.get(name)!.map((place) => `${place.method} ${place.written}`),
            };
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, "interface.json"), asText(description));
    }
  });
  return started;
}

/** Folder of the packs that ship with touchstone: interfaces and clauses for OpenAPI documents that users download. */
const packs = join(home, "schemas", "packs");

/** Names of the packs. */
export const packNames = (): string[] => readdirSync(packs).sort();

/**
 * Starts a folder with the interface and the clauses of a pack, and a copy of the OpenAPI document that they are about.
 * UserError for an unknown pack, and for a folder that has an `interface.json`.
 * @returns interface name and folder
 */
export async function startFromPack(folder: string, openapi: string, pack: string): Promise<Map<string, string>> {
  const known = packNames();
  if (!known.includes(pack))
    throw new UserError(`there is no pack ${pack}`, `${didYouMean(pack, known)}Packs: ${known.join(", ")}.`);
  if (existsSync(join(folder, "interface.json")))
    throw new UserError(`${join(folder, "interface.json")} is there already`, "Name another folder.");
  await readOpenApi(openapi);
  const file = basename(openapi);
  written(folder, () => mkdirSync(folder, { recursive: true }));
  let name = pack;
  const entries = readdirSync(join(packs, pack)).sort();
  written(folder, () => cpSync(join(packs, pack, "recordings"), join(folder, "recordings"), { recursive: true }));
  for (const entry of entries.filter((one) => one.endsWith(".json"))) {
    const { $schema: _schema, ...content } = JSON.parse(readFileSync(join(packs, pack, entry), "utf8"));
    if (entry === "interface.json") name = content.name;
    const own = entry === "interface.json" ? { ...content, openapi: file } : content;
    written(join(folder, entry), () => writeFileSync(join(folder, entry), asText(own)));
  }
  written(folder, () => copyFileSync(openapi, join(folder, file)));
  return new Map([[name, folder]]);
}

function written(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new UserError(`${file} cannot be written: ${reasonOf(error)}`, "Name another folder.");
  }
}
