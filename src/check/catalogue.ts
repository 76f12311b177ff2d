/** Everything judging needs to know, as a value: clauses, schemas and interfaces, those that ship with touchstone and those of users. */
import type { Clause, Reading } from "./clause.ts";
import type { Examples, OwnRecording } from "./example.ts";
import type { Interface } from "./interface.ts";
import type { Validator } from "./schema.ts";
import type { SchemaSource } from "./schema-files.ts";

/** The documents as data: all that listing, options and counting need. */
export interface ClauseData {
  /** Sorted by id; a clause's position is its coverage index. */
  readonly clauses: readonly Clause[];
  /** Reading id to reading. */
  readonly readings: Readonly<Record<string, Reading>>;
  /** Names of the interfaces that users' own documents describe; empty where nobody names any. */
  readonly own: ReadonlySet<string>;
  /** Interface name to where its document contradicts itself, of users' own; found when asked for. */
  readonly contradictions?: () => Readonly<
    Record<string, readonly { readonly place: string; readonly says: string }[]>
  >;
  /** Document name to the SHA-256 of the files that restate it, which are read for this. */
  readonly digests: () => Readonly<Record<string, string>>;
  /** Paths of files of code beside users' own documents that were not run; absent if there are none. */
  readonly unusedCode?: readonly string[];
}

/** The same with operations and rules, which tell the interface of an exchange and what it says. */
export interface Interfaces extends ClauseData {
  /** Those of users first: where two have an operation of one path, the first counts. */
  readonly interfaces: readonly Interface[];
}

export interface Catalogue extends Interfaces {
  readonly indexOf: (clause: string) => number;
  readonly validator: (schema: string) => Validator;
  /** Clause and schema files, from which schemas are compiled anew where more than validating is asked of them. */
  readonly sources: () => readonly SchemaSource[];
  /** Good exchanges, which are loaded only where somebody asks. */
  readonly examples: () => Promise<Examples>;
  /** Interface name to the recordings beside a user's own document. */
  readonly recordings: () => Promise<Readonly<Record<string, readonly OwnRecording[]>>>;
}
