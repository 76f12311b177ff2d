/** Limits concurrency across recordings and probes. A recording that waits for time to pass frees its slot. */

/** Places, and those who wait for one. */
export interface Slots {
  /** How many there are. */
  readonly count: number;
  /** Does work in a place, after those who came before. */
  within<T>(work: () => Promise<T>): Promise<T>;
  /** Gives the place of work away while something else passes, and takes the next one that is free. */
  without<T>(meanwhile: () => Promise<T>): Promise<T>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  const take = (before: boolean): Promise<void> => {
    if (free > 0) {
      free--;
      return Promise.resolve();
    }
    return new Promise((resolve) => void (before ? waiting.unshift(resolve) : waiting.push(resolve)));
  };
  const give = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  return {
    count,
    async within(work) {
      await take(false);
      try {
        return await work();
      } finally {
        give();
      }
    },
    async without(meanwhile) {
      give();
      try {
        return await meanwhile();
      } finally {
        await take(true);
      }
    },
  };
}
