/** The page of results that stand in files, with the exchanges that lie beside them. */
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Interfaces } from "../check/catalogue.ts";
import type { Results } from "../report/options.ts";
import { exchangesName, type Manifest, manifestName } from "./manifest.ts";
import { openPage } from "./page.ts";
import { digestOf, maxPassingEvidence, openExchanges, readManifest } from "./read-folder.ts";

/**
 * The page of results that were read from these files, with the exchanges that lie beside each of them, where they do.
 * @param command what is asked now; of a single run its own command is told
 */
export async function pageOfFiles(
  results: Results,
  files: readonly string[],
  catalogue: Interfaces,
  command: readonly string[],
): Promise<Iterable<string>> {
  const page = openPage(results, catalogue);
  const manifests = await Promise.all(files.map(manifestBeside));
  const known = manifests.filter((manifest) => manifest !== undefined);
  const kept = new Set(manifests.map((manifest) => manifest?.evidence ?? "absent"));
  for (const [i, manifest] of manifests.entries())
    if (manifest && manifest.evidence !== "none")
      for await (const recorded of await openExchanges(dirname(files[i]!))) page.add(recorded);
  const started = known.map((manifest) => manifest.started).sort()[0];
  const made =
    started === undefined || known.length < files.length
      ? null
      : { started, command: files.length === 1 ? known[0]!.command : command };
  return page.finish(made, kept.size === 1 ? [...kept][0]! : kept.has("absent") ? "absent" : "failing");
}

/** The manifest of a folder whose results these are, as it was written; undefined where they lie alone. */
export async function manifestBeside(file: string): Promise<Manifest | undefined> {
  const folder = dirname(file);
  if (!existsSync(join(folder, manifestName))) return undefined;
  const manifest = await readManifest(folder);
  const isAsWritten = (path: string, real = path): boolean =>
    existsSync(path) &&
    Object.hasOwn(manifest.files, basename(path)) &&
    manifest.files[basename(path)] === digestOf(real, maxPassingEvidence);
  // Somebody may have named a link to results; what lies beside them is read as it stands there.
  if (!isAsWritten(file, realpathSync(file))) return undefined;
  return manifest.evidence === "none" || isAsWritten(join(folder, exchangesName)) ? manifest : undefined;
}
