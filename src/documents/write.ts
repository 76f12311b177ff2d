/** Writes folders of documents: the start of one, and the clauses that are derived, to be edited. */
import { copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { reasonOf, UserError } from "../user-error.ts";
import { readFolder } from "./folder.ts";
import { interfaceNameOf, selectOperations } from "./from-openapi.ts";
import { openApiOf } from "./openapi.ts";
import { operationPlaces } from "./operations.ts";
import { readOpenApi } from "./read-openapi.ts";

const asText = (content: unknown): string => `${JSON.stringify(content, null, 2)}\n`;

/**
 * Writes the clause files of folders: what is derived, beside what stands there. UserError where there is no folder.
 * @returns the files
 */
export async function writeClauses(folders: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const folder of folders) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new UserError(
        `${folder} is no folder to write clauses into`,
        "Start one with touchstone new DIR --openapi FILE.",
      );
    const { sources } = await readFolder(folder, false);
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
 * Starts a folder for an OpenAPI document: a copy of it, and an `interface.json` that takes the operations.
 * @param operations by `operationId`, or method and path; all where none are named
 * @returns the name of the interface
 */
export async function startFolder(folder: string, openapi: string, operations: readonly string[]): Promise<string> {
  const file = join(folder, "interface.json");
  if (existsSync(file)) throw new UserError(`${file} is there already`, "Name another folder.");
  const doc = openApiOf((await readOpenApi(openapi)).root, basename(openapi));
  const places = operations.length > 0 ? selectOperations(doc, operations, openapi) : operationPlaces(doc);
  const names = new Set(places.map(interfaceNameOf));
  const name =
    names.size === 1
      ? [...names][0]!
      : interfaceNameOf({ ...places[0]!, tags: [basename(openapi).replace(/\..*$/, "")] });
  const own = { name, openapi: basename(openapi), ...(operations.length > 0 && { operations }) };
  written(folder, () => {
    mkdirSync(folder, { recursive: true });
    copyFileSync(openapi, join(folder, basename(openapi)));
    writeFileSync(file, asText(own));
  });
  return name;
}

function written(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new UserError(`${file} cannot be written: ${reasonOf(error)}`, "Name another folder.");
  }
}
