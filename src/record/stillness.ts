/** Tells a process that stands still from one that is slow, or that waits for a processor or the disk. */
import { readdirSync, readFileSync } from "node:fs";

/** A process that somebody waits for. */
export interface Awaited {
  readonly pid: number;
  /** Whatever changes when it gets on, as far as others see it. */
  readonly progress: unknown;
}

/** Milliseconds between looks. */
const rest = 200;

/** Looks in a row that show no change: two seconds where the system says what a process does, ten where it does not. */
const maxLooks = { informed: 10, blind: 50 };

const hasProc = process.platform === "linux";

/** The state of a thread or a process, and the ticks of processor time that it has used. */
function statOf(path: string): { readonly state: string; readonly ticks: number } {
  const text = readFileSync(`${path}/stat`, "latin1");
  // They stand behind the name, which may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0]!, ticks: Number(fields[11]) + Number(fields[12]) };
}

/** Whether somebody has stopped a process, by SIGSTOP for one; false where the system does not say. */
export function isStopped(pid: number): boolean {
  try {
    return statOf(`/proc/${pid}`).state === "T";
  } catch {
    return false;
  }
}

/** Whether a thread runs, waits for a processor, or waits for the disk. */
const isBusy = (state: string): boolean => state === "R" || state === "D";

/** The usage, reads and writes of a process so far; undefined while one of its threads is busy, or if it is gone. */
function usageOf(pid: number): string | undefined {
  const path = `/proc/${pid}`;
  try {
    const { ticks } = statOf(path);
    for (const thread of readdirSync(`${path}/task`))
      if (isBusy(statOf(`${path}/task/${thread}`).state)) return undefined;
    return `${ticks} ${bytesOf(path)}`;
  } catch {
    return undefined;
  }
}

/** Some systems do not let others see it. */
function bytesOf(path: string): string {
  try {
    return readFileSync(`${path}/io`, "latin1");
  } catch {
    return "";
  }
}

/**
 * Calls once when the process stands still. It then uses no processor time, reads and writes nothing, and gets on with nothing,
 * while none of its threads could run or waits for the disk. A busy machine is never taken for it.
 * @param awaited undefined while nobody waits for anything
 * @returns ends the watch
 */
export function whenStill(awaited: () => Awaited | undefined, call: (pid: number) => void): () => void {
  let last: string | undefined;
  let looks = 0;
  const timer = setInterval(() => {
    const one = awaited();
    const usage = one && (hasProc ? usageOf(one.pid) : "");
    const now = usage === undefined ? undefined : `${one?.pid} ${usage} ${one?.progress}`;
    looks = now !== undefined && now === last ? looks + 1 : 0;
    last = now;
    if (looks < (hasProc ? maxLooks.informed : maxLooks.blind)) return;
    clearInterval(timer);
    call(one!.pid);
  }, rest);
  return () => clearInterval(timer);
}
