/** Reads the clause and schema files that ship with touchstone. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { home } from "../home.ts";

/** One file below `schemas/`: its path without `schemas/`, and its parsed content. */
export interface SchemaSource {
  readonly path: string;
  readonly content: unknown;
}

let shipped: readonly SchemaSource[] | undefined;

/** Returns every JSON file below `schemas/`, in a fixed order. Reads them once: their content is the key of what is cached for it. */
export function readSchemas(): readonly SchemaSource[] {
  if (shipped) return shipped;
  const folder = join(home, "schemas");
  shipped = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({
      path: relative(folder, file).split(sep).join("/"),
      content: parseFile(file),
    }));
  return shipped;
}

function parseFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}
