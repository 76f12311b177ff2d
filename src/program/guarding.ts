/** Keeps one guard beside this process, which ends programs where this process cannot. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { home } from "../home.ts";
import type { Family } from "./family.ts";
import type { GuardMessage } from "./guard.ts";

let guard: ChildProcess | undefined;

function started(): ChildProcess {
  // In a group of its own, which a signal to ours does not reach.
  const child = spawn(process.execPath, [join(home, "dist", "src", "program", "guard.js")], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    windowsHide: true,
  });
  child.on("error", () => {});
  child.on("exit", () => {
    if (guard === child) guard = undefined;
  });
  child.stdin.on("error", () => {});
  child.unref();
  (child.stdin as Socket).unref();
  return child;
}

function tell(message: GuardMessage): void {
  guard ??= started();
  guard.stdin!.write(`${JSON.stringify(message)}\n`);
}

/** Has a program ended once this process is gone. @returns ends that, once the program has ended with all it started */
export function guardFamily(family: Family): () => void {
  tell({ began: family });
  return () => tell({ ended: family.pid });
}
