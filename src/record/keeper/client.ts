/** The recorder's side of its keeper: sends it frames, and replaces it when it ends before its time. */
import { once } from "node:events";
import { type Position, positionOf } from "../../cassette/reopen.ts";
import type { Backpressure, ExchangeObserver } from "../../proxy/observer.ts";
import { isStopped, whenStill } from "../stillness.ts";
import { createFrameEncoder } from "./frame-encoder.ts";
import type { Answer, KeeperMessage, KeeperSettings, KeeperState, Kept, Question } from "./messages.ts";
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
  let phase: "running" | "ending" | "over" = "running";
  let kept: Kept | undefined;
  let answered = (_: Answer | undefined): void => {};
  const receive = (message: KeeperMessage): void => {
    if ("state" in message) state = message.state;
    else if ("answer" in message) answered(message.answer);
    else if ("trouble" in message) trouble(message.trouble);
    else if ("failure" in message) trouble(message.failure.message);
    else if ("kept" in message) kept = message.kept;
  };

  let keeper = startProcess(settings, receive);
  let state: KeeperState = { position: await keeper.ready, counts: { lost: 0, broken: 0 }, remembered: [] };
  let since = performance.now();
  /** Keepers that ended early one after the other, and what the cassette held before the first of them. */
  let failures = 0;
  let heldBefore = 0;
  /** Why the last one could not begin. */
  let reason: string | undefined;
  /** Exchanges that have begun, and those of them that nobody was told of yet. */
  let begun = 0;
  let untold = 0;
  /** Missing exchanges that were reported. */
  let reported = 0;
  const missingOf = (of: number, { lost, broken }: KeeperState["counts"], { exchanges }: Position): number =>
    Math.max(0, of - exchanges - lost - broken);

  function watch(process: KeeperProcess): void {
    void process.closed.then((how) => {
      answered(undefined);
      if (phase === "running") replace(how);
    });
  }

  /** Starts another keeper. Frames that wait go to it; of exchanges that began before, it drops them. */
  function replace(how: string): void {
    if (state.position.exchanges > heldBefore || performance.now() - since > longEnough) failures = 0;
    heldBefore = state.position.exchanges;
    failures++;
    if (failures === maxFailures) return void giveUp(how);
    const begunBefore = begun - untold;
    const next = startProcess({ ...settings, after: state }, receive);
    keeper = next;
    reason = undefined;
    since = performance.now();
    watch(next);
    next.ready.then(
      (position) => {
        const before = missingOf(begunBefore, state.counts, position);
        state = { ...state, position };
        const lost = Math.max(0, before - reported);
        reported += lost;
        trouble(`the recording process ${how}; another one goes on with ${out}; lost in flight: ${exchanges(lost)}`);
      },
      ({ message }: Error) => void (reason = message),
    );
  }

  function giveUp(how: string): void {
    phase = "over";
    const times = `${maxFailures} times in a row: ${reason ?? `it ${how}`}`;
    trouble(`the recording process ended ${times}; nothing can be stored any more, so the session ends`);
    events.over();
  }

  watch(keeper);

  const noteWait = noticeWaits(() =>
    events.notice(`traffic waits for the recording process ${keeper.pid}, which has taken nothing for 2 s`),
  );
  const encoder = createFrameEncoder({
    write: (bytes) => {
      untold = 0;
      return keeper.stdin.writable && keeper.stdin.write(bytes);
    },
    cork: () => keeper.stdin.cork(),
    uncork: () => keeper.stdin.uncork(),
    empty: () => keeper.stdin.writableLength === 0 || !keeper.stdin.writable,
    emptied() {
      const { stdin } = keeper;
      const wait = new Promise<void>((resolve) => void stdin.write("", () => resolve()));
      noteWait(wait);
      return wait;
    },
  });
  const observer: typeof encoder = {
    ...encoder,
    open(id, opening) {
      encoder.open(id, opening);
      begun++;
      untold++;
    },
  };

  let caughtUp: Promise<void> | undefined;

  /** How all ended where the keeper did not live to say it, or does not. */
  async function foundMissing(): Promise<Stored> {
    const position = (await positionOf(out, state.position)) ?? state.position;
    return { kept: position.exchanges, ...state.counts, missing: missingOf(begun, state.counts, position) };
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

  return {
    observer,
    backpressure() {
      const { stdin, closed } = keeper;
      if (stdin.writableLength <= maxWaiting || !stdin.writable) return undefined;
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
      if (phase !== "running" || !keeper.stdin.writable) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        answered = resolve;
        observer.look(JSON.stringify(question));
      });
    },
    async finish() {
      if (phase === "over") return foundMissing();
      phase = "ending";
      // Frames that gather are written now.
      observer.flush?.();
      keeper.stdin.end();
      if (await standsStill(keeper)) {
        const { missing } = await foundMissing();
        trouble(`the recording process ${keeper.pid} stands still: ${exchanges(missing)} not written to ${out} yet`);
        const stopped = isStopped(keeper.pid!);
        if (stopped) keeper.wake();
        if (!stopped || (await standsStill(keeper))) {
          keeper.leave();
          return foundMissing();
        }
      }
      if (kept) return { ...kept, missing: Math.max(0, begun - kept.kept - kept.lost - kept.broken) };
      const stored = await foundMissing();
      trouble(
        `the recording process ${await keeper.closed} before all was written; ${out} may lack the last exchanges`,
      );
      return stored;
    },
  };
}
