/** Finds the command that started the server on a local port (Linux only). */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, isAbsolute, relative } from "node:path";

/** How a server was started. */
export interface Started {
  /** The program and its arguments; paths within the folder are relative to where it runs. */
  readonly command: readonly string[];
  /** Its working folder, from the target file's folder; empty for that folder itself. */
  readonly at: string;
  /** The port that its environment names. */
  readonly port?: string;
}

/** Inodes of the sockets that listen on a port. */
function socketsOn(port: number): Set<string> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const lines = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((file) =>
    existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(1) : [],
  );
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return new Set(
    fields.flatMap(([, local, , state, ...more]) =>
      local?.endsWith(`:${hex}`) && state === "0A" ? [`socket:[${more[5]}]`] : [],
    ),
  );
}

/** Whether a process holds one of these sockets; of those of other people nothing can be read. */
function holds(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`)));
  } catch {
    return false;
  }
}

const isWithin = (path: string): boolean => path !== ".." && !path.startsWith("../") && !isAbsolute(path);

/** How the server on a port was started, if by a command that means the same wherever `folder` is; else undefined. */
export function listeningProcess(port: number, folder: string): Started | undefined {
  if (!existsSync("/proc/net/tcp")) return undefined;
  const sockets = socketsOn(port);
  if (sockets.size === 0) return undefined;
  const pid = readdirSync("/proc").find((name) => /^\d+$/.test(name) && holds(name, sockets));
  if (pid === undefined) return undefined;
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    const [program = "", ...given] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
    const own = (path: string): string => (isWithin(relative(folder, path)) ? relative(cwd, path) || "." : path);
    const command = [
      isAbsolute(program) && own(program) === program ? basename(program) : own(program),
      ...given.map((one) => (isAbsolute(one) ? own(one) : one)),
    ];
    const at = relative(folder, cwd);
    const text = command.join(" ");
    // A command that names other places of this machine, or holds what no line of a file may, starts nothing
    // elsewhere.
    if (!isWithin(at) || command.slice(1).some((one) => /(?:^|=)\//.test(one)) || /[\u0000-\u001f\u007f]/.test(text))
      return undefined;
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    const named = environment.find((one) => one === `PORT=${port}`);
    return { command, at, ...(named !== undefined && { port: String(port) }) };
  } catch {
    return undefined;
  }
}
