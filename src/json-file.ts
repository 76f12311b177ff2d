/** Reads the JSON files that commands are given beside recordings: presets, targets, expectations, results. */
import { readFileSync } from "node:fs";
import { reasonOf, UserError } from "./user-error.ts";
import { parseJson } from "./wire/json.ts";

/**
 * A file's JSON; UserError where there is none.
 * @param called what the complaint calls it, e.g. `preset x.json`
 */
export function readJsonFile(file: string, called: string, remedy: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UserError(`${called} cannot be read: ${reasonOf(error)}`, remedy);
  }
  const parsed = parseJson(text);
  if (!parsed.ok) throw new UserError(`${called} is not JSON: ${parsed.problem}`, remedy);
  return parsed.value;
}
