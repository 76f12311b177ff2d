/** The thread that sends requests: started before the plan is ready, and kept for the next run of the process. */
import type { Worker } from "node:worker_threads";
import { type Hearing, hear, startThread } from "../../worker.ts";
import type { SuiteMessage } from "./suite-messages.ts";

export interface SenderThread {
  readonly worker: Worker;
  /** Receives the messages of the current order; undefined while the thread waits for one. */
  hearing: Hearing<SuiteMessage> | undefined;
}

/** The thread that waits for an order. It does not keep the process alive. */
let idle: SenderThread | undefined;

function startSenderThread(): SenderThread {
  const thread: SenderThread = { worker: startThread("run/send/suite-worker"), hearing: undefined };
  hear<SuiteMessage>(thread.worker, {
    onMessage: (message) => thread.hearing?.onMessage(message),
    onEnd(ending) {
      if (idle === thread) idle = undefined;
      thread.hearing?.onEnd(ending);
    },
  });
  return thread;
}

/** Starts the thread before there is an order: its modules and ours are read side by side. */
export function prepareSenderThread(): void {
  idle ??= startSenderThread();
  idle.worker.unref();
}

/** Returns a thread that waits for its order: the prepared one, or that of a run before. */
export function launchSenderThread(hearing: Hearing<SuiteMessage>): SenderThread {
  const thread = idle ?? startSenderThread();
  idle = undefined;
  thread.hearing = hearing;
  thread.worker.ref();
  return thread;
}

/** Keeps a thread that has done its order for the next run. Runs at the same time leave one thread behind. */
export function keepSenderThread(thread: SenderThread): void {
  thread.hearing = undefined;
  if (idle) return void thread.worker.terminate();
  idle = thread;
  thread.worker.unref();
}
