/** Workers beside this process, threads and processes alike: started as built, told of by what they say, and of their end once. */
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { Worker, WorkerOptions } from "node:worker_threads";
import { home } from "./home.ts";

/**
 * Starts a thread, also for who runs from source.
 * @param program its module below `src`, without its ending: `live/reader-worker`
 */
export function startThread(
  program: string,
  options: Pick<WorkerOptions, "workerData" | "resourceLimits" | "stdout" | "stderr"> = {},
): Worker {
  // Loaded late: processes that only hear of others need no threads.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  // Options of whoever runs us, such as a test runner's loader, are not for our threads.
  return new Worker(join(home, "dist", "src", `${program}.js`), { execArgv: [], ...options });
}

/** How a worker ended. */
export interface Ending {
  /** The error it threw, or why it cannot be started. */
  readonly error?: Error;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Hearing<Message> {
  onMessage(message: Message): void;
  /** Told once, whatever ended it; nothing comes after it. */
  onEnd(ending: Ending): void;
}

/**
 * Listens to a worker until it ends.
 * @returns lets go of it: whoever ends it, or replaces it, hears nothing more
 */
export function hear<Message>(worker: Worker | ChildProcess, { onMessage, onEnd }: Hearing<Message>): () => void {
  let isOver = false;
  let error: Error | undefined;
  const end = (code: number | null, signal: NodeJS.Signals | null): void => {
    if (isOver) return;
    isOver = true;
    onEnd({ ...(error && { error }), code, signal });
  };
  worker.on("message", (message: Message) => {
    if (!isOver) onMessage(message);
  });
  worker.on("error", (thrown: Error) => {
    error = thrown;
    // A process that cannot be started has no exit; that of a thread follows.
    if (!("threadId" in worker)) end(null, null);
  });
  worker.on("exit", (code: number | null, signal: NodeJS.Signals | null = null) => {
    // The last messages of a process may be read after its exit.
    if ("connected" in worker && worker.connected) worker.once("disconnect", () => end(code, signal));
    else end(code, signal);
  });
  return () => {
    isOver = true;
  };
}
