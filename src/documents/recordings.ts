/** Reads the recordings of a user's folder: scenarios for runs, and good exchanges that clauses are proven on. */
import { existsSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { readCassette } from "../cassette/read.ts";
import type { OwnRecording } from "../check/example.ts";
import { readPlainFile } from "../plain-file.ts";

/** Where recordings that lie in no folder of their own stand. */
const usualSection = "recordings";

/**
 * The cassettes below `recordings/`: `SECTION/NAME.json`, or `NAME.json`. UserError for one that cannot be read.
 * @param folder the one with the `interface.json`
 */
export async function readRecordings(folder: string): Promise<OwnRecording[]> {
  const root = join(folder, "recordings");
  if (!existsSync(root)) return [];
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const recordings: OwnRecording[] = [];
  for (const path of paths) {
    const { header, exchanges } = await readCassette(
      readPlainFile(path, "Put a cassette there, or take it away."),
      path,
    );
    const steps = relative(root, path).split(sep);
    recordings.push({
      path,
      section: steps.length > 1 ? steps[0]! : usualSection,
      name: steps.slice(steps.length > 1 ? 1 : 0).join("-"),
      needs: header.needs ?? [],
      violates: header.violates ?? [],
      bindings: header.bindings ?? {},
      exchanges,
    });
  }
  return recordings;
}
