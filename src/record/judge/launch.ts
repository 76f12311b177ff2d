/** Starts judging processes, and sees to it that none outlives this one. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { totalmem } from "node:os";
import { builtProgram } from "../programs.ts";

/** Megabytes of objects a judge may hold; what a reply makes of them beyond that is too much to judge. */
const maxMegabytes = Math.min(2048, Math.max(512, Math.floor(totalmem() / 2 ** 21)));

/**
 * Ends a process when this one is killed: a shell waits for the end of a pipe that nobody writes to. The judge hears of it by
 * itself, but not while it is busy. Without a shell, it has to come to the end of its work.
 */
function guard(pid: number): ChildProcess {
  const shell = spawn("/bin/sh", ["-c", 'read _; kill -9 "$1"', "sh", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  shell.on("error", () => {});
  shell.stdin?.on("error", () => {});
  shell.unref();
  (shell.stdin as Socket | null)?.unref();
  return shell;
}

const alive = new Set<ChildProcess>();

function endAll(): void {
  for (const child of alive) child.kill("SIGKILL");
}

function spawnJudge(program: string): ChildProcess {
  // Threads of the collector would take the processor that another judge has work for.
  const engine = [`--max-old-space-size=${maxMegabytes}`, "--single-threaded-gc"];
  const child = spawn(process.execPath, [...engine, program], {
    // The message of a process that ran out of memory is of use only to those who mend it.
    stdio: ["ignore", "ignore", process.env["TOUCHSTONE_DEBUG"] ? "inherit" : "ignore", "ipc"],
    serialization: "advanced",
    detached: true,
    windowsHide: true,
  });
  const guarding = child.pid === undefined ? undefined : guard(child.pid);
  if (alive.size === 0) process.on("exit", endAll);
  alive.add(child);
  child.once("exit", () => {
    guarding?.kill("SIGKILL");
    alive.delete(child);
    if (alive.size === 0) process.off("exit", endAll);
  });
  return child;
}

const judgeProgram = (): string => builtProgram("judge/judge-process");

let prepared: ChildProcess | undefined;

/** Starts a judge before anybody has settings for it: its modules and ours are read side by side. It ends with us, used or not. */
export function prepareJudge(): void {
  prepared = spawnJudge(judgeProgram());
  prepared.on("error", () => {});
  prepared.unref();
  prepared.channel?.unref();
}

/** A judge that waits for its settings; the prepared one where it is the program that is asked for. */
export function launchJudge(program = judgeProgram()): ChildProcess {
  const ready = prepared;
  if (program !== judgeProgram() || !ready?.connected) return spawnJudge(program);
  prepared = undefined;
  ready.ref();
  ready.channel?.ref();
  return ready;
}
