/** Sends all that a run has planned to a target, in a thread of its own: the suites, then the probes. */
import type { Answers } from "../../verdict/sent-record.ts";
import { keepSenderThread, launchSenderThread } from "./sender-thread.ts";
import type { Answered, Done, RunOrder, SuiteOrder } from "./suite-messages.ts";

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
    const thread = launchSenderThread({
      onMessage(message) {
        if ("failure" in message) failures.push(message.failure);
        else if ("done" in message) end(message);
        else receive(message);
      },
      onEnd({ error }) {
        if (error) reject(error);
        else resolve();
      },
    });
    const terminate = () => void thread.worker.terminate();
    const end = ({ isReusable }: Done): void => {
      if (!isReusable) terminate();
      else {
        stop.removeEventListener("abort", terminate);
        keepSenderThread(thread);
        resolve();
      }
    };
    const receive = ({ source, answers }: Answered): void => {
      asked.add(source);
      gone ||= answers.unreachable !== undefined;
      try {
        onAnswers(source, answers);
      } catch (error) {
        reject(error);
        terminate();
      }
    };
    stop.addEventListener("abort", terminate, { once: true });
    thread.worker.postMessage({ order, concurrency, environment: { ...process.env } } satisfies SuiteOrder);
  });
  if (gone || stop.aborted) return;
  if (failures.length > 0) throw new Error(failures[0]);
  const missing = [...order.recordings, ...order.probes].find(({ source }) => !asked.has(source));
  if (missing) throw new Error(`${missing.source} was not asked, and nobody said why`);
}
