/** Answers asks over the channel to the process that started this one, and never outlives it. */
import { Worker } from "node:worker_threads";
import type { judge } from "../check/judge.ts";
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { createBatchJudge, type JudgeBatch } from "./batch.ts";
import type { Ask, FromJudge, ToJudge } from "./messages.ts";

/** From so many bytes on it is worth a thread to watch over the judge while it is busy. */
const watched = 64 << 10;

/** Ends the process when its parent has ended, also while it is busy and hears nothing. */
const watcher = `
  const { workerData: parent } = require("node:worker_threads");
  const isGone = () => {
    if (process.ppid !== parent) return true;
    try { process.kill(parent, 0); } catch ({ code }) { return code === "ESRCH"; }
  };
  setInterval(() => { if (isGone()) process.kill(process.pid, "SIGKILL"); }, 250);
`;

const tell = (message: FromJudge): void => void process.send?.(message);

/** @param judgeOne judges an exchange; tests put one in its place that fails */
export async function serveJudge(judgeOne?: typeof judge): Promise<void> {
  process.on("disconnect", () => process.exit());
  // Ctrl+C and the end of a whole group are the follower's business.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  const parent = process.ppid;
  let isWatched = false;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => void (release = resolve));
  let batch: Promise<JudgeBatch>;

  async function answer(ask: Ask): Promise<void> {
    if (!isWatched && (ask.growing || ask.to - ask.at >= watched)) {
      isWatched = true;
      new Worker(watcher, { eval: true, workerData: parent }).unref();
    }
    try {
      tell({ answer: await (await batch)(ask, (began) => tell({ began })) });
    } catch (error) {
      const { message, stack, remedy } = error as Error & { remedy?: string };
      tell({ failure: { message, stack, remedy } });
    }
  }

  process.on("message", (message: ToJudge) => {
    if ("settings" in message)
      batch = loadCatalogue().then((catalogue) => createBatchJudge(message.settings, catalogue, released, judgeOne));
    else if ("ask" in message) void answer(message.ask);
    else release();
  });
}
