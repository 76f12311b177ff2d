/** Clauses and readings as data, without any rule or validator: all that listing and options need. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clause } from "../check/clause.ts";
import { home } from "../home.ts";

/** All clauses, sorted by id. Needs a build. */
export function loadClauses(): readonly Clause[] {
  return JSON.parse(readFileSync(join(home, "dist", "generated", "clauses.json"), "utf8"));
}

/** How one contradiction or hole of the documents is read. */
export interface Reading {
  /** The question the documents leave open. */
  readonly asks: string;
  /** The answer that holds unless a strict one is chosen. */
  readonly default: string;
  readonly strict: string;
  /** Read by what a run makes of answers to its requests, whatever clause they were made from; named by no clause then. */
  readonly of?: "run";
}

/** Reading id to reading. */
export function loadReadings(): Readonly<Record<string, Reading>> {
  return JSON.parse(readFileSync(join(home, "schemas", "readings.json"), "utf8"));
}
