/** Opens the catalogue: what the build made of `schemas/`, joined with the interfaces' rules, and users' own documents. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Catalogue } from "../check/catalogue.ts";
import type { Validator } from "../check/schema.ts";
import { readSchemas } from "../check/schema-files.ts";
import { home } from "../home.ts";
import { openInterfaces } from "./open-interfaces.ts";

/**
 * The whole catalogue. Needs a build. UserError for users' own documents that cannot be read.
 * @param documents paths of users' own: folders, or OpenAPI files
 * @param runsCode whether the code of their folders runs; without it, the clauses that it decides have no verdict
 */
export async function openCatalogue(documents: readonly string[] = [], runsCode = true): Promise<Catalogue> {
  if (documents.length > 0) return (await import("./with-documents.ts")).catalogueWith(documents, runsCode);
  const described = await openInterfaces();
  const indices = new Map(described.clauses.map(({ id }, index) => [id, index]));
  const { validators } = (await import(pathToFileURL(join(home, "dist", "generated", "validators.js")).href)) as {
    validators: Readonly<Record<string, Validator>>;
  };
  return {
    ...described,
    indexOf(clause) {
      const index = indices.get(clause);
      if (index === undefined) throw new Error(`${clause} is no clause of schemas/`);
      return index;
    },
    validator(schema) {
      const validator = validators[schema];
      if (!validator) throw new Error(`${schema} is no schema of schemas/`);
      return validator;
    },
    sources: readSchemas,
    examples: async () => (await import("./examples.ts")).shippedExamples,
    recordings: async () => ({}),
  };
}
