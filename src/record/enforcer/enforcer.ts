/**
 * Decides for `--enforce` whether requests are refused, in threads beside the traffic and within bounds: what exceeds them passes unjudged,
 * and that is told.
 */
import { Worker } from "node:worker_threads";
import type { Refusal } from "../../interfaces/refusal.ts";
import type { Screen } from "../../proxy/screen.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { builtProgram } from "../programs.ts";
import type { EnforcerAnswer, EnforcerSettings } from "./messages.ts";

export interface Enforcer {
  /** Bytes of a request's body that are judged; the caller lets larger ones pass. */
  readonly mostBytes: number;
  /** How to refuse a request; undefined where it passes. Never rejects. */
  readonly refusal: (request: WireRequest) => Promise<Refusal | undefined>;
  readonly close: () => Promise<void>;
}

const mostBytes = 4 << 20;

/** A body of more bytes may take long; one such request is judged at a time, so that the others never wait for it. */
const large = 64 << 10;

/** Threads that judge, each one request at a time. */
const threads = 3;

/** Milliseconds that a request may wait for a thread, and as many that judging it may take. */
const mostWait = 2_000;

/** Milliseconds before a thread that could not begin is started again. */
const rest = 1_000;

/** MiB of memory of a thread. */
const mostMemory = 256;

interface Job {
  readonly request: WireRequest;
  readonly settle: (refusal?: Refusal) => void;
  /** Runs while the job waits, and again while it is judged. */
  timer: NodeJS.Timeout;
}

interface Seat {
  worker: Worker;
  ready: boolean;
  job?: Job | undefined;
}

const isLarge = ({ request }: Job): boolean => request.body.length > large;

/**
 * Starts the threads; resolves when two can judge.
 * Rejects where it cannot begin.
 * @param onSkip told, in a line, why a request passes unjudged
 */
export async function startEnforcer(
  settings: EnforcerSettings,
  onSkip: (why: string) => void,
  patience = mostWait,
): Promise<Enforcer> {
  const seats: Seat[] = [];
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

  /** Puts a fresh thread in a seat. */
  function renew(seat: Seat): void {
    const { job } = seat;
    seat.job = undefined;
    seat.ready = false;
    if (job) skip(job, "it could not be judged");
    if (!closed) seat.worker = start(seat);
  }

  function start(seat: Seat): Worker {
    const worker = new Worker(builtProgram("enforcer/worker"), {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: mostMemory },
    });
    worker.unref();
    worker.on("message", (answer: EnforcerAnswer) => hear(seat, worker, answer));
    // Out of memory, for one; the exit follows.
    worker.on("error", () => {});
    worker.on("exit", () => {
      if (closed || seat.worker !== worker) return;
      refused(new Error("the thread that judges for --enforce ended before it began"));
      if (seat.ready) renew(seat);
      else setTimeout(renew, rest, seat).unref();
    });
    return worker;
  }

  function hear(seat: Seat, worker: Worker, answer: EnforcerAnswer): void {
    if (seat.worker !== worker) return;
    const { job } = seat;
    seat.job = undefined;
    if (answer.ready) {
      seat.ready = true;
      // One more than a large request may take.
      if (seats.filter(({ ready }) => ready).length > 1) begun();
    } else if (job && answer.unjudged !== undefined) skip(job, answer.unjudged);
    else if (job) {
      clearTimeout(job.timer);
      job.settle(answer.refusal);
    }
    work();
  }

  /** Gives what waits to the threads that are free. */
  function work(): void {
    for (const seat of seats) {
      if (!seat.ready || seat.job) continue;
      const busy = seats.some(({ job }) => job && isLarge(job));
      const at = busy ? queue.findIndex((job) => !isLarge(job)) : 0;
      const [job] = at < 0 ? [] : queue.splice(at, 1);
      if (!job) return;
      seat.job = job;
      clearTimeout(job.timer);
      job.timer = setTimeout(hung, patience, seat, job);
      seat.worker.postMessage(job.request);
    }
  }

  function hung(seat: Seat, job: Job): void {
    if (seat.job !== job) return;
    seat.job = undefined;
    skip(job, `judging it took more than ${patience / 1000} s`);
    void seat.worker.terminate();
    renew(seat);
  }

  function waited(job: Job): void {
    const at = queue.indexOf(job);
    if (at < 0) return;
    queue.splice(at, 1);
    skip(job, `no thread was free to judge it for ${patience / 1000} s`);
  }

  for (let i = 0; i < threads; i++) {
    const seat = { ready: false } as Seat;
    seat.worker = start(seat);
    seats.push(seat);
  }
  await ready;
  return {
    mostBytes,
    refusal: (request) =>
      new Promise((settle) => {
        const job: Job = { request, settle, timer: setTimeout(() => waited(job), patience) };
        queue.push(job);
        work();
      }),
    async close() {
      closed = true;
      for (const job of queue.splice(0)) clearTimeout(job.timer);
      await Promise.all(seats.map(({ worker }) => worker.terminate()));
    },
  };
}

/** The enforcer as the proxy asks it. Rejects where it cannot begin. */
export async function startScreen(
  settings: EnforcerSettings,
  onSkip: (why: string) => void,
): Promise<Screen & Pick<Enforcer, "close">> {
  const { mostBytes, refusal, close } = await startEnforcer(settings, onSkip);
  const judge: Screen["judge"] = async (request) => {
    const refused = await refusal(request);
    return refused && { ...refused, type: "application/json" };
  };
  return { mostBytes, judge, onSkip, close };
}
