/** What one interface of a user's own comes to, before all are put together. */
import type { Conversation, Example, OwnRecording } from "../check/example.ts";
import type { Interface } from "../check/interface.ts";
import type { LawClause } from "../check/laws/compile.ts";
import type { SchemaSource } from "../check/schema-files.ts";
import type { Contradiction } from "./openapi.ts";
import type { KeyDemand } from "./security.ts";

export interface OwnInterface {
  readonly described: Interface;
  readonly sources: readonly SchemaSource[];
  /** Made when first asked for. */
  readonly examples: () => readonly Example[];
  /** Laws that examples have to follow. */
  readonly laws?: readonly LawClause[];
  /** Places of the document that examples do not show, each with the reason. */
  readonly unexampled: () => ReadonlyMap<string, string>;
  readonly conversations: readonly Conversation[];
  /** Read when asked for. */
  readonly recordings: () => Promise<readonly OwnRecording[]>;
  /** What restates the document: names and digests of files. */
  readonly files: readonly { readonly name: string; readonly digest: string }[];
  readonly contradictions: () => readonly Contradiction[];
  /** Absent if no request has to carry a key. */
  readonly keyDemand?: KeyDemand;
  /** Whether somebody wrote examples: recordings then stand behind them. */
  readonly writtenExamples?: boolean;
  /** Files of code that decide clauses, beside `files`. */
  readonly code?: OwnInterface["files"];
  /** The same code if it was not run. */
  readonly unusedCode?: UnusedCode;
}

/** What becomes of code in folders: it is run, or listed because another process runs it, or not run at all. */
export type CodeUse = "run" | "listed" | "unused";

/** Code of a folder that was not run. */
export interface UnusedCode {
  /** Path of the `rules.mjs`. */
  readonly file: string;
  /** Every word of its files; undefined if there are too many. A clause whose name is among them may be decided by the code. */
  readonly words: ReadonlySet<string> | undefined;
}

/** Whether the code may contain the name of a clause. */
export const isNamedIn = ({ words }: UnusedCode, clause: string): boolean =>
  words?.has(clause.slice(clause.lastIndexOf(".") + 1)) ?? true;
