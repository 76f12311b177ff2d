/** Clauses and readings of the documents that ship with touchstone, as data. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClauseData } from "../check/catalogue.ts";
import type { Clause, Reading } from "../check/clause.ts";
import { home } from "../home.ts";
import { digestsOf } from "./document-digests.ts";

let clauses: readonly Clause[] | undefined;
let readings: Readonly<Record<string, Reading>> | undefined;

const read = (...path: string[]): never => JSON.parse(readFileSync(join(home, ...path), "utf8")) as never;

/** The data of the documents that ship with touchstone, read once, where it is asked for. Needs a build. */
export const shippedClauses: ClauseData = {
  get clauses() {
    return (clauses ??= read("dist", "generated", "clauses.json"));
  },
  get readings() {
    return (readings ??= read("schemas", "readings.json"));
  },
  own: new Set(),
  digests: () => digestsOf(shippedClauses.clauses),
};
