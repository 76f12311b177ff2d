/** Finds the processes that a command under test has started, on Linux. */
import { readFileSync } from "node:fs";

/** The children of a process whose program is called so: `record-keeper`, `judge-process`. */
export function childrenOf(pid: number, program: string): number[] {
  const isIt = (child: string): boolean => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, "latin1").includes(program);
    } catch {
      return false;
    }
  };
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(isIt).map(Number);
}

/** Whether a process is there and not only waits for its parent to hear of its end. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** Seconds of processor time a process has taken. */
export function processorTimeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
