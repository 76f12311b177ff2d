/** Loads the packages of clients as a program in a folder would, with their versions. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { home } from "../../home.ts";
import type { Loose } from "./trial.ts";

interface Loaded {
  readonly exports: Loose;
  readonly version: string;
}

/** Loads a package as a program in `folder` would; undefined where it is not installed. */
async function load(name: string, folder: string): Promise<Loaded | undefined> {
  try {
    const path = createRequire(join(folder, "package.json")).resolve(name);
    const module: Loose = await import(pathToFileURL(path).href);
    return { exports: { ...module.default, ...module }, version: versionOf(name, path) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "MODULE_NOT_FOUND") return undefined;
    throw new Error(`${name} cannot be loaded: ${message.split("\n", 1)[0]}`);
  }
}

/** Loads all that clients are made of, or says why that cannot be. */
export async function loadAll(
  packages: readonly string[],
  folder: string,
): Promise<{ readonly sdk: Loose; readonly version: string } | { readonly problem: string }> {
  try {
    const all = await Promise.all(packages.map((name) => load(name, folder)));
    const missing = packages.filter((_, i) => all[i] === undefined);
    if (missing.length > 0) return { problem: `npm install ${missing.join(" ")}` };
    const old = packages.find((name, i) => isTooOld(name, all[i]!.version));
    if (old !== undefined) return { problem: `${old} is older than what is tried here: npm install ${old}` };
    const [version, ...others] = all.map((one) => one!.version);
    const beside = others.map((one, i) => ` with ${packages[i + 1]} ${one}`).join("");
    return { sdk: Object.assign({}, ...all.map((one) => one!.exports)), version: `${version}${beside}` };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

const { peerDependencies }: Loose = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));

/** Whether a package is older than `>=1.2`, which our own package asks for. */
function isTooOld(name: string, version: string): boolean {
  const numbers = (text: string): number[] => text.split(".").map((part) => Number.parseInt(part, 10));
  const oldest = numbers(/^>=(.*)$/.exec(peerDependencies[name] ?? "")?.[1] ?? "0");
  const own = numbers(version);
  const at = oldest.findIndex((number, i) => number !== (own[i] ?? 0));
  return at >= 0 && (own[at] ?? 0) < oldest[at]!;
}

/** The version of the package that a module belongs to. */
function versionOf(name: string, module: string): string {
  for (let folder = dirname(module); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "package.json");
    const told: Loose = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
    if (told.name === name && told.version) return told.version;
  }
  return "unknown";
}
