/** The follower's side of its judge: asks it, ends it where it stalls, and starts it anew. */
import type { ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { launchJudge } from "./judge-launch.ts";
import type { Answer, Ask, FromJudge, JudgeSettings, Row, ToJudge } from "./judge-messages.ts";

/** The judge ended before it answered: it crashed, was killed, or came to no end. */
export class JudgeEnded extends Error {
  /** The exchange it was at, where one was asked for by itself. */
  readonly at: Row | undefined;
  constructor(how: string, at: Row | undefined) {
    super(`the judging process ${how}`);
    this.at = at;
  }
}

export interface JudgeOptions {
  readonly settings: JudgeSettings;
  /** Whether all others go first, until it is released. */
  readonly yields?: boolean;
  /** The program; tests name one that fails. */
  readonly program?: string;
  /** Seconds of processor time that an answer may take beside those for its bytes. */
  readonly patience?: number;
}

export interface JudgeLink {
  /** Rejects with JudgeEnded, after which one may ask again; with the failure's own error where the judge says so. */
  ask(ask: Ask): Promise<Answer>;
  /** Has it wait for files to grow no more, and go behind nobody from here on. */
  release(): void;
  /** Starts the process, which takes its time, before it is asked. */
  start(): void;
  end(): void;
}

/** Seconds of processor time an answer may take: some hundred times what judging takes. */
const patienceFor = { always: 20, perMegabyte: 10 };
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
  // Where Linux groups processes by session, a process of a session of its own has the group's priority.
  for (const set of [() => setPriority(pid, nice), () => writeFileSync(`/proc/${pid}/autogroup`, String(nice))])
    try {
      set();
    } catch {
      // Some systems do not let a process do that, or have no such groups; then it stays as it is.
    }
}

interface Asked {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  row: Row | undefined;
}

/** What a judge is at, and since when: seconds of the wall, and of its processor time where the system says it. */
interface Work {
  readonly bytes: number;
  readonly wall: number;
  readonly spent: number | undefined;
}

/** A judge that is started when it is first asked, and again when it is asked after it has ended. Takes one ask at a time. */
export function createJudge({ settings, yields, program, patience = patienceFor.always }: JudgeOptions): JudgeLink {
  let child: ChildProcess | undefined;
  let asked: Asked | undefined;
  /** Unset while it starts, or waits for a file to grow. */
  let work: Work | undefined;
  let isReady = false;
  let released = false;
  /** What the process was given to judge that stands in no file. */
  let given: Uint8Array | undefined;
  let stalled = false;
  let watch: NodeJS.Timeout | undefined;

  /** Bytes of the present ask; unset where it waits for them. */
  let asks: number | undefined;

  const send = (message: ToJudge): void => void child?.send(message, () => {});
  const kill = (): void => void child?.kill("SIGKILL");

  function settle(): Asked | undefined {
    const one = asked;
    asked = undefined;
    work = undefined;
    clearInterval(watch);
    return one;
  }

  function begins(bytes: number): void {
    const spent = child?.pid === undefined ? undefined : processorTime(child.pid);
    work = { bytes, wall: performance.now() / 1000, spent };
  }

  const beginsAsked = (): void => void (asks !== undefined && begins(asks));

  function start(): void {
    const started = launchJudge(program);
    child = started;
    given = undefined;
    stalled = false;
    isReady = false;
    const ended = (how: string): void => {
      if (child !== started) return;
      child = undefined;
      const one = settle();
      one?.reject(new JudgeEnded(how, one.row));
    };
    started.on("message", (message: FromJudge) => {
      if (child !== started) return;
      if ("ready" in message) {
        isReady = true;
        // Not before: where processors are busy, a start at low priority would take minutes.
        if (yields && !released) setPriorityOf(started.pid!, "low");
      }
      if (!asked) return;
      if ("ready" in message) beginsAsked();
      else if ("progress" in message) {
        if ("row" in message.progress) asked.row = message.progress.row;
        else begins(message.progress.bytes);
      } else if ("answer" in message) settle()!.resolve(message.answer);
      else {
        const { message: what, remedy, stack } = message.failure;
        settle()!.reject(Object.assign(new Error(what), remedy === undefined ? { stack } : { remedy }));
      }
    });
    started.on("error", (error) => ended(`cannot be started: ${error.message}`));
    started.on("exit", (code, signal) =>
      ended(stalled ? "came to no end" : signal ? `was ended by ${signal}` : `ended with exit code ${code}`),
    );
    send({ settings });
    if (released) send({ release: true });
  }

  /** Ends a judge that has worked longer than any such work takes. */
  function look(): void {
    if (!work || child?.pid === undefined) return;
    const allowed = patience + (work.bytes / (1 << 20)) * patienceFor.perMegabyte;
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
    ask: (ask) =>
      new Promise<Answer>((resolve, reject) => {
        if (!child) start();
        const bytes = ask.bytes === given ? null : ask.bytes;
        given = ask.bytes ?? undefined;
        asked = { resolve, reject, row: undefined };
        // Waiting for a file to grow is no work.
        asks = ask.growing ? undefined : Math.max(0, ask.to - ask.at);
        if (isReady) beginsAsked();
        watch = setInterval(look, 1000 * Math.min(1, patience / 4)).unref();
        send({ ask: { ...ask, ...(bytes !== undefined && { bytes }) } });
      }),
    release() {
      released = true;
      if (yields && isReady && child?.pid !== undefined) setPriorityOf(child.pid, "normal");
      send({ release: true });
    },
    start,
    end() {
      kill();
      const ending = child;
      child = undefined;
      settle()?.reject(new JudgeEnded("was ended", undefined));
      ending?.disconnect?.();
    },
  };
}
