/** Reads a folder that a run left, and holds its files against its manifest. */
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Recorded } from "../cassette/format.ts";
import { readCassette } from "../cassette/read.ts";
import { readJsonFile } from "../json-file.ts";
import { reasonOf, UserError } from "../user-error.ts";
import { formatChecker, readResults } from "../verdict/read-results.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { type KeptAsked, keptOf } from "./line.ts";
import { exchangesName, type Manifest, manifestName, resultsName } from "./manifest.ts";
import { reports } from "./reports.ts";

const remedy = "Give a folder that touchstone run --out DIR wrote, as it wrote it.";

/** A folder with the files that verifying needs. */
export interface ReadFolder {
  readonly manifest: Manifest;
  readonly results: RunResults;
  /** Every exchange, in the order of the file, and what it says of the run. */
  readonly exchanges: readonly Recorded[];
  readonly kept: readonly KeptAsked[];
}

/** The SHA-256 of a file, read in pieces; UserError where it cannot be read. */
export function digestOf(path: string): string {
  const hash = createHash("sha256");
  const block = Buffer.allocUnsafe(1 << 20);
  try {
    const file = openSync(path, "r");
    try {
      for (let read = readSync(file, block); read > 0; read = readSync(file, block))
        hash.update(block.subarray(0, read));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${reasonOf(error)}`, remedy);
  }
  return hash.digest("hex");
}

/** What a folder says of itself; UserError where it says nothing. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName);
  if (statSync(folder, { throwIfNoEntry: false })?.isFile())
    throw new UserError(`${folder} is a file, and no folder of a run`, `Name its folder: ${dirname(folder)}`);
  if (!existsSync(path))
    throw new UserError(
      `${path} is missing: no run ended here, or its folder is not whole`,
      "Give a folder that touchstone run --out DIR wrote.",
    );
  const content = readJsonFile(path, path, remedy);
  const problem = (await formatChecker("manifest"))(content);
  if (problem !== undefined) throw new UserError(`${path}: no manifest of a run: ${problem}`, remedy);
  return content as Manifest;
}

/** The exchanges of a folder; UserError where they cannot be read, or are no evidence of a run. */
export async function readKept(folder: string): Promise<Pick<ReadFolder, "exchanges" | "kept">> {
  const path = join(folder, exchangesName);
  const { exchanges } = await readCassette(path);
  const kept = exchanges.map((recorded, i) => {
    const one = keptOf(recorded);
    if (!one) throw new UserError(`${path}: exchange ${i} does not say which request of a run it is`, remedy);
    return one;
  });
  return { exchanges, kept };
}

/** UserError for a folder that holds too few exchanges to be judged again. */
export function refuseParts(folder: string, evidence: Manifest["evidence"]): void {
  if (evidence !== "all")
    throw new UserError(
      `${folder} is as its manifest says, but keeps ${evidence === "none" ? "no exchanges" : "failing exchanges only"}, from which its results do not follow`,
      `${evidence === "none" ? "" : `touchstone check ${join(folder, exchangesName)} judges those that are there; no other verdict can be shown. `}--evidence all, the default, keeps what can be verified.`,
    );
}

/** UserError for what is missing, cannot be read, or holds too little to be verified. */
export async function readFolder(folder: string): Promise<ReadFolder> {
  const manifest = await readManifest(folder);
  refuseParts(folder, manifest.evidence);
  const missing = [resultsName, exchangesName, ...Object.keys(reports)].find((name) => !existsSync(join(folder, name)));
  if (missing !== undefined) throw new UserError(`${join(folder, missing)} is missing`, remedy);
  const [results] = await readResults([join(folder, resultsName)]);
  return { manifest, results: results!, ...(await readKept(folder)) };
}
