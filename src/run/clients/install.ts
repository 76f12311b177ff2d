/** Installs packages of clients into a temporary folder. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { UserError } from "../../user-error.ts";

export interface Installed {
  /** The folder whose packages are used. */
  readonly folder: string;
  remove(): void;
}

/** Milliseconds that an installation may take. */
const maxInstall = 300_000;

/** @param main `NAME@VERSION`; UserError where it cannot be installed. @param others their newest versions that fit */
export async function installPackages(main: string, others: readonly string[]): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-client-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--loglevel=error"];
  try {
    await promisify(execFile)("npm", [...args, main, ...others], { cwd: folder, timeout: maxInstall });
  } catch (error) {
    remove();
    const [why] = String((error as { stderr?: string }).stderr || (error as Error).message)
      .trim()
      .split("\n");
    throw new UserError(
      `${main} cannot be installed: ${why}`,
      "See that npm reaches its registry, and that there is such a version.",
    );
  }
  return { folder, remove };
}
