/** Build step: compiles `schemas/` ahead of time into `dist/generated/`, so that no command compiles anything at start. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { home } from "../home.ts";
import { compile, type SchemaSource, validatorModule } from "./compile.ts";

/** Every JSON file below `schemas/`, in a fixed order. */
export function readSchemas(folder = join(home, "schemas")): SchemaSource[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({
      path: relative(folder, file).split(sep).join("/"),
      content: parseFile(file),
    }));
}

function parseFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}

/** Writes `validators.js` and `clauses.json`. */
export function generate(): void {
  const target = join(home, "dist", "generated");
  mkdirSync(target, { recursive: true });
  const compiled = compile(readSchemas(), { source: true });
  writeFileSync(join(target, "clauses.json"), JSON.stringify(compiled.clauses));
  writeFileSync(join(target, "validators.js"), validatorModule(compiled));
}

if (process.argv[1]?.endsWith("generate.js")) generate();
