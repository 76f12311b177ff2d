/** Tunes the processes in which recording runs, so that traffic comes first. */
import { constants, setPriority } from "node:os";
import { setFlagsFromString } from "node:v8";

/**
 * Has V8 look after young objects early and often, in a process that only records. They hold buffers that were passed on. If
 * many lie there, V8 goes through all memory instead of the young part, and that takes more time than passing a reply on. Up to
 * version 12 the young part must not grow; later ones count the buffers, and let 64 MiB lie unless a flag says otherwise.
 */
export function collectEarly(): void {
  const recent = Number.parseInt(process.versions.v8, 10) > 12;
  setFlagsFromString(recent ? "--scavenger-max-new-space-capacity-mb=8" : "--semi-space-growth-factor=1");
}

/** Lowers the priority of a process, so that traffic comes first where processors are few. */
export function yieldToTraffic(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Some systems do not permit that; the priority stays as it is then.
  }
}
