/** Stops a run early when one of its limits is reached. */
import { setMaxListeners } from "node:events";
import { UserError } from "../../user-error.ts";

export interface Stop {
  /** Aborted when the run is to end. */
  readonly signal: AbortSignal;
  /** Ends the run; what was told first stands. */
  end(why: string): void;
  /** What comes of something that ends with the run; undefined where the run was ended meanwhile. */
  within<T>(ask: () => Promise<T>): Promise<T | undefined>;
  /** Why the run ended, after so many of all it was to ask. */
  told(done: number, all: number): UserError;
  /** Forgets the bound on time. */
  close(): void;
}

/** @param seconds that the run may take from now on; undefined without a bound */
export function createStop(seconds: number | undefined): Stop {
  const controller = new AbortController();
  const { signal } = controller;
  // Every request in flight, and every one that waits, listens.
  setMaxListeners(0, signal);
  let because = "";
  const end = (why: string): void => {
    if (signal.aborted) return;
    because = why;
    controller.abort();
  };
  const timer =
    seconds === undefined
      ? undefined
      : setTimeout(() => end(`bound on time, ${seconds} s (--max-time)`), seconds * 1000);
  return {
    signal,
    end,
    async within(ask) {
      try {
        const value = await ask();
        return signal.aborted ? undefined : value;
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
    told: (done, all) =>
      new UserError(
        `stopped after ${done} of ${all} recordings and groups of probes: ${because}`,
        "What was judged so far does not count. Ask for less, for example with --max-requests, or allow more.",
      ),
    close: () => clearTimeout(timer),
  };
}
