/** Tells which files of an output folder touchstone wrote before, so that `--out` writes over nothing else. */
import { closeSync, lstatSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import { openPlainFile, readPlainFile } from "../plain-file.ts";
import { UserError } from "../user-error.ts";
import { manifestName, resultsName } from "./manifest.ts";

const remedy = "Choose another folder, or move the file away.";

/** Bytes of a file's beginning that tell what it is. */
const headBytes = 256;
const maxManifestBytes = 16 << 20;

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** How a plain file begins; empty for what is none, or cannot be read. */
function headOf(path: string): string {
  if (!exists(path)) return "";
  try {
    const { file } = openPlainFile(path, { maxBytes: Number.POSITIVE_INFINITY, remedy });
    try {
      const head = Buffer.alloc(headBytes);
      return head.toString("latin1", 0, readSync(file, head));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

/** The files that a manifest names, itself included; undefined where touchstone wrote no manifest. */
function filesOfManifest(folder: string): ReadonlySet<string> | undefined {
  const path = join(folder, manifestName);
  if (!exists(path)) return undefined;
  try {
    const { touchstone, files } = JSON.parse(readPlainFile(path, remedy, maxManifestBytes).toString("utf8"));
    return typeof touchstone === "string" && typeof files === "object"
      ? new Set([manifestName, resultsName, ...Object.keys(files)])
      : undefined;
  } catch {
    return undefined;
  }
}

/** UserError where a file of these names is there and is not ours. */
function refuseOthers(folder: string, names: readonly string[], isOurs: (name: string) => boolean): void {
  const other = names
    .flatMap((name) => [name, `${name}.part`])
    .find((name) => exists(join(folder, name)) && !isOurs(name));
  if (other !== undefined)
    throw new UserError(`--out ${folder} would write over ${other}, which touchstone did not write`, remedy);
}

/**
 * UserError where a run would write over a file that no earlier one wrote. A finished run names its files in its manifest. One that was
 * killed left results alone, and had looked at the other names before.
 */
export function refuseForeignFiles(folder: string, names: readonly string[]): void {
  const named = filesOfManifest(folder);
  const hasResults = /^\{\s*"complete": (?:true|false),/.test(headOf(join(folder, resultsName)));
  refuseOthers(folder, names, named ? (name) => named.has(name) : (name) => hasResults && name !== manifestName);
}

/**
 * UserError if reports would overwrite files that are none of ours. The first of them is written first, and says by its
 * beginning whose they are.
 */
export function refuseForeignReports(folder: string, names: readonly string[], begins: RegExp): void {
  const [first = ""] = names;
  const isOurs = begins.test(headOf(join(folder, first)));
  refuseOthers(folder, names, (name) => isOurs || basename(name) === `${first}.part`);
}
