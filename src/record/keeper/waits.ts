/** Notices that traffic waits for the keeper for long. */

/** Milliseconds of one wait that are told. */
const long = 2_000;

/** Milliseconds without a long wait after which the next one is told again. */
const apart = 10_000;

/** Milliseconds between looks. */
const rest = 500;

/** Takes everything that traffic waits for, and calls once when it waits for long; again when it did not for a while. */
export function noticeWaits(tell: () => void): (wait: Promise<unknown>) => void {
  /** When each wait began, in this order. */
  const waits = new Set<{ readonly since: number }>();
  let timer: NodeJS.Timeout | undefined;
  let lastLong = Number.NEGATIVE_INFINITY;

  function look(): void {
    const now = performance.now();
    const oldest = waits.values().next().value;
    if (!oldest) {
      clearInterval(timer);
      timer = undefined;
    } else if (now - oldest.since >= long) {
      if (now - lastLong > apart) tell();
      lastLong = now;
    }
  }

  return (wait) => {
    const one = { since: performance.now() };
    waits.add(one);
    void wait.then(() => void waits.delete(one));
    timer ??= setInterval(look, rest).unref();
  };
}
