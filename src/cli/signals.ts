/** The signals that end what runs until it is told to end. */

/** Calls `first` at the first signal to end, `second` at the second; a third ends the process at once. */
export function onSignals(first: () => void, second: () => void): void {
  let count = 0;
  const onSignal = (): void => {
    count++;
    if (count === 1) first();
    else if (count === 2) second();
    else process.exit(2);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
}
