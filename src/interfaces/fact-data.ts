/** Facts as data: what requests ask and answers say, and where each interface says it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../home.ts";

/** How a fact is read: `coded` by code of each interface, all others from the first of their places that holds a value. */
export type FactKind = "value" | "number" | "list" | "parts" | "coded";

/** One fact of `schemas/facts.json`. */
export interface FactEntry {
  /** The fact, in one sentence. */
  readonly says: string;
  /** The places of the fact, by interface; null if that has no word for it. */
  readonly at: Readonly<Record<string, readonly string[] | null>>;
  readonly kind: FactKind;
  /** The name of each place in turn, for the kind `parts`. */
  readonly parts?: readonly string[];
  /** The least and the greatest number, by interface. */
  readonly ranges?: Readonly<Record<string, readonly [number, number]>>;
  /** The most items of a list, by interface. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Interfaces that take one text in place of a list, by their document or as their services do. */
  readonly singleText?: readonly string[];
  /** The documented value that absence stands for, by interface. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** The values that a translator fills in, by interface that demands them. */
  readonly required?: Readonly<Record<string, unknown>>;
  /** Interfaces that take the address of a medium in place of its data. */
  readonly addresses?: readonly string[];
  /** Interfaces whose schemas know few keywords, so that others may be left out. */
  readonly narrowSchemas?: readonly string[];
  /** By detail of the fact, the interfaces that have a word for it. */
  readonly details?: Readonly<Record<string, readonly string[]>>;
  /** Ids of the readings that say what a fair conversion is. */
  readonly readings?: readonly string[];
}

/** All facts, by side and name. */
export interface FactData {
  readonly request: Readonly<Record<string, FactEntry>>;
  readonly answer: Readonly<Record<string, FactEntry>>;
}

let data: FactData | undefined;

/** The facts that ship with touchstone, read once. */
export const factData = (): FactData =>
  (data ??= JSON.parse(readFileSync(join(home, "schemas", "facts.json"), "utf8")) as FactData);

/** Whether an interface has a word for a fact. */
export const hasWord = (entry: FactEntry, name: string): boolean => (entry.at[name] ?? null) !== null;
