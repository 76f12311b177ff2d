/** Finds the processes that a command under test has started, on Linux. */
import { readFileSync } from "node:fs";
import { childrenOf as allChildrenOf } from "../dev/bench/processes.ts";

/** The children of a process whose program is called so: `keeper.js`, `judge-process.js`. */
export function childrenOf(pid: number, program: string): number[] {
  return allChildrenOf(pid).filter((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, "latin1").includes(program);
    } catch {
      return false;
    }
  });
}

/** Whether a process is there and not only waits for its parent to hear of its end. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
