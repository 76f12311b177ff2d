/** The manifest of a folder: what made it, and the digest of every file in it, so that one signature covers all. */
import type { Level, Side } from "../check/clause.ts";
import type { Bindings } from "../check/names.ts";
import { version } from "../home.ts";

/** The exchanges that a folder holds: all that passed, those that results find fault with, or none. */
export type Kept = "all" | "failing" | "none";

export interface Manifest {
  /** The version that wrote the folder. */
  readonly touchstone: string;
  /** File name to SHA-256. */
  readonly files: Readonly<Record<string, string>>;
  /** Document name to the SHA-256 of the clauses and schemas that restate it. */
  readonly documents: Readonly<Record<string, string>>;
  /** The command line, without credentials. */
  readonly command: readonly string[];
  /** When it began, ISO 8601. */
  readonly started: string;
  readonly evidence: Kept;
  /** How recordings were judged; absent where a run made the folder, whose results say it. */
  readonly judging?: RecordingsJudging;
}

/** All that judging recordings again needs, besides them and the catalogue. */
export interface RecordingsJudging {
  /** The recordings in the order in which they were judged, and what each says of its names. */
  readonly sources: readonly { readonly name: string; readonly bindings?: Bindings }[];
  readonly side: Side | null;
  /** The least level that fails a clause. */
  readonly level: Level;
  /** As `--reading` has them. */
  readonly readings: readonly string[];
  /** The name of one that ships with touchstone, or what the file says; null without one. */
  readonly preset: string | object | null;
  /** Of `--bind`. */
  readonly bindings: readonly Bindings[];
  /** The day for which expectations were read, `YYYY-MM-DD`. */
  readonly today: string;
}

/** The facts that a caller knows of its own run. */
export type Provenance = Pick<Manifest, "command" | "started" | "evidence" | "judging">;

export const manifestName = "manifest.json";
export const resultsName = "results.json";
export const exchangesName = "exchanges.jsonl";
export const pageName = "report.html";
/** What was seen of a client besides exchanges: a line of JSON a case. */
export const observationsName = "observations.jsonl";

export function manifestText(
  files: Manifest["files"],
  documents: Manifest["documents"],
  { command, started, evidence, judging }: Provenance,
): string {
  const made = { command, started, evidence, ...(judging && { judging }) };
  const manifest: Manifest = { touchstone: version(), files, documents, ...made };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
