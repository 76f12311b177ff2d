/** Stops a run early when one of its limits is reached. */
import { setMaxListeners } from "node:events";
import { UserError } from "../../user-error.ts";

export interface RunLimits {
  /** Aborted when the run is to end. */
  readonly signal: AbortSignal;
  /** Ends the run; the first reason stands. */
  stop(why: string): void;
  /** Gives the value of `ask`; undefined if the run was ended meanwhile. */
  within<T>(ask: () => Promise<T>): Promise<T | undefined>;
  /** The error of a run that ended after so many of all its sources. */
  stoppedAfter(done: number, all: number): UserError;
  /** Forgets the limit on time. */
  close(): void;
}

/** @param seconds that the run may take from now on; undefined without a limit */
export function createRunLimits(seconds: number | undefined): RunLimits {
  const controller = new AbortController();
  const { signal } = controller;
  // Every request in flight, and every one that waits, listens.
  setMaxListeners(0, signal);
  let because = "";
  const stop = (why: string): void => {
    if (signal.aborted) return;
    because = why;
    controller.abort();
  };
  const timer =
    seconds === undefined
      ? undefined
      : setTimeout(() => stop(`bound on time, ${seconds} s (--max-time)`), seconds * 1000);
  return {
    signal,
    stop,
    async within(ask) {
      try {
        const value = await ask();
        return signal.aborted ? undefined : value;
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
    stoppedAfter: (done, all) =>
      new UserError(
        `stopped after ${done} of ${all} recordings and groups of probes: ${because}`,
        "The results so far do not count. Ask for less, for example with --max-requests, or allow more.",
      ),
    close: () => clearTimeout(timer),
  };
}
