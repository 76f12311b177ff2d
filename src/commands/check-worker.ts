/** Judges tasks in a worker thread: a task comes in, what was judged goes out, or an error as plain data. */
import { parentPort, workerData } from "node:worker_threads";
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { judgeTask, type Task } from "./check-work.ts";
import { judgingFrom } from "./options.ts";

const { args, side, failsAt } = workerData;
const bench = { catalogue: await loadCatalogue(), ...judgingFrom(args), side, failsAt };

parentPort?.on("message", (task: Task) => {
  judgeTask(task, bench).then(
    (judged) => parentPort?.postMessage({ judged }),
    (error: Error & { remedy?: string }) =>
      parentPort?.postMessage({ error: { message: error.message, stack: error.stack, remedy: error.remedy } }),
  );
});
