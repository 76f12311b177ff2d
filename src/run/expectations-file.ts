/** Reads a file of the failures a target admits to. */
import { existsSync } from "node:fs";
import { readJsonFile } from "../json-file.ts";
import { UserError } from "../user-error.ts";
import type { Expectation } from "../verdict/document.ts";
import { readExpectations } from "../verdict/expectations.ts";

const entryExample = `{"expectations": [{"clause": "ID", "reason": "WHY"}]}`;

/**
 * Reads an expectations file.
 * @param known whether a name is a clause or a cassette that exists
 * @param mayBeAbsent true where the file is about to be written
 */
export function readExpectationsFile(
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
