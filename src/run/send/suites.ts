/** Sends all that a run has planned to a target, in a thread of its own: the suites, then the probes. */
import type { Answers } from "../../verdict/sent-record.ts";
import { hear } from "../../worker.ts";
import { launchSenderThread } from "./sender-thread.ts";
import type { RunOrder, SuiteMessage, SuiteOrder } from "./suite-messages.ts";

/**
 * Sends every cassette and then every probe of the order.
 * @param concurrency how many cassettes, or groups of probes, are asked at a time
 * @param onAnswers called as each of them ends; once one says that the target is gone, those that are left are not asked
 * @param stop ends all of it at once, whatever is in flight
 * @throws when touchstone itself failed
 */
export async function sendOrder(
  order: RunOrder,
  concurrency: number,
  onAnswers: (source: string, answers: Answers) => void,
  stop: AbortSignal,
): Promise<void> {
  if (stop.aborted) return;
  const asked = new Set<string>();
  let gone = false;
  const failures: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const worker = launchSenderThread();
    worker.postMessage({ order, concurrency } satisfies SuiteOrder);
    const receive = (message: SuiteMessage): void => {
      if ("failure" in message) return void failures.push(message.failure);
      if ("done" in message) return void worker.terminate();
      const { source, answers } = message;
      asked.add(source);
      gone ||= answers.unreachable !== undefined;
      try {
        onAnswers(source, answers);
      } catch (error) {
        reject(error);
        void worker.terminate();
      }
    };
    hear(worker, { onMessage: receive, onEnd: ({ error }) => (error ? reject(error) : resolve()) });
    stop.addEventListener("abort", () => void worker.terminate(), { once: true });
  });
  if (gone || stop.aborted) return;
  if (failures.length > 0) throw new Error(failures[0]);
  const missing = [...order.recordings, ...order.probes].find(({ source }) => !asked.has(source));
  if (missing) throw new Error(`${missing.source} was not asked, and nobody said why`);
}
