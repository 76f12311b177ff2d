/** The signals that end a command: what runs until it is told to end, and what would end by itself. */

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Calls `first` at the first signal to end, `second` at the second; a third ends the process at once. Until what it returns is called. */
export function onSignals(first: () => void, second: () => void): () => void {
  let count = 0;
  const onSignal = (): void => {
    count++;
    if (count === 1) first();
    else if (count === 2) second();
    else process.exit(2);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}

/**
 * Ends the process with exit code 2 at a signal to end, having said how far it was; until what it returns is called.
 * @param said the two lines: what was interrupted, and what to do
 */
export function onInterrupt(said: () => readonly [what: string, remedy: string]): () => void {
  const onSignal = (): void => {
    const [what, remedy] = said();
    process.stderr.write(`touchstone: interrupted at ${what}\n${remedy}\n`);
    process.exit(2);
  };
  for (const signal of signals) process.once(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
