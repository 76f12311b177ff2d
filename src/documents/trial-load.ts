/** The thread that loads a user's module first: whoever started it can end it if the module never does. */
import { parentPort, workerData } from "node:worker_threads";

await import(/* @vite-ignore */ workerData as string).catch(() => {});
// What the module left to do at once is part of it.
setImmediate(() => parentPort!.postMessage("loaded"));
