/** Keeps one guard beside this process, which ends programs where this process cannot. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { home } from "../home.ts";
import type { Family } from "./family.ts";
import type { GuardMessage } from "./guard.ts";

let guard: ChildProcess | undefined;

/** Programs that run, by their marks. */
const families = new Map<string, Family>();

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

function tell(...messages: readonly GuardMessage[]): void {
  if (!guard) {
    guard = started();
    messages = [...families.values()].map((runs) => ({ runs }));
  }
  guard.stdin!.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
}

/** Has a program ended once this process is gone. It is to be told of before it begins, and again when its process is known. */
export function guardFamily(family: Family): void {
  families.set(family.mark, family);
  tell({ runs: family });
}

/** Forgets a program that has ended with all it started, or that never began. */
export function releaseFamily({ mark }: Pick<Family, "mark">): void {
  families.delete(mark);
  tell({ ended: mark });
}
