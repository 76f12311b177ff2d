/** Answers asks over the channel to the process that started this one, and ends when that has ended. */
import type { judge } from "../check/judge.ts";
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { createBatchJudge, type JudgeBatch } from "./judge-batch.ts";
import type { Ask, FromJudge, ToJudge } from "./judge-messages.ts";

const tell = (message: FromJudge): void => void process.send?.(message);

/** @param judgeOne judges an exchange; tests put one in its place that fails */
export async function serveJudge(judgeOne?: typeof judge): Promise<void> {
  process.on("disconnect", () => process.exit());
  if (!process.connected) process.exit();
  // Ctrl+C and the end of a whole group are the follower's business.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  const catalogue = loadCatalogue();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => void (release = resolve));
  let batch: Promise<JudgeBatch>;

  async function answer(ask: Ask): Promise<void> {
    try {
      tell({ answer: await (await batch)(ask, (progress) => tell({ progress })) });
    } catch (error) {
      const { message, stack, remedy } = error as Error & { remedy?: string };
      tell({ failure: { message, stack, remedy } });
    }
  }

  process.on("message", (message: ToJudge) => {
    if ("settings" in message)
      batch = catalogue.then((loaded) => {
        tell({ ready: true });
        return createBatchJudge(message.settings, loaded, released, judgeOne);
      });
    else if ("ask" in message) void answer(message.ask);
    else release();
  });
}
