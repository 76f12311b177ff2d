/** The recorder's side of its keeper: sends it frames, and replaces it when it ends before its time. */
import { once } from "node:events";
import { type Position, positionOf } from "../../cassette/open-for-writing.ts";
import type { Backpressure, ExchangeObserver } from "../../proxy/observer.ts";
import { isStopped, whenStill } from "../stillness.ts";
import { createFrameEncoder } from "./frame-encoder.ts";
import { createFrameLog } from "./frame-log.ts";
import type { Answer, KeeperMessage, KeeperSettings, KeeperState, Kept, Question, Refused } from "./messages.ts";
import { type KeeperProcess, startProcess } from "./process.ts";
import { noticeWaits } from "./waits.ts";

export interface Keeper {
  readonly observer: ExchangeObserver;
  /** A promise where the keeper lags behind so far that traffic had better wait. */
  readonly backpressure: Backpressure;
  /** The state of exchanges that have not ended; undefined while no keeper can tell. One question at a time. */
  readonly look: (question: Question) => Promise<Answer | undefined>;
  /** Waits until everything is written, unless the keeper ends before or stands still. */
  readonly finish: () => Promise<Stored>;
}

/** The outcome of all exchanges. */
export interface Stored extends Kept {
  /** Exchanges that began and are not in the cassette, since a keeper ended or stands still. */
  readonly missing: number;
}

export interface KeeperEvents {
  /** A sentence about what failed: exchanges may be missing. */
  readonly trouble: (what: string) => void;
  /** A sentence about what takes long. */
  readonly notice: (what: string) => void;
  /** No keeper can be had: nothing is stored any more. */
  readonly over: () => void;
}

/** Bytes on their way to the keeper, beyond what the system takes, at which traffic waits for it. */
const maxWaiting = 4 << 20;

/** Keepers in a row that may end early without having stored anything. */
const maxFailures = 5;

/** Milliseconds after which the end of a keeper is no early one. */
const longEnough = 10_000;

const exchanges = (count: number): string => (count === 1 ? "1 exchange" : `${count} exchanges`);

