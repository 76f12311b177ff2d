/** Keeps the results of a baseline, and the exchanges they follow from, in the folder of the run that was compared with them. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileIn, maxTextBytes, piecesOfPlainFile } from "../plain-file.ts";
import { UserError } from "../user-error.ts";
import { baselineOf } from "../verdict/baseline.ts";
import { readResults } from "../verdict/read-results.ts";
import type { Baseline } from "../verdict/run-results.ts";
import type { Problem } from "./compare.ts";
import { makeFolder, replaceFile } from "./files.ts";
import { manifestName, resultsName } from "./manifest.ts";
import { refuseForeignFiles } from "./ownership.ts";
import { digestOf, maxPassingEvidence, readManifest } from "./read-folder.ts";
import { resultsPieces } from "./reports.ts";

/** The folder of a baseline within that of a run. */
export const baselineName = "baseline";

const remedy = "Give a folder as a run wrote it.";

/** SHA-256 of the results of a folder. */
export function resultsDigest(document: object): string {
  const hash = createHash("sha256");
  for (const piece of resultsPieces(document)) hash.update(piece);
  return hash.digest("hex");
}

/** The files that a manifest beside results names, itself last; the results alone where there is none. */
async function filesBeside(file: string): Promise<readonly string[]> {
  if (basename(file) !== resultsName || fileIn(dirname(file), manifestName, remedy) === undefined) return [];
  const { files } = await readManifest(dirname(file));
  const odd = Object.keys(files).find((name) => /[/\\]/.test(name) || name === "..");
  if (odd !== undefined)
    throw new UserError(`the manifest beside ${file} names ${odd}, which is no file of its folder`, remedy);
  return [...Object.keys(files), manifestName];
}

/**
 * Copies the folder of a baseline, or its results alone, into the folder of a run. UserError where they cannot be read, or where
 * files of others would be overwritten.
 */
export async function keepBaseline(out: string, path: string): Promise<void> {
  const file = statSync(path).isDirectory() ? join(path, resultsName) : path;
  const to = join(out, baselineName);
  // Whoever names the baseline of the last run keeps it.
  if (existsSync(to) && realpathSync(dirname(file)) === realpathSync(to)) return;
  const names = await filesBeside(file);
  makeFolder(to);
  const all = names.length > 0 ? names : [resultsName];
  refuseForeignFiles(to, all);
  for (const name of readdirSync(to)) if (name === manifestName) rmSync(join(to, name));
  for (const name of all) {
    const from = names.length > 0 ? join(dirname(file), name) : file;
    replaceFile(join(to, name), piecesOfPlainFile(from, { maxBytes: maxPassingEvidence, remedy }));
  }
}

/** The folder of the baseline that lies in the folder of a run; undefined where none does. */
export function baselineFolderIn(folder: string): string | undefined {
  const path = join(folder, baselineName);
  return fileIn(path, resultsName, remedy) === undefined ? undefined : path;
}

/** Whether its baseline folder holds enough to be judged again. */
export async function isJudgeable(folder: string): Promise<boolean> {
  return existsSync(join(folder, manifestName)) && (await readManifest(folder)).evidence === "all";
}

/** Holds what results say of their baseline against the results that lie in its folder. */
export async function* baselineProblems(folder: string, claimed: Baseline): AsyncGenerator<Problem> {
  const file = `${baselineName}/${resultsName}`;
  const path = join(folder, resultsName);
  const [sha256, ...others] = claimed.sha256;
  if (sha256 === undefined || others.length > 0 || digestOf(path, maxTextBytes) !== sha256) {
    yield { file, what: "it is not the baseline that the results name" };
    return;
  }
  const [results] = await readResults([path]);
  const { kind, started } = claimed;
  const right = baselineOf(results!, { kind, sha256: claimed.sha256, ...(started !== undefined && { started }) });
  if (JSON.stringify(right) !== JSON.stringify(claimed))
    yield { file: resultsName, what: `its baseline is not what ${file} comes to` };
  if (!existsSync(join(folder, manifestName))) return;
  const manifest = await readManifest(folder);
  if (manifest.started !== started)
    yield { file: resultsName, what: "its baseline has another date than the manifest of the baseline" };
}
