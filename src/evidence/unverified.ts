/** Tells what a folder holds or claims that no exchange in it can show. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../plain-file.ts";
import type { Results } from "../report/options.ts";
import { plural } from "../report/outline.ts";
import { bodyFile, bodyFileIn } from "../run/send/curl.ts";
import { exchangesName, type Manifest, manifestName, resultsName } from "./manifest.ts";
import { reports, trackers } from "./reports.ts";

const known = [resultsName, exchangesName, ...Object.keys(reports), ...Object.keys(trackers)];

/** One sentence each. */
export function unverifiedIn(folder: string, { files }: Pick<Manifest, "files">, results: Results): string[] {
  const { trials = [], again = [] } = "target" in results ? results : {};
  const commands = "reproduce" in results ? results.reproduce : [];
  const bodies = new Set(commands.map(({ curl }) => bodyFileIn(curl)));
  const isBody = (name: string): boolean =>
    bodies.has(name) && bodyFile(readPlainFile(join(folder, name), "")) === name;
  const unlisted = readdirSync(folder).filter((name) => name !== manifestName && !Object.hasOwn(files, name));
  const others = Object.keys(files).filter((name) => !known.includes(name) && !isBody(name));
  return [
    ...(trials.length > 0
      ? [`what clients made of the target in ${plural(trials.length, "trial")}; no exchange here shows it`]
      : []),
    ...(again.length > 0
      ? [
          `${plural(again.length, "failure")} asked again, with ever smaller requests and their commands; no verdict depends on it, and no exchange here shows it`,
        ]
      : []),
    ...others.sort().map((name) => `${name}, which no run writes`),
    ...unlisted.sort().map((name) => `${name}, which the manifest does not list`),
  ];
}
