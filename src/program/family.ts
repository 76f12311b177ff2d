/** Finds and ends every process that a program started, also those that left its group. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The processes of one program. */
export interface Family {
  /** The process that was started; 0 while it is not known. */
  readonly pid: number;
  /** The value of `markVariable` in the environment of each. */
  readonly mark: string;
  /** Whether the process that was started leads a group and a session of its own. */
  readonly isGroup: boolean;
}

/** The variable that marks all processes of a program: a daemon leaves its parent and its group, but keeps its environment. */
export const markVariable = "TOUCHSTONE_PROGRAM";

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly isMarked: boolean;
}

/** Milliseconds that processes have to end by themselves once they are asked to. */
const defaultGrace = 2_000;

const pollInterval = 20;

/** How often what is still there is killed: processes may start others meanwhile. */
const maxRounds = 100;

/** Undefined for a process that has ended, or is another user's. */
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** All processes of a system with /proc, but for those that have ended and wait for their parent. */
function processesOfProc(mark: string): Process[] {
  const wanted = Buffer.from(`${markVariable}=${mark}\0`);
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = ifReadable(() => readFileSync(`/proc/${name}/stat`, "latin1"));
    // The name of the program stands in parentheses and may hold any character.
    const [state, parent, group, session] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
    if (state === undefined || state === "Z" || state === "X") return [];
    const isMarked = ifReadable(() => readFileSync(`/proc/${name}/environ`).includes(wanted)) ?? false;
    return [{ pid: Number(name), parent: Number(parent), group: Number(group), session: Number(session), isMarked }];
  });
}

/** The same by `ps`, where there is no /proc. Its sessions are addresses, so nothing is known of them. */
function processesOfPs(mark: string): Process[] {
  const { stdout } = spawnSync("ps", ["-axEww", "-o", "pid=,ppid=,pgid=,stat=,command="], {
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  return (stdout ?? "").split("\n").flatMap((line) => {
    const [, pid, parent, group, state, command = ""] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state!.startsWith("Z")) return [];
    const isMarked = command.includes(`${markVariable}=${mark}`);
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, isMarked }];
  });
}

/** The processes of a program that are there now, in no order. */
export function membersOf({ pid, mark, isGroup }: Family): readonly number[] {
  const all = process.platform === "linux" ? processesOfProc(mark) : processesOfPs(mark);
  const members = new Set<number>();
  for (const one of all) {
    const isOwn = one.pid === pid || one.isMarked;
    if (isOwn || (isGroup && (one.group === pid || one.session === pid))) members.add(one.pid);
  }
  // Children of members, which may have emptied their environment.
  for (let size = -1; size !== members.size; ) {
    size = members.size;
    for (const one of all) if (members.has(one.parent)) members.add(one.pid);
  }
  members.delete(process.pid);
  return [...members];
}

function signalMembers(members: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of members) ifReadable(() => process.kill(pid, signal));
}

/**
 * Ends a program with all that it started: asks them to end, and kills what is left. Resolves when none is left.
 * @param grace milliseconds between the two
 */
export async function endFamily(family: Family, grace = defaultGrace): Promise<void> {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(family.pid), "/T", "/F"], { stdio: "ignore" });
    return;
  }
  let members = membersOf(family);
  if (members.length === 0) return;
  const deadline = performance.now() + grace;
  // A stopped process hears nothing before it goes on.
  signalMembers(members, "SIGTERM");
  signalMembers(members, "SIGCONT");
  while (members.length > 0 && performance.now() < deadline) {
    await sleep(pollInterval);
    members = membersOf(family);
  }
  for (let round = 0; members.length > 0 && round < maxRounds; round++) {
    signalMembers(members, "SIGKILL");
    await sleep(pollInterval);
    members = membersOf(family);
  }
}
