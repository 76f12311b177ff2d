/** Starts touchstone's own commands for the scripts of this folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The built command line. */
export const cli = join(dirname(fileURLToPath(import.meta.url)), "..", "dist", "src", "cli.js");
const children = new Set();

/** Whatever ends this script ends what it started. */
process.on("exit", () => {
  for (const child of children) child.kill();
});

/** Starts a command that listens; resolves with its address once it says so. */
export async function start(...args) {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  children.add(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)/.exec(line)?.[1];
    if (!url) continue;
    child.stdout.resume();
    const stop = async () => {
      child.kill("SIGINT");
      await once(child, "exit");
      children.delete(child);
    };
    return { url, stop };
  }
  throw new Error(`touchstone ${args.join(" ")} ended without listening`);
}
