/**
 * The thread that loads a user's module first: whoever started it can end it if the module never does. It ends by itself as soon as
 * nothing of the module is running.
 */
import { parentPort, workerData } from "node:worker_threads";
import { thrownText } from "./own-code.ts";

/** What the thread tells: that the module is loaded, or what it threw beside that. */
export type TrialMessage = { readonly loaded: true } | { readonly thrown: string };

const tell = (message: TrialMessage): void => parentPort!.postMessage(message);

process.on("uncaughtException", (error) => tell({ thrown: thrownText(error) }));
await import(/* @vite-ignore */ workerData as string).catch(() => {});
// What the module left to do at once is part of it.
setImmediate(() => tell({ loaded: true }));
