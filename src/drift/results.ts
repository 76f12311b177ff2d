/** Tells results from recordings, and reads their verdicts. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { readJsonFile } from "../json-file.ts";
import { fileIn } from "../plain-file.ts";
import { UserError } from "../user-error.ts";
import type { ClauseVerdict } from "../verdict/document.ts";
import { formatChecker } from "../verdict/read-results.ts";
import { isObject } from "../wire/json.ts";

const remedy = "Give results.json of touchstone run or check, or folders that --out left.";

/** The results that a path names: a folder's, or a file that begins as results do; undefined where it names recordings. */
export function resultsFileAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return fileIn(path, "results.json", remedy);
  return found?.isFile() && /^\uFEFF?\s*\{\s*"complete"\s*:/.test(headOf(path)) ? path : undefined;
}

function headOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(64);
    return head.toString("utf8", 0, readSync(file, head));
  } finally {
    closeSync(file);
  }
}

/** The verdicts in a file of results; UserError where there are none, or where a run did not end. */
export async function readVerdicts(file: string): Promise<readonly ClauseVerdict[]> {
  const content = readJsonFile(file, file, remedy);
  const format = isObject(content) && "plan" in content ? "results" : "findings";
  const problem = (await formatChecker(format))(content);
  if (problem !== undefined) throw new UserError(`${file}: no results: ${problem}`, remedy);
  const { complete, clauses } = content as { complete: boolean; clauses: readonly ClauseVerdict[] };
  if (!complete) throw new UserError(`${file}: what it comes from did not finish`, "Run it again.");
  return clauses;
}
