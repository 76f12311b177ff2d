/** Runs the compiled suites in a thread of their own. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { home } from "../home.ts";
import type { Outcome } from "../verdict/results.ts";
import type { RunOrder } from "./suite.ts";
import type { SuiteMessage } from "./suite-worker.ts";

/** The compiled suite of a section. */
export function suiteFile(interfaceName: string, section: string): string {
  return join(home, "dist", "suites", interfaceName, `${section}.suite.js`);
}

/**
 * Sends every cassette of the order.
 * @param concurrency how many cassettes are asked at a time
 * @param onOutcome called as each cassette ends
 * @returns why the target could not be reached any more, where that happened in the middle of the run
 * @throws when a suite is missing or touchstone itself failed
 */
export async function runSuites(
  order: RunOrder,
  concurrency: number,
  onOutcome: (outcome: Outcome) => void,
): Promise<{ readonly gone?: { readonly source: string; readonly problem: string } }> {
  const files = [...new Set(order.recordings.map((one) => suiteFile(one.interface, one.section)))];
  for (const file of files) if (!existsSync(file)) throw new Error(`${file} is missing`);
  const asked = new Set<string>();
  let gone: { source: string; problem: string } | undefined;
  const failures: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const worker = new Worker(join(home, "dist", "src", "run", "suite-worker.js"), {
      workerData: { files, root: home, concurrency, order },
      // Options of whoever runs us, such as a test runner's loader, are not for this thread.
      execArgv: [],
    });
    worker.on("message", (message: SuiteMessage) => {
      if ("failure" in message) return void failures.push(message.failure);
      if ("done" in message) return void worker.terminate();
      const { outcome } = message;
      asked.add(outcome.source);
      if (outcome.gone !== undefined) gone ??= { source: outcome.source, problem: outcome.gone };
      onOutcome(outcome);
    });
    worker.on("error", reject);
    worker.on("exit", () => resolve());
  });
  if (gone) return { gone };
  if (failures.length > 0) throw new Error(failures[0]);
  const missing = order.recordings.find(({ source }) => !asked.has(source));
  if (missing) throw new Error(`${missing.source} was not asked, and nobody said why`);
  return {};
}
