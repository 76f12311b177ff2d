/** Answers requests over the channel to the process that started this one, and ends when that has ended. */
import type { judge } from "../../check/judge.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { createRecordingJudge, type RecordingJudge } from "./judge-recording.ts";
import type { BatchRequest, FromJudge, JudgeSettings, ToJudge } from "./messages.ts";

const send = (message: FromJudge): void => void process.send?.(message);

/** @param judgeOne judges an exchange; tests put one in its place that fails */
export async function serveJudge(judgeOne?: typeof judge): Promise<void> {
  process.on("disconnect", () => process.exit());
  if (!process.connected) process.exit();
  // Ctrl+C and the end of a whole group are the follower's business.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  // While it waits for its settings: few users have documents of their own.
  const shipped = openCatalogue();
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => void (finish = resolve));
  let judging: Promise<RecordingJudge>;

  async function begin(settings: JudgeSettings): Promise<RecordingJudge> {
    const catalogue = await (settings.documents.length > 0 ? openCatalogue(settings.documents) : shipped);
    send({ ready: true });
    return createRecordingJudge(settings, catalogue, finished, judgeOne);
  }

  async function answer(request: BatchRequest): Promise<void> {
    try {
      send({ result: await (await judging)(request, (progress) => send({ progress })) });
    } catch (error) {
      const { message, stack, remedy } = error as Error & { remedy?: string };
      send({ failure: { message, stack, remedy } });
    }
  }

  process.on("message", (message: ToJudge) => {
    if ("settings" in message) judging = begin(message.settings);
    else if ("request" in message) void answer(message.request);
    else finish();
  });
}
