/** Tells what a folder holds or claims that no exchange in it can show. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../plain-file.ts";
import { bodyFile, bodyFileIn } from "../run/send/curl.ts";
import { isObject } from "../wire/json.ts";
import { baselineName } from "./baseline-folder.ts";
import { exchangesName, type Manifest, manifestName, resultsName } from "./manifest.ts";
import type { FolderKind } from "./reports.ts";

const hasBaseline = (document: unknown): boolean => isObject(document) && "baseline" in document;

/** What cannot be judged again of the baseline that a run was compared with. */
function unverifiedBaseline(folder: string): string[] {
  const path = join(folder, baselineName);
  if (!existsSync(join(path, resultsName))) return ["what the baseline came to; it is not kept here"];
  return existsSync(join(path, exchangesName)) && existsSync(join(path, manifestName))
    ? []
    : ["what the baseline came to; the exchanges it follows from are not kept here"];
}

/** One sentence each. */
export function unverifiedIn<D>(
  folder: string,
  { files }: Pick<Manifest, "files">,
  document: D,
  { reports, trackers, beside, commands, unshown }: FolderKind<D>,
): string[] {
  const known = [resultsName, exchangesName, beside, ...Object.keys(reports), ...Object.keys(trackers)];
  const bodies = new Set(commands(document).map(({ curl }) => bodyFileIn(curl)));
  const isBody = (name: string): boolean =>
    bodies.has(name) && bodyFile(readPlainFile(join(folder, name), "")) === name;
  const unlisted = readdirSync(folder).filter(
    (name) => name !== manifestName && !Object.hasOwn(files, name) && !(name === baselineName && hasBaseline(document)),
  );
  const others = Object.keys(files).filter((name) => !known.includes(name) && !isBody(name));
  return [
    ...unshown(document),
    ...(hasBaseline(document) ? unverifiedBaseline(folder) : []),
    ...others.sort().map((name) => `${name}, which no run writes`),
    ...unlisted.sort().map((name) => `${name}, which the manifest does not list`),
  ];
}
