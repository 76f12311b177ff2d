/** Forwards signals to a program, and waits for its end. */
import { closeSync, openSync } from "node:fs";
import type { Program, ProgramEnd } from "./program.ts";

/** Whether this process has a terminal. A terminal sends Ctrl+C and Ctrl+Z to all processes of the group. */
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
 * Starts a program, and forwards signals until it ends. Signals that arrive earlier are forwarded once it runs. The second signal
 * ends the program and its children. Ctrl+C of a terminal does not: many programs read it as a key.
 * @param sharesGroup whether the terminal itself sends its signals to the program
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
    if (early[0]) program.signal(early[0]);
    if (early.length > 1) void program.end();
    return await program.ended;
  } finally {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  }
}
