/** Waits for a processor that has nothing to do: judging comes last, and low priority alone leaves it a third of a busy machine. */
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds between two looks, and how many of them all processors together must have been idle. */
const look = 50;
const idleEnough = 10;

/** The longest wait in milliseconds: judging goes on, slowly, however busy the machine is. */
const maxWaitMs = 500;

const idleTime = (): number => cpus().reduce((sum, { times }) => sum + times.idle, 0);

/** Resolves when a processor was idle for a while, when it took too long, or when `needless` says so. */
export async function untilIdle(needless: () => boolean): Promise<void> {
  for (let waited = 0; waited < maxWaitMs && !needless(); waited += look) {
    const before = idleTime();
    await sleep(look);
    if (idleTime() - before >= idleEnough) return;
  }
}
