/** Finds the package's own folder, from the sources and from the build alike. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

function findHome(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

/** Absolute path of the folder that holds package.json, schemas/, recordings/ and dist/. */
export const home = findHome();

/** The version that package.json names. */
export const version = (): string =>
  (JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string }).version;
