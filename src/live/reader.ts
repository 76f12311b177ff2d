/** Asks the reader, a thread that is started with the first question. */
import type { Worker } from "node:worker_threads";
import { UserError } from "../user-error.ts";
import { hear, startThread } from "../worker.ts";
import type { Answers, QuestionName, Questions, ReaderSettings, Replied } from "./reader-messages.ts";

export interface Reader {
  /** Rejects with UserError where that cannot be had. */
  ask<K extends QuestionName>(name: K, question: Questions[K]): Promise<Answers[K]>;
  close(): Promise<void>;
}

/** Questions that may wait: pages ask one at a time. */
const maxWaiting = 64;

const busy = (): UserError => new UserError("too much is asked at once", "Try it again in a moment.");

export function createReader(settings: ReaderSettings): Reader {
  let worker: Worker | undefined;
  let waiting: ((replied: Replied) => void)[] = [];

  function start(): Worker {
    const one = startThread("live/reader-worker", { workerData: settings });
    hear(one, {
      onMessage: (replied: Replied) => waiting.shift()?.(replied),
      onEnd() {
        if (worker === one) worker = undefined;
        const all = waiting;
        waiting = [];
        for (const reply of all) reply({ failure: "the thread that reads exchanges has ended" });
      },
    });
    one.unref();
    return one;
  }

  return {
    async ask(name, question) {
      if (waiting.length >= maxWaiting) throw busy();
      worker ??= start();
      const replied = await new Promise<Replied>((resolve) => {
        waiting.push(resolve);
        worker!.postMessage({ name, question });
      });
      if ("answer" in replied) return replied.answer as Answers[typeof name];
      throw new UserError(replied.failure, replied.remedy ?? "touchstone check reads the cassette as well.");
    },
    async close() {
      const one = worker;
      worker = undefined;
      await one?.terminate();
    },
  };
}
