/** Reads the JSON files that commands are given beside recordings: presets, targets, expectations, results. */
import { readNamedFile } from "./plain-file.ts";
import { UserError } from "./user-error.ts";
import { maxValues, parseJson } from "./wire/json.ts";

/** Values of one file that are read. */
const maxFileValues = 4 * maxValues;

/**
 * A file's JSON; UserError where there is none. The file may be a link or a pipe, since somebody named it.
 * @param called what the complaint calls it, e.g. `preset x.json`
 */
export const readJsonFile = (file: string, called: string, remedy: string): unknown =>
  jsonOf(readNamedFile(file, called, remedy), called, remedy);

/** The JSON of a file's bytes; UserError where there is none. */
export function jsonOf(bytes: Buffer, called: string, remedy: string): unknown {
  const parsed = parseJson(bytes.toString("utf8"), maxFileValues);
  if (!parsed.ok) throw new UserError(`${called} is not JSON: ${parsed.problem}`, remedy);
  return parsed.value;
}
