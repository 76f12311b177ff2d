/** Stands between a terminal and a program: passes signals on, and waits until the program has ended. */
import { closeSync, openSync } from "node:fs";
import type { Program, ProgramEnd } from "./program.ts";

/** Whether this process has a terminal, which sends its signals (Ctrl+C, Ctrl+Z) to all processes of our group. */
export function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

const passedOn = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/**
 * Starts a program, and passes signals on until it has ended; those that come before it runs are passed on once it does. Ctrl+C never ends it on a terminal, as many programs read it as a key; the second
 * of other signals does, with all it started.
 * @param sharesGroup whether the terminal's signals reach the program by themselves
 */
export async function supervise(start: () => Promise<Program>, sharesGroup: boolean): Promise<ProgramEnd> {
  let asked = 0;
  let program: Program | undefined;
  const early: NodeJS.Signals[] = [];
  const listeners = passedOn.map((signal) => {
    const fromTerminal = sharesGroup && (signal === "SIGINT" || signal === "SIGQUIT");
    const listener = (): void => {
      if (fromTerminal) return;
      asked++;
      if (!program) early.push(signal);
      else if (asked > 1) void program.end();
      else program.signal(signal);
    };
    process.on(signal, listener);
    return [signal, listener] as const;
  });
  try {
    program = await start();
    for (const signal of early) program.signal(signal);
    return await program.ended;
  } finally {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  }
}
