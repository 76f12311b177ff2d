/** Starts a program of the user, passes signals to it, reads what it prints, and leaves nothing of it running. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { UserError } from "../user-error.ts";
import type { Variables } from "./client-environment.ts";
import { endFamily, type Family, markVariable } from "./family.ts";
import { guardFamily, releaseFamily } from "./guarding.ts";

export interface ProgramOptions {
  /** Variables beside those of this process; undefined takes one out. Later ones win. */
  readonly env?: readonly Variables[];
  readonly cwd?: string;
  /** `inherit`: it has our terminal, or whatever we read and write. `capture`: it reads nothing, and its output is kept. */
  readonly stdio: "inherit" | "capture";
  /** With `capture`, bytes of each output that are kept; the rest is read and counted. Default 1 MiB. */
  readonly maxOutput?: number;
  /** With `capture`, told of each piece of its output as it comes. */
  readonly told?: (from: "stdout" | "stderr", bytes: Buffer) => void;
  /** Whether it shares our group, as jobs of a terminal do: Ctrl+C and Ctrl+Z reach both. It has a group of its own by default. */
  readonly sharesGroup?: boolean;
}

/** The beginning of what a program printed. */
export interface Output {
  readonly bytes: Buffer;
  /** Bytes that came after it. */
  readonly cut: number;
}

export interface ProgramEnd {
  /** Its own exit code, or 128 and the number of the signal that ended it, as shells have it. */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | null;
  /** Empty unless captured. */
  readonly stdout: Output;
  readonly stderr: Output;
}

export interface Program {
  readonly pid: number;
  /** Resolves when it has ended, and all that it started has been ended as well. */
  readonly ended: Promise<ProgramEnd>;
  /** Passes a signal to it, and to its group where that is its own. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it and all it started. Resolves when nothing is left. @param grace milliseconds to end by itself before it is killed */
  end(grace?: number): Promise<void>;
}

const defaultMaxOutput = 1 << 20;

const nothing: Output = { bytes: Buffer.alloc(0), cut: 0 };

/** Reads a stream to its end, whatever its length, so that nobody waits for us to read on. */
async function read(stream: Readable | null, max: number, told?: (bytes: Buffer) => void): Promise<Output> {
  if (!stream) return nothing;
  const pieces: Buffer[] = [];
  let kept = 0;
  let cut = 0;
  stream.on("data", (bytes: Buffer) => {
    told?.(bytes);
    const part = bytes.subarray(0, max - kept);
    if (part.length > 0) pieces.push(part);
    kept += part.length;
    cut += bytes.length - part.length;
  });
  stream.on("error", () => {});
  await once(stream, "close");
  return { bytes: Buffer.concat(pieces), cut };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such program",
  EACCES: "it is not executable",
  E2BIG: "its arguments are too long",
};

/** Resolves when the process runs; UserError where it cannot be started. */
function started(child: ChildProcess, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new UserError(
          `cannot start ${name}: ${reasons[error.code ?? ""] ?? error.message}`,
          "Name the program and its arguments behind --, as you would start it yourself.",
        ),
      ),
    );
  });
}

/** Starts a program. UserError where that fails. @param command its name or path, and its arguments */
export async function startProgram(command: readonly string[], options: ProgramOptions): Promise<Program> {
  const { stdio, sharesGroup = false, maxOutput = defaultMaxOutput, cwd } = options;
  const [name, ...args] = command;
  if (!name) throw new UserError("no program is named", "Name it and its arguments behind --: -- node agent.mjs.");
  const mark = randomUUID();
  const env = Object.assign({}, process.env, ...(options.env ?? []), { [markVariable]: mark });
  // Before it runs: this process may be killed at any time.
  guardFamily({ pid: 0, mark, isGroup: false });
  let child: ChildProcess;
  try {
    child = spawn(name, args, {
      env,
      ...(cwd !== undefined && { cwd }),
      stdio: stdio === "inherit" ? "inherit" : ["ignore", "pipe", "pipe"],
      detached: !sharesGroup,
    });
  } catch (error) {
    releaseFamily({ mark });
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new UserError(`cannot start ${name}: ${reasons[code] ?? message}`, "Check the command behind --.");
  }
  const outputs = Promise.all(
    (["stdout", "stderr"] as const).map((from) => read(child[from], maxOutput, (bytes) => options.told?.(from, bytes))),
  );
  const exited = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once("exit", (code, signal) => resolve([code, signal]));
  });
  await started(child, name).catch((error: unknown) => {
    releaseFamily({ mark });
    throw error;
  });
  const family: Family = { pid: child.pid!, mark, isGroup: !sharesGroup };
  guardFamily(family);

  async function untilEnded(): Promise<ProgramEnd> {
    const [code, signal] = await exited;
    // Processes that it left running may hold its output open.
    await endFamily(family);
    releaseFamily(family);
    const [stdout = nothing, stderr = nothing] = await outputs;
    return { exitCode: code ?? exitCodeOf(signal), signal, stdout, stderr };
  }
  const ended = untilEnded();
  return {
    pid: family.pid,
    ended,
    signal(signal) {
      try {
        process.kill(family.isGroup ? -family.pid : family.pid, signal);
      } catch {
        // It has ended already.
      }
    },
    async end(grace) {
      await endFamily(family, grace);
      await ended;
    },
  };
}

const exitCodeOf = (signal: NodeJS.Signals | null): number => 128 + (signal === null ? 0 : constants.signals[signal]);
