/** Reads and writes a file of the failures a target admits to. */
import { existsSync, readFileSync } from "node:fs";
import { readJsonFile } from "../json-file.ts";
import { UserError } from "../user-error.ts";
import type { Expectation } from "../verdict/document.ts";
import { readExpectations } from "../verdict/expectations.ts";

const entryExample = `{"expectations": [{"clause": "ID", "reason": "It answers in another order."}]}`;

/** What entries may name. */
export interface KnownNames {
  clause(id: string): boolean;
  cassette(source: string): boolean;
}

/**
 * Reads an expectations file.
 * @param mayBeAbsent true where the file is about to be written
 */
export function readExpectationsFile(file: string, known: KnownNames, mayBeAbsent: boolean): readonly Expectation[] {
  if (mayBeAbsent && !existsSync(file)) return [];
  const content = readJsonFile(file, `expectations ${file}`, `Write ${entryExample}.`);
  const reading = readExpectations(content);
  if (!reading.ok)
    throw new UserError(`expectations ${file}: ${reading.problem}`, `Every entry looks like those of ${entryExample}.`);
  for (const { clause, cassette } of reading.entries) {
    if (clause !== undefined && !known.clause(clause))
      throw new UserError(`expectations ${file}: there is no clause ${clause}`, "touchstone clauses lists them all.");
    if (cassette !== undefined && !known.cassette(cassette))
      throw new UserError(
        `expectations ${file}: there is no recording ${cassette}`,
        "touchstone run --dry-run lists them; a group of probes is called probes/INTERFACE/SECTION/CLAUSE, as findings call it.",
      );
  }
  return reading.entries;
}

/** The text of an expectations file with other entries: what else stands in the file stays, and so does its indentation. */
export function expectationsText(file: string, expectations: readonly Expectation[]): string {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "{}";
  const [, indentation = "  "] = /^\s*\{\r?\n([ \t]+)"/.exec(text) ?? [];
  return `${JSON.stringify({ ...(JSON.parse(text) as object), expectations }, null, indentation)}\n`;
}
