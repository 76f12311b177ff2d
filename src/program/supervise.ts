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
 * Passes signals on until the program has ended. Ctrl+C never ends it on a terminal, as many programs read it as a key; the second
 * of other signals does, with all it started.
 * @param sharesGroup whether the terminal's signals reach the program by themselves
 */
export async function supervise(program: Program, sharesGroup: boolean): Promise<ProgramEnd> {
  let asked = 0;
  const listeners = passedOn.map((signal) => {
    const fromTerminal = sharesGroup && (signal === "SIGINT" || signal === "SIGQUIT");
    const listener = (): void => {
      if (fromTerminal) return;
      if (++asked > 1) void program.end();
      else program.signal(signal);
    };
    process.on(signal, listener);
    return [signal, listener] as const;
  });
  try {
    return await program.ended;
  } finally {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  }
}
