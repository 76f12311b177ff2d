/** Starts the thread that sends requests, before the plan is ready. */
import type { Worker } from "node:worker_threads";
import { hear, startThread } from "../../worker.ts";

const startSenderThread = (): Worker => startThread("run/send/suite-worker");

let prepared: { readonly thread: Worker; readonly letGo: () => void } | undefined;

/** Starts the thread before there is an order: its modules and ours are read side by side. It ends with us, used or not. */
export function prepareSenderThread(): void {
  const thread = startSenderThread();
  const letGo = hear(thread, {
    onMessage() {},
    onEnd() {
      prepared = undefined;
    },
  });
  prepared = { thread: thread, letGo };
  thread.unref();
}

/** A thread that waits for its order: the prepared one, where there is one. */
export function launchSenderThread(): Worker {
  prepared?.letGo();
  const thread = prepared?.thread ?? startSenderThread();
  prepared = undefined;
  thread.ref();
  return thread;
}
