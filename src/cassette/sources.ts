/** Expands the paths of a command line: folders to the recordings in them, in an order that is the same everywhere. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf, UserError } from "../user-error.ts";

const recording = /\.(?:json|jsonl|har)(?:\.gz)?$/i;

/** The source that a user calls so: as its file is called, or without the ending; undefined where there is none. */
export function sourceNamed(name: string, sources: ReadonlySet<string>): string | undefined {
  return sources.has(name) ? name : [...sources].find((source) => source.replace(recording, "") === name);
}

async function recordingsIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  const names = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !name.startsWith("."));
  for (const entry of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await recordingsIn(path)));
    else if (recording.test(entry.name) && (await stat(path)).isFile()) found.push(path);
  }
  return found;
}

/**
 * Files as given, whatever they are called, and `-`. Folders as the `.json`, `.jsonl`, `.har` in them, also gzipped, at any
 * depth, sorted, without hidden ones. Throws UserError for what is missing, and for a folder without any.
 */
export async function listSources(paths: readonly string[]): Promise<string[]> {
  const sources: string[] = [];
  for (const path of paths) {
    if (path === "-") {
      sources.push(path);
      continue;
    }
    try {
      if (!(await stat(path)).isDirectory()) {
        sources.push(path);
        continue;
      }
      const found = await recordingsIn(path);
      if (found.length === 0)
        throw new UserError(
          `${path}: the folder holds no recordings`,
          "Give a folder with .json, .jsonl or .har files, or the files themselves.",
        );
      sources.push(...found);
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(`${path}: cannot be read: ${reasonOf(error)}`, "Check the path.");
    }
  }
  return sources;
}
