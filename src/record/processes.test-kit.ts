/** Reads from Linux the processes that a command under test or a benchmark has started. */
import { readdirSync, readFileSync } from "node:fs";

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}

/** The program and the arguments of a process, in a line; empty where it is gone. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** The children of a process whose command names this program: `keeper.js`, `judge-process.js`. */
export function childrenOf(pid: number, program = ""): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
    .filter((child) => commandOf(child).includes(program));
}

/** Whether a process is there and not only waits for its parent to hear of its end. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** Resident memory in MiB, now and at its highest. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const at = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)?.[1]) / 1024;
  return { now: at("VmRSS"), peak: at("VmHWM") };
}

/** Milliseconds of processor time that a process has taken. */
export function processorTimeOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
