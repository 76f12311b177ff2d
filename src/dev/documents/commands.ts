/** Runs commands of touchstone as processes. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { home } from "../../home.ts";

const cli = join(home, "dist", "src", "cli.js");

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export const runCommand = (args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [cli, ...args],
      { encoding: "utf8", maxBuffer: 1 << 28 },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });

export interface Started {
  readonly url: string;
  /** Interrupts it. @returns its exit code */
  end(): Promise<number | null>;
}

/** Starts a command that listens. Throws with what it said if it ends before that. */
export async function startCommand(args: readonly string[]): Promise<Started> {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = exitOf(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return {
      url,
      end() {
        child.kill("SIGINT");
        return ended;
      },
    };
  }
  throw new Error(`touchstone ${args[0]} ended with ${await ended}: ${said.trim()}`);
}

const exitOf = (child: ChildProcess): Promise<number | null> =>
  once(child, "exit").then(([code]) => code as number | null);
