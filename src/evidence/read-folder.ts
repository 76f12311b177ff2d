/** Reads a folder that a run left, and holds its files against its manifest. */
import { createHash } from "node:crypto";
import { closeSync, createReadStream, existsSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Recorded } from "../cassette/format.ts";
import { readSize } from "../cassette/lines.ts";
import { openStream, type Source } from "../cassette/read.ts";
import { jsonOf } from "../json-file.ts";
import {
  maxTextBytes,
  openPlainFile,
  type PlainFileBounds,
  piecesOfPlainFile,
  plainFileSize,
  readPlainFile,
} from "../plain-file.ts";
import { UserError } from "../user-error.ts";
import { formatChecker, readResults } from "../verdict/read-results.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { shellOperand } from "../wire/shell.ts";
import { type KeptRecord, keptOf } from "./evidence-line.ts";
import { exchangesName, type Manifest, manifestName, resultsName } from "./manifest.ts";
import { resultsFolder } from "./reports.ts";

const remedy = "Give a folder that touchstone run --out DIR wrote, as it wrote it.";

/** Bytes of a manifest: it names files, and the recordings that were judged. */
const maxManifestBytes = 64 << 20;

/** Bytes of exchanges that are read unless somebody allows more: twice what a run keeps unless told. */
export const defaultMaxEvidence = 512 << 20;

/** Bytes of all other files together that are held against the manifest. */
const maxOtherBytes = 1 << 30;

/** A folder with the files that verifying needs. */
export interface ReadFolder {
  readonly manifest: Manifest;
  readonly results: RunResults;
  /** Every exchange, in the order of the file, and what it says of the run. */
  readonly exchanges: readonly Recorded[];
  readonly kept: readonly KeptRecord[];
}

/** The SHA-256 of a plain file, read in pieces; UserError where it cannot be read. */
export function digestOf(path: string, maxBytes: number): string {
  const hash = createHash("sha256");
  for (const piece of piecesOfPlainFile(path, { maxBytes, remedy })) hash.update(piece);
  return hash.digest("hex");
}

/** The manifest of a folder; UserError where it says nothing. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName);
  if (statSync(folder, { throwIfNoEntry: false })?.isFile())
    throw new UserError(`${folder} is a file, and no folder of a run`, `Name its folder: ${dirname(folder)}`);
  if (!existsSync(path))
    throw new UserError(
      `${path} is missing: no run ended here, or its folder is not whole`,
      "Give a folder that touchstone run --out DIR wrote.",
    );
  const content = jsonOf(readPlainFile(path, remedy, maxManifestBytes), path, remedy);
  const problem = (await formatChecker("manifest"))(content);
  if (problem !== undefined) throw new UserError(`${path}: no manifest of a run: ${problem}`, remedy);
  return content as Manifest;
}

/** UserError where a file that the manifest names is no plain file, or where they are too large to be read. */
export function refuseOddFiles(folder: string, { files }: Pick<Manifest, "files">, maxEvidence: number): void {
  let others = 0;
  for (const name of Object.keys(files)) {
    // A file that is missing, or lies elsewhere, is told later.
    if (/[/\\]/.test(name) || !existsSync(join(folder, name))) continue;
    const size = plainFileSize(
      join(folder, name),
      name === exchangesName ? evidenceBounds(maxEvidence) : { maxBytes: maxOtherBytes, remedy },
    );
    if (name !== exchangesName) others += size;
    if (others > maxOtherBytes)
      throw new UserError(`${folder} has more than ${maxOtherBytes >> 20} MiB besides its exchanges`, remedy);
  }
}

const evidenceBounds = (maxBytes: number): PlainFileBounds => ({
  maxBytes,
  remedy,
  tooLarge: "touchstone verify --max-evidence SIZE reads more.",
});

/** Other recordings, and compressed ones, no folder holds: reading them may take a multiple of their size. */
const beginning = Buffer.from('{"touchstone":');

/** The pieces of the exchanges of a folder, as they were written. UserError for anything but a plain file. */
export function streamOfExchanges(folder: string, maxEvidence: number): AsyncIterable<Uint8Array> {
  const path = join(folder, exchangesName);
  const { file, size } = openPlainFile(path, evidenceBounds(maxEvidence));
  const start = Buffer.alloc(beginning.length);
  readSync(file, start, 0, start.length, 0);
  if (start.equals(beginning))
    return createReadStream("", { fd: file, start: 0, end: size - 1, highWaterMark: readSize });
  closeSync(file);
  throw new UserError(`${path} does not begin with the header of a cassette, as a run writes it`, remedy);
}

/** Bytes of exchanges that are read by what holds few of them at a time. */
export const maxPassingEvidence = 16 * 2 ** 30;

/** Opens the exchanges of a folder. UserError for anything but a plain file, and for what is no cassette. */
export const openExchanges = (folder: string, maxEvidence = maxPassingEvidence): Promise<Source> =>
  openStream(join(folder, exchangesName), streamOfExchanges(folder, maxEvidence));

/** Reads all exchanges of a folder. UserError as `openExchanges`. */
export async function readExchanges(folder: string, maxEvidence: number): Promise<Recorded[]> {
  const exchanges: Recorded[] = [];
  for await (const { index: _index, ...recorded } of await openExchanges(folder, maxEvidence)) exchanges.push(recorded);
  return exchanges;
}

/** The exchanges of a folder; UserError where they cannot be read, or are no evidence of a run. */
async function readKept(folder: string, maxEvidence: number): Promise<Pick<ReadFolder, "exchanges" | "kept">> {
  const path = join(folder, exchangesName);
  const exchanges = await readExchanges(folder, maxEvidence);
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
      `${evidence === "none" ? "" : `touchstone check ${shellOperand(join(folder, exchangesName))} judges those that are there; no other verdict can be shown. `}--evidence all, the default, keeps what can be verified.`,
    );
}

/** UserError for what is missing, cannot be read, or holds too little to be verified. */
export async function readFolder(folder: string, maxEvidence: number): Promise<ReadFolder> {
  const manifest = await readManifest(folder);
  refuseParts(folder, manifest.evidence);
  refuseOddFiles(folder, manifest, maxEvidence);
  const missing = [resultsName, exchangesName, ...Object.keys(resultsFolder.reports)].find(
    (name) => !existsSync(join(folder, name)),
  );
  if (missing !== undefined) throw new UserError(`${join(folder, missing)} is missing`, remedy);
  for (const name of [resultsName, ...Object.keys(resultsFolder.reports)])
    plainFileSize(join(folder, name), { maxBytes: maxTextBytes, remedy });
  const [results] = await readResults([join(folder, resultsName)]);
  return { manifest, results: results!, ...(await readKept(folder, maxEvidence)) };
}
