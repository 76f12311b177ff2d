/** The follower's side of its judge: asks it, ends it where it stalls, and starts it anew. */
import type { ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import type { JudgedExchange } from "../../verdict/judged-exchange.ts";
import { type Ending, hear } from "../../worker.ts";
import { whenStill } from "../stillness.ts";
import { launchJudge } from "./launch.ts";
import type { BatchRequest, BatchResult, FromJudge, JudgeSettings, ToJudge } from "./messages.ts";

/** The judge ended before it answered: it crashed, was killed, or came to no end. */
export class JudgeEnded extends Error {
  /** The exchange it worked on, where one was asked for by itself. */
  readonly exchange: JudgedExchange | undefined;
  constructor(how: string, exchange: JudgedExchange | undefined) {
    super(`the judging process ${how}`);
    this.exchange = exchange;
  }
}

export interface JudgeOptions {
  readonly settings: JudgeSettings;
  /** Whether all other processes go first, until files grow no more. */
  readonly yields?: boolean;
  /** Called when the judge stands still once files grow no more. */
  readonly onStill?: (pid: number) => void;
  /** The program; tests name one that fails. */
  readonly program?: string;
  /** Seconds of processor time that a request may take beside those for its bytes. */
  readonly maxProcessorSeconds?: number;
}

export interface JudgeClient {
  /** Rejects with JudgeEnded, after which one may ask again; with the failure's own error where the judge says so. */
  request(request: BatchRequest): Promise<BatchResult>;
  /** Files grow no more: it does not wait for that, and yields to nobody from here on. */
  finish(): void;
  /** Starts the process, which takes its time, before the first request. */
  start(): void;
  end(): void;
}

/** Seconds of processor time a request may take: some hundred times what judging takes. */
const defaultSeconds = { always: 20, perMegabyte: 10 };
/** How many times as long the clock on the wall may take, where processor time cannot be seen: others may be busy, too. */
const wallFactor = 10;

/** Seconds of processor time a process has taken; undefined where the system does not say. */
function processorTime(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Behind the name, which may hold anything: the state, and ten fields later the ticks, a hundred a second.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}

/** Low: all others go first where processors are few. */
function setPriorityOf(pid: number, priority: "low" | "normal"): void {
  const nice = priority === "low" ? constants.priority.PRIORITY_LOW : constants.priority.PRIORITY_NORMAL;
  // If Linux groups processes by session, a process of a session of its own has the group's priority.
  for (const set of [() => setPriority(pid, nice), () => writeFileSync(`/proc/${pid}/autogroup`, String(nice))])
    try {
      set();
    } catch {
      // Some systems do not permit that, or have no such groups; the priority stays as it is then.
    }
}

function howItEnded({ error, code, signal }: Ending): string {
  if (error) return `cannot be started: ${error.message}`;
  return signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
}

interface Pending {
  readonly resolve: (result: BatchResult) => void;
  readonly reject: (error: Error) => void;
  /** Bytes that are asked for; undefined where the judge waits for them. */
  readonly bytes: number | undefined;
  announced: JudgedExchange | undefined;
}

/** The work of a judge, and since when: seconds of the wall, and of its processor time if the system says it. */
interface Work {
  readonly bytes: number;
  readonly wall: number;
  readonly spent: number | undefined;
}

/** A judge that is started at the first request, and again at the next when it has ended. Takes one request at a time. */
export function createJudge({
  settings,
  yields,
  onStill,
  program,
  maxProcessorSeconds = defaultSeconds.always,
}: JudgeOptions): JudgeClient {
  let child: ChildProcess | undefined;
  let pending: Pending | undefined;
  /** Unset while it starts, or waits for a file to grow. */
  let work: Work | undefined;
  let isReady = false;
  let finished = false;
  /** Ended by whoever uses it: no process is started any more. */
  let isEnded = false;
  /** The bytes that the process has in memory to judge, since no file holds them. */
  let lastBytes: Uint8Array | undefined;
  let stalled = false;
  let watch: NodeJS.Timeout | undefined;
  let stopWaiting = (): void => {};
  let letGo = (): void => {};

  const send = (message: ToJudge): void => void child?.send(message, () => {});
  const kill = (): void => void child?.kill("SIGKILL");

  /** Takes the pending request, which is over. */
  function settle(): Pending | undefined {
    const one = pending;
    pending = undefined;
    work = undefined;
    clearInterval(watch);
    return one;
  }

  function startClock(bytes: number | undefined): void {
    if (bytes === undefined) return;
    const spent = child?.pid === undefined ? undefined : processorTime(child.pid);
    work = { bytes, wall: performance.now() / 1000, spent };
  }

  function receive(message: FromJudge, { pid }: ChildProcess): void {
    if ("ready" in message) {
      isReady = true;
      // Not before: where processors are busy, a start at low priority would take minutes.
      if (yields && !finished) setPriorityOf(pid!, "low");
    }
    if (!pending) return;
    if ("ready" in message) startClock(pending.bytes);
    else if ("progress" in message) {
      if ("exchange" in message.progress) pending.announced = message.progress.exchange;
      else startClock(message.progress.bytes);
    } else if ("result" in message) settle()!.resolve(message.result);
    else {
      const { message: what, remedy, stack } = message.failure;
      settle()!.reject(Object.assign(new Error(what), remedy === undefined ? { stack } : { remedy }));
    }
  }

  function start(): void {
    letGo();
    const started = launchJudge(program);
    child = started;
    lastBytes = undefined;
    stalled = false;
    isReady = false;
    letGo = hear(started, {
      onMessage: (message: FromJudge) => receive(message, started),
      onEnd(ending) {
        child = undefined;
        const one = settle();
        one?.reject(new JudgeEnded(stalled ? "came to no end" : howItEnded(ending), one.announced));
      },
    });
    send({ settings });
    if (finished) send({ finish: true });
  }

  /** Ends a judge that has worked longer than any such work takes. */
  function endIfStalled(): void {
    if (!work || child?.pid === undefined) return;
    const allowed = maxProcessorSeconds + (work.bytes / (1 << 20)) * defaultSeconds.perMegabyte;
    const now = processorTime(child.pid);
    const isOver =
      now === undefined || work.spent === undefined
        ? performance.now() / 1000 - work.wall > wallFactor * allowed
        : now - work.spent > allowed;
    if (!isOver) return;
    stalled = true;
    kill();
  }

  return {
    request: (request) =>
      new Promise<BatchResult>((resolve, reject) => {
        if (isEnded) return reject(new JudgeEnded("was ended", undefined));
        if (!child) start();
        const bytes = request.bytes === lastBytes ? null : request.bytes;
        lastBytes = request.bytes ?? undefined;
        // Waiting for a file to grow is no work.
        const asked = request.growing ? undefined : Math.max(0, request.to - request.at);
        pending = { resolve, reject, bytes: asked, announced: undefined };
        if (isReady) startClock(asked);
        watch = setInterval(endIfStalled, 1000 * Math.min(1, maxProcessorSeconds / 4)).unref();
        send({ request: { ...request, ...(bytes !== undefined && { bytes }) } });
      }),
    finish() {
      finished = true;
      if (yields && isReady && child?.pid !== undefined) setPriorityOf(child.pid, "normal");
      send({ finish: true });
      if (!onStill || isEnded) return;
      const awaited = () =>
        pending && child?.pid !== undefined ? { pid: child.pid, progress: work?.wall } : undefined;
      stopWaiting = whenStill(awaited, onStill);
    },
    start,
    end() {
      isEnded = true;
      stopWaiting();
      kill();
      letGo();
      const ending = child;
      child = undefined;
      settle()?.reject(new JudgeEnded("was ended", undefined));
      ending?.disconnect?.();
    },
  };
}
