/** Tries cases on a client, several at a time, and more while the processor has nothing to do: many cases only wait. */
import { setMaxListeners } from "node:events";
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { createAnswers } from "../answers.ts";
import type { Case } from "../case.ts";
import type { ClientUnderTest } from "../client-under-test.ts";
import type { InterfaceName } from "../interface-names.ts";
import { type TriedCase, type TryOptions, tryCase } from "./try-case.ts";

/** A case in one interface. */
export interface Planned {
  readonly one: Case;
  readonly interface: InterfaceName;
}

export interface RunCasesOptions extends TryOptions {
  /** Cases under way at a time. */
  readonly concurrency: number;
  /** Cases under way at a time while the processor is idle; as many as `concurrency` unless said. */
  readonly whileIdle?: number | undefined;
  /** Told of each case when it was tried, in the order in which they end. */
  readonly done?: (tried: TriedCase, planned: Planned) => void;
}

/** Milliseconds between two looks at the processor. */
const lookPause = 200;

/** Milliseconds that all processors have spent so far, and those without work. */
function processorTimes(): { readonly all: number; readonly idle: number } {
  const times = cpus().map((one) => one.times);
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { all, idle: times.reduce((sum, { idle }) => sum + idle, 0) };
}

/** Resolves once all were tried, with what was seen in the order of the plan; those left out after an abort are missing. */
export async function runCases(
  answers: ReturnType<typeof createAnswers>,
  client: ClientUnderTest,
  plan: readonly Planned[],
  { concurrency, whileIdle = concurrency, done, ...options }: RunCasesOptions,
): Promise<readonly (TriedCase | undefined)[]> {
  // Each case listens to it.
  if (options.signal) setMaxListeners(0, options.signal);
  const tried: (TriedCase | undefined)[] = plan.map(() => undefined);
  const running = new Set<Promise<void>>();
  const attempt = async (i: number): Promise<void> => {
    const planned = plan[i]!;
    const own = await tryCase(answers, client, planned.one, planned.interface, options);
    if (options.signal?.aborted) return;
    tried[i] = own;
    done?.(own, planned);
  };
  let next = 0;
  const start = (): void => {
    const attempted = attempt(next++).finally(() => running.delete(attempted));
    running.add(attempted);
  };
  const hasMore = (): boolean => next < plan.length && !options.signal?.aborted;
  while (hasMore()) {
    const before = processorTimes();
    while (hasMore() && running.size < concurrency) start();
    if (running.size >= whileIdle) await Promise.race(running);
    else {
      const look = new AbortController();
      await Promise.race([...running, sleep(lookPause, undefined, { signal: look.signal }).catch(() => {})]);
      look.abort();
      const { all, idle } = processorTimes();
      // One place is free, or one is made where half of the processors had nothing to do.
      if (hasMore() && running.size >= concurrency && idle - before.idle > (all - before.all) / 2) start();
    }
  }
  await Promise.all(running);
  return tried;
}
