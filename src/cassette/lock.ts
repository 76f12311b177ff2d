/** One writer per cassette at a time: a lock file next to it names the process that writes. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as after } from "node:timers/promises";

/** The process that has a lock. */
interface Holder {
  readonly pid: number;
  /** When the process started, as far as the system says: another process may get its id later. */
  readonly started: string;
  /** Differs for each lock. */
  readonly token: string;
}

/** Thrown where another process keeps the lock for longer than the caller waits. */
export class LockedError extends Error {
  constructor(pid: number) {
    super(`process ${pid} is writing it`);
    this.name = "LockedError";
  }
}

/** Milliseconds between looks at a lock that another process has. */
const restMs = 20;

/** Milliseconds for which a lock may have no content: its writer is between two calls, or has died there. */
const emptyMs = 2_000;

/**
 * The start of a process: ticks since the system started, with the id of that start. `dead` if only its exit code is left; empty if
 * the system does not say.
 */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The fields are located behind the name, which may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    // A dead process whose parent does not ask for its exit code keeps its id.
    if (fields[0] === "Z" || fields[0] === "X") return "dead";
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()} ${fields[19]}`;
  } catch {
    return "";
  }
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = startOf(pid);
  return now !== "dead" && (started === "" || now === "" || started === now);
}

/** The holder of a lock; undefined if there is none, null if its content cannot be read yet or is not ours. */
async function holderOf(lock: string): Promise<Holder | null | undefined> {
  try {
    const { pid, started, token } = JSON.parse(await readFile(lock, "utf8"));
    // The token becomes part of a file's name.
    if (!Number.isInteger(pid) || pid <= 0 || !/^[\w-]{1,64}$/.test(token)) return null;
    return { pid, started: String(started), token };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : null;
  }
}

/** Whether an error says that the file system has no hard links. */
const hasNoLinks = ({ code }: NodeJS.ErrnoException): boolean =>
  code === "EPERM" || code === "ENOTSUP" || code === "EOPNOTSUPP" || code === "ENOSYS" || code === "EMLINK";

/** Creates a lock with its content in one step, so that nobody finds it empty. @returns false if there is one */
async function create(lock: string, content: string): Promise<boolean> {
  const temporary = `${lock}.${randomUUID()}`;
  try {
    await writeFile(temporary, content, { flag: "wx", mode: 0o600 });
    await link(temporary, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    if (hasNoLinks(error as NodeJS.ErrnoException)) return createInTwoSteps(lock, content);
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function createInTwoSteps(lock: string, content: string): Promise<boolean> {
  try {
    await writeFile(lock, content, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    // A lock without its content would hold up all others.
    await removeOwn(lock, "");
    throw error;
  }
}

async function removeOwn(lock: string, content: string): Promise<void> {
  if ((await readFile(lock, "utf8").catch(() => undefined)) === content) await rm(lock, { force: true });
}

/**
 * Waits for the lock of a file and takes it, also from a process that is gone. Throws LockedError.
 * @returns releases the lock
 */
export const lockFile = (path: string, waitMs: number): Promise<() => Promise<void>> => take(`${path}.lock`, waitMs);

async function take(lock: string, waitMs: number): Promise<() => Promise<void>> {
  const started = performance.now();
  const holder: Holder = { pid: process.pid, started: startOf(process.pid), token: randomUUID() };
  const content = JSON.stringify(holder);
  const release = (): Promise<void> => removeOwn(lock, content);
  let emptySince: number | undefined;
  for (;;) {
    if (await create(lock, content)) return release;
    const other = await holderOf(lock);
    const now = performance.now();
    emptySince = other === null ? (emptySince ?? now) : undefined;
    const isDead = other === null ? now - emptySince! > emptyMs : other !== undefined && !isAlive(other);
    if (isDead && (await replace(lock, other?.token ?? "empty", content, waitMs))) return release;
    if (other && !isDead && now - started > waitMs) throw new LockedError(other.pid);
    await after(restMs * (0.5 + Math.random()));
  }
}

/**
 * Replaces the lock of a process that is gone. Whoever does so first takes a lock named after the dead one, and looks again:
 * otherwise two processes that have seen the dead lock could both replace it.
 */
async function replace(lock: string, token: string, content: string, waitMs: number): Promise<boolean> {
  const release = await take(`${lock}.${token}`, waitMs);
  try {
    const now = await holderOf(lock);
    if (now === undefined || (now?.token ?? "empty") !== token) return false;
    const temporary = `${lock}.${randomUUID()}`;
    await writeFile(temporary, content, { mode: 0o600 });
    await rename(temporary, lock);
    return true;
  } finally {
    await release();
  }
}
