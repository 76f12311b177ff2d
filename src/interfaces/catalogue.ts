/** Loads what the build made of `schemas/`, and joins it with the interfaces' rules. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Catalogue } from "../check/catalogue.ts";
import type { Validator } from "../check/schema.ts";
import { home } from "../home.ts";
import { loadClauses } from "./clause-data.ts";
import { interfaces } from "./index.ts";

/** The whole catalogue. Needs a build. */
export async function loadCatalogue(): Promise<Catalogue> {
  const clauses = loadClauses();
  const indices = new Map(clauses.map(({ id }, index) => [id, index]));
  const { validators } = (await import(pathToFileURL(join(home, "dist", "generated", "validators.js")).href)) as {
    validators: Readonly<Record<string, Validator>>;
  };
  return {
    clauses,
    interfaces,
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
  };
}
