/** Puts the exchanges of several folders together: those of the shards of one run. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { CassetteHeader, Recorded } from "../cassette/format.ts";
import { joinBindings } from "../check/names.ts";
import { fileIn } from "../plain-file.ts";
import { UserError } from "../user-error.ts";
import { remedy } from "../verdict/read-results.ts";
import { type Kept, resultsName } from "./manifest.ts";
import { openExchanges, readManifest } from "./read-folder.ts";

/** The results that a path names: a file of them, or one in a folder that a run left. UserError where there is no plain file. */
export function resultsFileOf(path: string): string {
  if (!existsSync(path) || !statSync(path).isDirectory()) return path;
  return fileIn(path, resultsName, remedy) ?? join(path, resultsName);
}

/** UserError where writing a folder would remove what is to be read. */
export function refuseOverwriting(out: string, paths: readonly string[]): void {
  const real = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path));
  const taken = paths.find((path) => real(dirname(resultsFileOf(path))) === real(out));
  if (taken !== undefined)
    throw new UserError(`--out ${out} would overwrite ${taken}, which is to be read`, "Choose another folder.");
}

/** Exchanges that are yet to be read. */
export interface Exchanges {
  /** The kind of evidence that all of the folders keep; `none` where they differ, or where some path is no folder. */
  readonly evidence: Kept;
  readonly header: CassetteHeader;
  /** Hands out every exchange; those of one folder in their order. */
  each(add: (recorded: Recorded) => void): Promise<void>;
}

/** The headers of the shards of one run, as one; in their order, at least one. */
export const joinHeaders = (headers: readonly CassetteHeader[]): CassetteHeader => ({
  ...headers[0],
  bindings: { ...joinBindings(headers.map(({ bindings = {} }) => bindings)) },
});

/** The exchanges of the folders that these paths name; UserError where they cannot be read. */
export async function exchangesOf(paths: readonly string[]): Promise<Exchanges> {
  const kept = new Set<Kept>();
  for (const path of paths)
    kept.add(existsSync(path) && statSync(path).isDirectory() ? (await readManifest(path)).evidence : "none");
  const [evidence = "none", ...others] = kept;
  if (others.length > 0 || evidence === "none") return { evidence: "none", header: {}, each: async () => {} };
  const sources = await Promise.all(paths.map((path) => openExchanges(path)));
  return {
    evidence,
    header: joinHeaders(sources.map(({ header }) => header)),
    async each(add) {
      for (const source of sources) for await (const { index: _index, ...recorded } of source) add(recorded);
    },
  };
}
