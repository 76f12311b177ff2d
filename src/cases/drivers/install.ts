/** Finds the packages of a client: those of the user's project, or a version that is installed into a temporary folder. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { didYouMean } from "../../check/suggest.ts";
import { UserError } from "../../user-error.ts";
import type { Driver } from "./driver.ts";
import { drivers } from "./list.ts";

export interface FoundClient {
  readonly driver: Driver;
  /** The folder whose packages are used. */
  readonly folder: string;
  remove(): void;
}

/** Milliseconds that an installation may take. */
const maxInstall = 300_000;

/**
 * @param named `NAME`, from the packages of this folder, or `NAME@VERSION`
 * @throws UserError for a name that nobody knows, and where it cannot be installed
 */
export async function findClient(named: string, here = process.cwd()): Promise<FoundClient> {
  const [, name = named, version] = /^(@?[^@]+)@(.+)$/.exec(named) ?? [];
  const driver = drivers.find((one) => one.name === name);
  if (!driver) {
    const names = drivers.map((one) => one.name);
    throw new UserError(
      `there is no client ${name}`,
      `${didYouMean(name, names)}The clients are ${names.join(", ")}; put your own program after --.`,
    );
  }
  if (version === undefined || driver.packages.length === 0) return { driver, folder: here, remove: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), "touchstone-client-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const [main, ...others] = driver.packages;
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--loglevel=error"];
  try {
    await promisify(execFile)("npm", [...args, `${main}@${version}`, ...others], { cwd: folder, timeout: maxInstall });
  } catch (error) {
    remove();
    const [why] = String((error as { stderr?: string }).stderr || (error as Error).message)
      .trim()
      .split("\n");
    throw new UserError(
      `${main}@${version} cannot be installed: ${why}`,
      "See that npm reaches its registry, and that there is such a version.",
    );
  }
  return { driver, folder, remove };
}
