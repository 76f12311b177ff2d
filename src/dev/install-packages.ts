/** Installs packages of others into a folder of their own, at exact versions. */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const installTime = 180_000;

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export function ended(program: string, args: readonly string[], options: object): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { encoding: "utf8", maxBuffer: 1 << 28, ...options }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/**
 * Installs packages, and nothing that they would run.
 * @param packages names with exact versions
 * @throws Error in one line, where npm cannot
 */
export async function installPackages(
  folder: string,
  name: string,
  packages: Readonly<Record<string, string>>,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const description = { private: true, dependencies: packages, overrides: packages };
  writeFileSync(join(folder, "package.json"), JSON.stringify(description));
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--loglevel=error"];
  const { code, stderr } = await ended("npm", args, { cwd: folder, timeout: installTime });
  if (code !== 0)
    throw new Error(
      `${name} cannot be installed, and without a registry of npm packages nothing here can be tried: ${stderr.trim().split("\n")[0]}`,
    );
}
