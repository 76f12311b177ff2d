/** Runs the built program under watch: what it prints, how it ends, how much memory it and its children took. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { controls } from "../check/controls.ts";
import { home } from "../home.ts";

/** Milliseconds after which a process is taken for hanging; no work here takes more than some seconds. */
const maxRunMs = 120_000;
/** Bytes of memory that a process and its children may take, over inputs of at most some megabytes. */
const maxMemory = 900 << 20;

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  /** Faults that must not be, whatever the input was. */
  readonly faults: readonly string[];
}

export interface Running {
  /** The address after `listening on `. */
  readonly url: Promise<string | undefined>;
  /** Asks it to end, and waits. */
  readonly stop: () => Promise<Ran>;
  /** Waits for its end. */
  readonly ended: Promise<Ran>;
}

/** Memory of a process and those below it, where the system tells. */
function memoryOf(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    const own = Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
    return children
      .split(" ")
      .filter(Boolean)
      .reduce((sum, child) => sum + memoryOf(Number(child)), own);
  } catch {
    return 0;
  }
}

function faultsOf(child: ChildProcess, stdout: string, stderr: string, memory: number, hung: boolean): string[] {
  const faults: string[] = [];
  const { exitCode, signalCode } = child;
  if (hung) faults.push(`it was still running after ${maxRunMs / 1000} s`);
  else if (exitCode === null || ![0, 1, 2].includes(exitCode)) faults.push(`it ended with ${exitCode ?? signalCode}`);
  if (/internal failure/.test(stderr)) faults.push("it says that it failed internally");
  if (/^\s+at .+[:(]\d+:\d+\)?$/m.test(stderr + stdout)) faults.push("it prints a stack trace");
  const raw = controls.exec((stdout + stderr).replace(/[\n\t]/g, ""));
  if (raw) faults.push(`it prints a raw U+${raw[0].charCodeAt(0).toString(16).padStart(4, "0")}`);
  if (memory > maxMemory) faults.push(`it took ${memory >> 20} MiB of memory`);
  return faults;
}

/** Starts `touchstone ...args`. */
export function start(args: readonly string[]): Running {
  const child = spawn(process.execPath, [join(home, "dist", "src", "cli.js"), ...args], {
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr, memory, hung] = ["", "", 0, false];
  let heard: (url: string | undefined) => void = () => {};
  const url = new Promise<string | undefined>((resolve) => (heard = resolve));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    const [, at] = /^listening on (\S+)\n/.exec(stdout) ?? [];
    if (at !== undefined) heard(at);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const watch = setInterval(() => (memory = Math.max(memory, memoryOf(child.pid!))), 50);
  const guard = setTimeout(() => {
    hung = true;
    child.kill("SIGKILL");
  }, maxRunMs);
  const ended = once(child, "close").then((): Ran => {
    clearInterval(watch);
    clearTimeout(guard);
    heard(undefined);
    return { stdout, stderr, faults: faultsOf(child, stdout, stderr, memory, hung) };
  });
  return {
    url,
    ended,
    stop: () => {
      child.kill("SIGINT");
      return ended;
    },
  };
}
