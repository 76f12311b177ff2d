/** Starts the thread that sends requests, before the plan is ready. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { home } from "../../home.ts";

const startAsker = (): Worker =>
  // Options of whoever runs us, such as a test runner's loader, are not for this thread.
  new Worker(join(home, "dist", "src", "run", "send", "suite-worker.js"), { execArgv: [] });

let prepared: Worker | undefined;

/** Starts the thread before there is an order: its modules and ours are read side by side. It ends with us, used or not. */
export function prepareAsker(): void {
  const asker = startAsker();
  prepared = asker;
  asker.on("error", () => {});
  asker.once("exit", () => {
    if (prepared === asker) prepared = undefined;
  });
  asker.unref();
}

/** A thread that waits for its order: the prepared one, where there is one. */
export function launchAsker(): Worker {
  const asker = prepared ?? startAsker();
  prepared = undefined;
  asker.ref();
  return asker;
}
