/** The files a run reads and leaves: expectations in, results out, each replaced in one step. */
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Clause } from "../check/clause.ts";
import type { Interface } from "../check/interface.ts";
import { home } from "../home.ts";
import { readJsonFile } from "../json-file.ts";
import { formatHtml } from "../report/html.ts";
import { gathered, jsonPieces } from "../report/json.ts";
import { formatJunit } from "../report/junit.ts";
import { formatMarkdown } from "../report/markdown.ts";
import { UserError } from "../user-error.ts";
import type { Expectation, RunResults } from "../verdict/document.ts";
import { readExpectations } from "../verdict/expectations.ts";

/** Writes beside the file and renames, so that nobody ever sees half of it. */
export function replaceFile(file: string, content: string | Iterable<string>): void {
  const part = openSync(`${file}.part`, "w");
  try {
    for (const piece of typeof content === "string" ? [content] : content) writeFileSync(part, piece);
  } finally {
    closeSync(part);
  }
  renameSync(`${file}.part`, file);
}

const entryExample = `{"expectations": [{"clause": "ID", "reason": "WHY"}]}`;

/**
 * Reads an expectations file.
 * @param known whether a name is a clause or a cassette that exists
 * @param mayBeAbsent true where the file is about to be written
 */
export function loadExpectations(
  file: string,
  known: (name: string) => boolean,
  mayBeAbsent: boolean,
): readonly Expectation[] {
  if (mayBeAbsent && !existsSync(file)) return [];
  const content = readJsonFile(file, `expectations ${file}`, `Write ${entryExample}.`);
  const reading = readExpectations(content);
  if (!reading.ok)
    throw new UserError(`expectations ${file}: ${reading.problem}`, `Every entry looks like those of ${entryExample}.`);
  const stranger = reading.entries.map((entry) => entry.clause ?? entry.cassette).find((name) => !known(name));
  if (stranger !== undefined)
    throw new UserError(
      `expectations ${file}: ${stranger} is neither a clause nor a recording`,
      "touchstone clauses lists the clauses, touchstone run --dry-run the recordings.",
    );
  return reading.entries;
}

/** Writes an expectations file for people. */
export function saveExpectations(file: string, entries: readonly Expectation[]): void {
  replaceFile(file, `${JSON.stringify({ expectations: entries }, null, 2)}\n`);
}

/** Makes a folder and those above it. Node's own way never ends where the system answers ENOENT below a folder that is there, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another run may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Makes the folder and leaves an incomplete result in it: what a killed run must not pass for. */
export function openOutput(folder: string, unfinished: RunResults): void {
  try {
    makeFolder(folder);
    replaceFile(join(folder, "results.json"), gathered(jsonPieces(unfinished)));
  } catch (error) {
    throw new UserError(`--out ${folder} cannot be written: ${(error as Error).message}`, "Choose another folder.");
  }
}

/** Writes every report; results.json last, since it says that all is there. */
export function closeOutput(folder: string, results: RunResults, clauses: readonly Clause[]): void {
  replaceFile(join(folder, "junit.xml"), formatJunit(results, { clauses }));
  replaceFile(join(folder, "report.html"), formatHtml(results, { clauses }));
  replaceFile(join(folder, "summary.md"), formatMarkdown(results, { clauses }));
  replaceFile(join(folder, "results.json"), gathered(jsonPieces(results)));
}

/** Document name to the SHA-256 of the clause and schema files that restate it. */
export function documentHashes(interfaces: readonly Interface[]): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const document of [...new Set(interfaces.map((one) => one.document))].sort()) {
    const hash = createHash("sha256");
    for (const { name } of interfaces.filter((one) => one.document === document)) {
      const folder = join(home, "schemas", name);
      for (const file of readdirSync(folder).sort())
        hash.update(`${name}/${file}\n`).update(readFileSync(join(folder, file)));
    }
    hashes[document] = hash.digest("hex");
  }
  return hashes;
}
