/**
 * Decides for `--enforce` whether requests are refused, in threads beside the traffic and within bounds: what exceeds them passes unjudged,
 * and that is reported.
 */
import type { Worker } from "node:worker_threads";
import type { Refusal } from "../../interfaces/refusal.ts";
import type { Screen } from "../../proxy/screen.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { hear, startThread } from "../../worker.ts";
import type { EnforcerAnswer, EnforcerSettings } from "./messages.ts";

export interface Enforcer {
  /** Bytes of a request's body that are judged; the caller lets larger ones pass. */
  readonly maxBytes: number;
  /** How to refuse a request; undefined where it passes. Never rejects. */
  readonly refusal: (request: WireRequest) => Promise<Refusal | undefined>;
  readonly close: () => Promise<void>;
}

const maxBytes = 4 << 20;

/** A body of more bytes may take long; one such request is judged at a time, so that the others never wait for it. */
const large = 64 << 10;

/** Threads that judge, each one request at a time. */
const threads = 3;

/** Milliseconds that a request may wait for a thread, and as many that judging it may take. */
const maxWait = 2_000;

/** Milliseconds before a thread that could not begin is started again. */
const restartDelay = 1_000;

/** MiB of memory of a thread. */
const maxMemory = 256;

interface Job {
  readonly request: WireRequest;
  readonly settle: (refusal?: Refusal) => void;
  /** Runs while the job waits, and again while it is judged. */
  timer: NodeJS.Timeout;
}

/** One of the pool; its worker is replaced where it ends. */
interface Thread {
  worker: Worker;
  letGo: () => void;
  ready: boolean;
  job?: Job | undefined;
}

const isLarge = ({ request }: Job): boolean => request.body.length > large;

/**
 * Starts the threads; resolves when two can judge.
 * Rejects where it cannot begin.
 * @param onSkip called with a line that says why a request passes unjudged
 */
export async function startEnforcer(
  settings: EnforcerSettings,
  onSkip: (why: string) => void,
  maxWaitMs = maxWait,
): Promise<Enforcer> {
  const pool: Thread[] = [];
  const queue: Job[] = [];
  let closed = false;
  let begun = (): void => {};
  let refused = (_: Error): void => {};
  const ready = new Promise<void>((resolve, reject) => {
    begun = resolve;
    refused = reject;
  });

  function skip(job: Job, why: string): void {
    clearTimeout(job.timer);
    onSkip(why);
    job.settle();
  }

  /** Starts a worker in place of one that has ended. */
  function restart(thread: Thread): void {
    const { job } = thread;
    thread.job = undefined;
    thread.ready = false;
    if (job) skip(job, "it could not be judged");
    if (!closed) thread.worker = start(thread);
  }

  function start(thread: Thread): Worker {
    const worker = startThread("record/enforcer/worker", {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: maxMemory },
    });
    worker.unref();
    thread.letGo = hear(worker, {
      onMessage: (answer: EnforcerAnswer) => receive(thread, answer),
      onEnd() {
        if (closed) return;
        refused(new Error("the thread that judges for --enforce ended before it began"));
        if (thread.ready) restart(thread);
        else setTimeout(restart, restartDelay, thread).unref();
      },
    });
    return worker;
  }

  function receive(thread: Thread, answer: EnforcerAnswer): void {
    const { job } = thread;
    thread.job = undefined;
    if (answer.ready) {
      thread.ready = true;
      // One more than a large request may take.
      if (pool.filter(({ ready }) => ready).length > 1) begun();
    } else if (job && answer.unjudged !== undefined) skip(job, answer.unjudged);
    else if (job) {
      clearTimeout(job.timer);
      job.settle(answer.refusal);
    }
    assign();
  }

  /** Gives what waits to the threads that are free. */
  function assign(): void {
    for (const thread of pool) {
      if (!thread.ready || thread.job) continue;
      const busy = pool.some(({ job }) => job && isLarge(job));
      const at = busy ? queue.findIndex((job) => !isLarge(job)) : 0;
      const [job] = at < 0 ? [] : queue.splice(at, 1);
      if (!job) return;
      thread.job = job;
      clearTimeout(job.timer);
      job.timer = setTimeout(endStalled, maxWaitMs, thread, job);
      thread.worker.postMessage(job.request);
    }
  }

  function endStalled(thread: Thread, job: Job): void {
    if (thread.job !== job) return;
    thread.job = undefined;
    skip(job, `judging it took more than ${maxWaitMs / 1000} s`);
    thread.letGo();
    void thread.worker.terminate();
    restart(thread);
  }

  function waited(job: Job): void {
    const at = queue.indexOf(job);
    if (at < 0) return;
    queue.splice(at, 1);
    skip(job, `no thread was free to judge it for ${maxWaitMs / 1000} s`);
  }

  for (let i = 0; i < threads; i++) {
    const thread = { ready: false } as Thread;
    thread.worker = start(thread);
    pool.push(thread);
  }
  await ready;
  return {
    maxBytes,
    refusal: (request) =>
      new Promise((settle) => {
        const job: Job = { request, settle, timer: setTimeout(() => waited(job), maxWaitMs) };
        queue.push(job);
        assign();
      }),
    async close() {
      closed = true;
      for (const job of queue.splice(0)) clearTimeout(job.timer);
      await Promise.all(pool.map(({ worker }) => worker.terminate()));
    },
  };
}

/** The enforcer as the proxy asks it. Rejects where it cannot begin. */
export async function startScreen(
  settings: EnforcerSettings,
  onSkip: (why: string) => void,
): Promise<Screen & Pick<Enforcer, "close">> {
  const { maxBytes, refusal, close } = await startEnforcer(settings, onSkip);
  const judge: Screen["judge"] = async (request) => {
    const refused = await refusal(request);
    return refused && { ...refused, type: "application/json" };
  };
  return { maxBytes, judge, onSkip, close };
}
