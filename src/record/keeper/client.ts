/** The recorder's side of its keeper: starts the process, sends it frames, receives its messages. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Backpressure, ExchangeObserver } from "../../proxy/observer.ts";
import { UserError } from "../../user-error.ts";
import { builtProgram } from "../programs.ts";
import { yieldToTraffic } from "../tuning.ts";
import { createFrameEncoder } from "./frame-encoder.ts";
import type { Answer, KeeperMessage, KeeperSettings, Kept, Question } from "./messages.ts";

export interface Keeper {
  readonly observer: ExchangeObserver;
  /** A promise where the keeper lags behind so far that traffic had better wait. */
  readonly backpressure: Backpressure;
  /** What has come of exchanges that have not ended; undefined when the keeper has ended. One question at a time. */
  readonly look: (question: Question) => Promise<Answer | undefined>;
  /** Waits until everything is written; undefined when the keeper did not live to say what it has. */
  readonly finish: () => Promise<Kept | undefined>;
}

/** Bytes on their way to the keeper, beyond what the system takes, at which traffic waits for it. */
const mostWaiting = 4 << 20;

/** Starts the keeper; throws UserError where it cannot create the cassette. */
export async function startKeeper(settings: KeeperSettings, trouble: (what: string) => void): Promise<Keeper> {
  // In a group of its own: Ctrl+C, and the kill of a whole group, leave it time to write.
  const child = spawn(process.execPath, ["--expose-gc", builtProgram("keeper/keeper")], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  yieldToTraffic(child.pid);
  const { stdin } = child;
  const closed = once(child, "close");
  let kept: Kept | undefined;
  let phase: "starting" | "running" | "ending" = "starting";
  let ready = (): void => {};
  let refuse = (_: Error): void => {};
  const started = new Promise<void>((resolve, reject) => {
    ready = resolve;
    refuse = reject;
  });
  let answered = (_: Answer | undefined): void => {};
  const receive = (message: KeeperMessage): void => {
    if ("ready" in message) ready();
    else if ("answer" in message) answered(message.answer);
    else if ("trouble" in message) trouble(message.trouble);
    else if ("kept" in message) kept = message.kept;
    else {
      const { message: what, remedy } = message.failure;
      if (phase === "starting") refuse(remedy === undefined ? new Error(what) : new UserError(what, remedy));
      else trouble(what);
    }
  };
  createInterface({ input: child.stdout }).on("line", (line) => receive(JSON.parse(line)));
  stdin.on("error", () => {});
  child.on("error", refuse);
  child.on("close", () => {
    answered(undefined);
    refuse(new Error("the recording process ended before it began"));
    if (phase === "running") trouble("the recording process has ended; traffic goes on without being recorded");
  });
  stdin.write(`${JSON.stringify(settings)}\n`);
  let caughtUp: Promise<void> | undefined;
  await started;
  phase = "running";

  const observer = createFrameEncoder({
    write: (bytes) => stdin.writable && stdin.write(bytes),
    cork: () => stdin.cork(),
    uncork: () => stdin.uncork(),
    empty: () => stdin.writableLength === 0 || !stdin.writable,
    emptied: () => new Promise((resolve) => void stdin.write("", () => resolve())),
  });

  return {
    observer,
    backpressure() {
      if (stdin.writableLength <= mostWaiting || !stdin.writable) return undefined;
      caughtUp ??= Promise.race([once(stdin, "drain"), closed]).then(
        () => void (caughtUp = undefined),
        () => void (caughtUp = undefined),
      );
      return caughtUp;
    },
    look(question) {
      if (phase !== "running" || !stdin.writable) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        answered = resolve;
        observer.look(JSON.stringify(question));
      });
    },
    async finish() {
      phase = "ending";
      // Frames that gather are written now.
      observer.flush?.();
      stdin.end();
      await closed;
      return kept;
    },
  };
}
