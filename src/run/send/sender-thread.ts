/** Starts the thread that sends requests, before the plan is ready. */
import type { Worker } from "node:worker_threads";
import { hear, startThread } from "../../worker.ts";

const startAsker = (): Worker => startThread("run/send/suite-worker");

let prepared: { readonly asker: Worker; readonly letGo: () => void } | undefined;

/** Starts the thread before there is an order: its modules and ours are read side by side. It ends with us, used or not. */
export function prepareAsker(): void {
  const asker = startAsker();
  const letGo = hear(asker, {
    onMessage() {},
    onEnd() {
      prepared = undefined;
    },
  });
  prepared = { asker, letGo };
  asker.unref();
}

/** A thread that waits for its order: the prepared one, where there is one. */
export function launchAsker(): Worker {
  prepared?.letGo();
  const asker = prepared?.asker ?? startAsker();
  prepared = undefined;
  asker.ref();
  return asker;
}
