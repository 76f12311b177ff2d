/** Build step: compiles `schemas/` ahead of time into `dist/generated/`, so that no command compiles anything at start. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../home.ts";
import { compile, validatorModule } from "./compile.ts";
import { mistakeIn } from "./laws/law-schema.ts";
import { readSchemas } from "./schema-files.ts";

/** Writes `validators.js` and `clauses.json`. */
export function generate(): void {
  const target = join(home, "dist", "generated");
  mkdirSync(target, { recursive: true });
  const compiled = compile(readSchemas(), { source: true });
  for (const { id, law } of compiled.clauses) {
    const mistake = law && mistakeIn(law);
    if (mistake) throw new Error(`${id}: ${mistake.problem}. ${mistake.remedy}`);
  }
  writeFileSync(join(target, "clauses.json"), JSON.stringify(compiled.clauses));
  writeFileSync(join(target, "validators.js"), validatorModule(compiled));
}

if (process.argv[1]?.endsWith("generate.js")) generate();
