/** One keeper as its recorder sees it: a process, the pipe that takes frames, and what it says. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import type { Position } from "../../cassette/open-for-writing.ts";
import { UserError } from "../../user-error.ts";
import { builtProgram } from "../programs.ts";
import { yieldToTraffic } from "../tuning.ts";
import type { KeeperMessage, KeeperSettings } from "./messages.ts";

export interface KeeperProcess {
  /** Undefined where it could not be started. */
  readonly pid: number | undefined;
  /** Takes frames. */
  readonly stdin: Writable;
  /** How far the cassette is when it begins. Rejects where it cannot open that, or ends before. */
  readonly ready: Promise<Position>;
  /** Resolves when it is gone and all it said has been read, with how it ended: `was ended by SIGKILL`. */
  readonly closed: Promise<string>;
  /** Wakes it where it was stopped. */
  wake(): void;
  /** Waits for it no more. Once it gets on, it writes what it was given, and ends. */
  leave(): void;
}

/** The message in a line; undefined for one that was torn when the process was killed. */
function messageOf(line: string): KeeperMessage | undefined {
  try {
    return JSON.parse(line) as KeeperMessage;
  } catch {
    return undefined;
  }
}

/** Starts a keeper. @param receive takes what it says once it is ready */
export function startProcess(settings: KeeperSettings, receive: (message: KeeperMessage) => void): KeeperProcess {
  // In a group of its own: Ctrl+C, and the kill of a whole group, leave it time to write.
  const child = spawn(process.execPath, ["--expose-gc", builtProgram("keeper/keeper")], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  yieldToTraffic(child.pid);
  const { stdin, stdout } = child;
  let isReady = false;
  let begin = (_: Position): void => {};
  let refuse = (_: Error): void => {};
  const ready = new Promise<Position>((resolve, reject) => {
    begin = resolve;
    refuse = reject;
  });
  ready.catch(() => {});
  let failed = "";
  child.on("error", (error) => {
    if (child.pid === undefined) failed = `could not be started: ${error.message}`;
    refuse(error);
  });
  const closed = new Promise<string>((resolve) => {
    child.on("close", (code, signal) =>
      resolve(failed || (signal ? `was ended by ${signal}` : `ended with exit code ${code}`)),
    );
  });
  createInterface({ input: stdout }).on("line", (line) => {
    const message = messageOf(line);
    if (!message) return;
    if ("ready" in message) {
      isReady = true;
      begin(message.ready);
    } else if ("failure" in message && !isReady) {
      const { message: what, remedy } = message.failure;
      refuse(remedy === undefined ? new Error(what) : new UserError(what, remedy));
    } else receive(message);
  });
  stdin.on("error", () => {});
  void closed.then((how) => refuse(new Error(`the recording process ${how} before it began`)));
  stdin.write(`${JSON.stringify(settings)}\n`);
  return {
    pid: child.pid,
    stdin,
    ready,
    closed,
    wake: () => void child.kill("SIGCONT"),
    leave() {
      child.unref();
      stdin.destroy();
      stdout.destroy();
    },
  };
}
