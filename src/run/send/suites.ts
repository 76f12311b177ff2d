/** Asks a target all that a run has planned, in a thread of its own: the compiled suites, then the probes. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { home } from "../../home.ts";
import type { Answers } from "../../verdict/sent-record.ts";
import type { Recording } from "../plan/recordings.ts";
import { wavesOf } from "./send-schedule.ts";
import { launchAsker } from "./sender-thread.ts";
import type { RunOrder } from "./suite.ts";
import type { SuiteMessage, SuiteOrder } from "./suite-worker.ts";

/** The compiled suite of a section. */
export function suiteFile(interfaceName: string, section: string): string {
  return join(home, "dist", "suites", interfaceName, `${section}.suite.js`);
}

/** Whether a recording has the one who asks it wait for time to pass. */
const waits = (recording: Recording): boolean => wavesOf(recording).some(({ pause }) => pause > 0);

/**
 * Sends every cassette and then every probe of the order.
 * @param concurrency how many cassettes, or groups of probes, are asked at a time
 * @param onAnswers called as each of them ends; once one says that the target is gone, those that are left are not asked
 * @param stop ends all of it at once, whatever is in flight
 * @throws when a suite is missing or touchstone itself failed
 */
export async function askAll(
  order: RunOrder,
  concurrency: number,
  onAnswers: (source: string, answers: Answers) => void,
  stop: AbortSignal,
): Promise<void> {
  if (stop.aborted) return;
  // Others are asked while these wait.
  const waiting = order.recordings.filter(waits);
  const recordings = [...waiting, ...order.recordings.filter((one) => !waiting.includes(one))];
  const files = [...new Set(recordings.map((one) => suiteFile(one.interface, one.section)))];
  for (const file of files) if (!existsSync(file)) throw new Error(`${file} is missing`);
  const asked = new Set<string>();
  let gone = false;
  const failures: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const worker = launchAsker();
    worker.postMessage({ files, root: home, concurrency, order: { ...order, recordings } } satisfies SuiteOrder);
    const fail = (error: unknown): void => {
      reject(error);
      void worker.terminate();
    };
    worker.on("message", (message: SuiteMessage) => {
      if ("failure" in message) return void failures.push(message.failure);
      if ("done" in message) return void worker.terminate();
      const { source, answers } = message;
      asked.add(source);
      gone ||= answers.gone !== undefined;
      try {
        onAnswers(source, answers);
      } catch (error) {
        fail(error);
      }
    });
    stop.addEventListener("abort", () => void worker.terminate(), { once: true });
    worker.on("error", fail);
    worker.on("exit", () => resolve());
  });
  if (gone || stop.aborted) return;
  if (failures.length > 0) throw new Error(failures[0]);
  const missing = [...order.recordings, ...order.probes].find(({ source }) => !asked.has(source));
  if (missing) throw new Error(`${missing.source} was not asked, and nobody said why`);
}