/** Starts the keeper; throws UserError where it cannot create the cassette. */
export async function startKeeper(settings: KeeperSettings, events: KeeperEvents): Promise<Keeper> {
  const { out } = settings;
  const { trouble } = events;
  const log = createFrameLog();
  let phase: "running" | "ending" | "over" = "running";
  const isOver = (): boolean => phase === "over";
  let kept: Kept | undefined;
  let answered = (_: Answer | undefined): void => {};
  const receive = (message: KeeperMessage): void => {
    if ("state" in message) acknowledge(message.state);
    else if ("refused" in message) refuse(message.refused);
    else if ("answer" in message) answered(message.answer);
    else if ("trouble" in message) trouble(message.trouble);
    else if ("failure" in message) trouble(message.failure.message);
    else if ("kept" in message) kept = message.kept;
  };

  let keeper = startProcess(settings, receive);
  let state: KeeperState = { position: await keeper.ready, counts: { lost: 0, broken: 0 }, remembered: [] };
  /** Whether frames go to the keeper. A successor first opens the cassette, and receives what is not acknowledged. */
  let isReady = true;
  /** Resolves when a successor has taken what its predecessor left, or when none can be had. */
  let recovery: { readonly done: Promise<void>; readonly resolve: () => void } | undefined;
  let since = performance.now();
  /** Keepers that ended early one after the other, and what the cassette held before the first of them. */
  let failures = 0;
  let heldBefore = 0;
  /** Why the last one could not begin. */
  let reason: string | undefined;
  /** Exchanges that have begun. */
  let begun = 0;
  const missingOf = ({ lost, broken }: KeeperState["counts"], { exchanges }: Position): number =>
    Math.max(0, begun - exchanges - lost - broken);

  function acknowledge(now: KeeperState): void {
    log.acknowledge(now.position.exchanges - state.position.exchanges);
    state = now;
  }

  function refuse({ id, as, gap = state.gap }: Refused): void {
    log.forget(id);
    state = { ...state, gap, counts: { ...state.counts, [as]: state.counts[as] + 1 } };
  }

  function watch(process: KeeperProcess): void {
    void process.closed.then((how) => {
      answered(undefined);
      if (!isOver() && !kept) replace(how);
    });
  }

  /** Holds traffic and frames until a successor has taken over. */
  function interrupt(): Promise<void> {
    if (isOver()) return Promise.resolve();
    isReady = false;
    if (!recovery) {
      let resolve = (): void => {};
      const done = new Promise<void>((settle) => void (resolve = settle));
      recovery = { done, resolve };
      noteWait(done);
    }
    return recovery.done;
  }

  /** Starts another keeper. It receives the frames of all exchanges that are not in the cassette. */
  function replace(how: string): void {
    void interrupt();
    if (state.position.exchanges > heldBefore || performance.now() - since > longEnough) failures = 0;
    heldBefore = state.position.exchanges;
    failures++;
    if (failures === maxFailures) return void giveUp(how);
    // An exchange that takes too much memory would end every keeper.
    const poison = failures === maxFailures - 1 ? log.largest() : undefined;
    if (poison !== undefined) log.forget(poison);
    const next = startProcess({ ...settings, after: state }, receive);
    keeper = next;
    reason = undefined;
    since = performance.now();
    watch(next);
    next.ready.then(
      (position) => {
        acknowledge({ ...state, position });
        const lost = exchanges(poison === undefined ? 0 : 1);
        trouble(`the recording process ${how}; another one goes on with ${out}; lost in flight: ${lost}`);
        sendAgain(next);
      },
      ({ message }: Error) => void (reason = message),
    );
  }

  function sendAgain({ stdin }: KeeperProcess): void {
    isReady = true;
    for (const bytes of log.frames()) stdin.write(bytes);
    stdin.write("", (error) => {
      if (error) return;
      recovery?.resolve();
      recovery = undefined;
    });
    if (phase === "ending") stdin.end();
  }

  function giveUp(how: string): void {
    phase = "over";
    recovery?.resolve();
    const times = `${maxFailures} times in a row: ${reason ?? `it ${how}`}`;
    trouble(`the recording process ended ${times}; nothing can be stored any more, so the session ends`);
    events.over();
  }

  const noteWait = noticeWaits(() =>
    events.notice(`traffic waits for the recording process ${keeper.pid}, which has taken nothing for 2 s`),
  );
  watch(keeper);

  const encoder = createFrameEncoder({
    write(bytes, isStable) {
      if (isOver()) return;
      log.add(bytes, isStable);
      if (isReady && keeper.stdin.writable) keeper.stdin.write(bytes);
    },
    cork: () => keeper.stdin.cork(),
    uncork: () => keeper.stdin.uncork(),
    empty: () => phase !== "running" || (isReady && keeper.stdin.writable && keeper.stdin.writableLength === 0),
    emptied() {
      const { stdin } = keeper;
      if (!isReady || !stdin.writable) return interrupt();
      const wait = new Promise<void>((resolve) => {
        stdin.write("", (error) => resolve(error ? interrupt() : undefined));
      });
      noteWait(wait);
      return wait;
    },
  });
  const observer: typeof encoder = {
    ...encoder,
    open(id, opening) {
      log.begin(id);
      begun++;
      encoder.open(id, opening);
    },
    close(id, ending) {
      log.end(id);
      encoder.close(id, ending);
    },
  };

  let caughtUp: Promise<void> | undefined;

  /** How all ended where the keeper did not live to say it, or does not. */
  async function foundMissing(): Promise<Stored> {
    const position = (await positionOf(out, state.position)) ?? state.position;
    return { kept: position.exchanges, ...state.counts, missing: missingOf(state.counts, position) };
  }

  /** Resolves when the keeper has ended, with false; with true when it stands still. */
  async function standsStill(process: KeeperProcess): Promise<boolean> {
    const { pid, stdin, closed } = process;
    let end = (): void => {};
    const still = new Promise<true>((resolve) => {
      const awaited = () =>
        pid === undefined ? undefined : { pid, progress: `${state.position.bytes} ${stdin.writableLength}` };
      end = whenStill(awaited, () => resolve(true));
    });
    const isStill = await Promise.race([still, closed.then(() => false)]);
    end();
    return isStill;
  }

  /** Waits for the end of a keeper, and says where it stands still; false where it has to be left. */
  async function isEnded(process: KeeperProcess): Promise<boolean> {
    if (!(await standsStill(process))) return true;
    const { missing } = await foundMissing();
    trouble(`the recording process ${process.pid} stands still: ${exchanges(missing)} not written to ${out} yet`);
    const stopped = isStopped(process.pid!);
    if (stopped) process.wake();
    if (stopped && !(await standsStill(process))) return true;
    phase = "over";
    process.leave();
    return false;
  }

  return {
    observer,
    backpressure() {
      if (isOver()) return undefined;
      const { stdin, closed } = keeper;
      if (!isReady || !stdin.writable) return interrupt();
      if (stdin.writableLength <= maxWaiting) return undefined;
      if (!caughtUp) {
        caughtUp = Promise.race([once(stdin, "drain"), closed]).then(
          () => void (caughtUp = undefined),
          () => void (caughtUp = undefined),
        );
        noteWait(caughtUp);
      }
      return caughtUp;
    },
    look(question) {
      if (phase !== "running" || !isReady || !keeper.stdin.writable) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        answered = resolve;
        observer.look(JSON.stringify(question));
      });
    },
    async finish() {
      if (phase === "over") return foundMissing();
      // Frames that gather are written now.
      observer.flush?.();
      phase = "ending";
      if (isReady) keeper.stdin.end();
      for (let last: KeeperProcess | undefined; !kept && !isOver() && last !== keeper; ) {
        last = keeper;
        if (!(await isEnded(last))) return foundMissing();
      }
      if (kept) return { ...kept, missing: Math.max(0, begun - kept.kept - kept.lost - kept.broken) };
      return foundMissing();
    },
  };
}
