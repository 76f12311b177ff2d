/** Does work that calls code of users often, and bounds it once. */
import type { Interface } from "./interface.ts";

/**
 * What the work gives. Code of users in it is bounded as a whole, or a call at a time where that takes too long.
 * @param work gives the same each time: it may be done twice, the first time in part
 */
export function boundedOnce<T>(interfaces: readonly Interface[], work: () => T): T {
  for (const { code } of interfaces)
    if (code) {
      const done = code.runWhole(work);
      return done ? done.value : work();
    }
  return work();
}
