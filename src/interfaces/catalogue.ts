/** Loads what the build made of `schemas/`, and joins it with the interfaces' rules. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Clause } from "../check/clause.ts";
import type { Catalogue } from "../check/judge.ts";
import type { Validator } from "../check/schema.ts";
import { home } from "../home.ts";
import { interfaces } from "./index.ts";

const generated = join(home, "dist", "generated");

/** All clauses, sorted by id, without loading any validator. */
export function loadClauses(): readonly Clause[] {
  return JSON.parse(readFileSync(join(generated, "clauses.json"), "utf8"));
}

/** How one contradiction or hole of the documents is read. */
export interface Reading {
  /** The question the documents leave open. */
  readonly asks: string;
  /** The answer that holds unless a strict one is chosen. */
  readonly default: string;
  readonly strict: string;
}

/** Reading id to reading. */
export function loadReadings(): Readonly<Record<string, Reading>> {
  return JSON.parse(readFileSync(join(home, "schemas", "readings.json"), "utf8"));
}

/** The whole catalogue. Needs a build. */
export async function loadCatalogue(): Promise<Catalogue> {
  const clauses = loadClauses();
  const indices = new Map(clauses.map(({ id }, index) => [id, index]));
  const { validators } = (await import(pathToFileURL(join(generated, "validators.js")).href)) as {
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
