/** Shares the tasks of `check` among workers, and hands their outcomes out in the order of the tasks. */
import { Worker } from "node:worker_threads";
import type { Judged, Task } from "./check-work.ts";
import { UserError } from "./failure.ts";

interface Answer {
  readonly judged?: Judged;
  readonly error?: { readonly message: string; readonly stack?: string; readonly remedy?: string };
}

function failureOf({ message, stack, remedy }: NonNullable<Answer["error"]>): Error {
  return remedy === undefined ? Object.assign(new Error(message), { stack }) : new UserError(message, remedy);
}

/** How far workers may run ahead of the task whose turn it is, so that outcomes do not pile up. */
const ahead = 4;

/** Judges `tasks` on `jobs` threads. Rejects with the first task's failure; workers end either way. */
export async function* judgeInWorkers(
  tasks: readonly Task[],
  jobs: number,
  workerData: object,
): AsyncGenerator<Judged> {
  const workers = Array.from(
    { length: Math.min(jobs, tasks.length) },
    () => new Worker(new URL("./check-worker.js", import.meta.url), { workerData }),
  );
  const idle = [...workers];
  const outcomes = new Map<number, Promise<Judged>>();
  let next = 0;
  const ask = (worker: Worker, task: Task): Promise<Judged> =>
    new Promise<Judged>((resolve, reject) => {
      const settle = ({ judged, error }: Answer): void => {
        worker.off("error", reject);
        idle.push(worker);
        if (judged) resolve(judged);
        else reject(failureOf(error ?? { message: "a worker gave no answer" }));
      };
      worker.once("message", settle);
      worker.once("error", reject);
      worker.postMessage(task);
    });
  const feed = (turn: number): void => {
    while (idle.length > 0 && next < tasks.length && next < turn + workers.length * ahead) {
      const outcome = ask(idle.pop()!, tasks[next]!);
      // Failures are met when the outcome's turn comes; workers without work take the next task as soon as they are free.
      outcome.then(() => feed(turn)).catch(() => undefined);
      outcomes.set(next++, outcome);
    }
  };
  try {
    for (let turn = 0; turn < tasks.length; turn++) {
      feed(turn);
      while (!outcomes.has(turn)) await Promise.race(outcomes.values());
      yield await outcomes.get(turn)!;
      outcomes.delete(turn);
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
