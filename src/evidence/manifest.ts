/** The manifest of a folder: what made it, and the digest of every file in it, so that one signature covers all. */
import { version } from "../home.ts";

/** Which exchanges a folder holds: all that passed, those that results find fault with, or none. */
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
}

/** What a caller knows of its own run. */
export type Provenance = Pick<Manifest, "command" | "started" | "evidence">;

export const manifestName = "manifest.json";
export const resultsName = "results.json";
export const exchangesName = "exchanges.jsonl";
export const pageName = "report.html";

export function manifestText(
  files: Manifest["files"],
  documents: Manifest["documents"],
  { command, started, evidence }: Provenance,
): string {
  const manifest: Manifest = { touchstone: version(), files, documents, command, started, evidence };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
