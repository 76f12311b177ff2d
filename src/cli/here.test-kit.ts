/** `touchstone` as a function, for tests in which a process of its own is not the point. */
import { runLine } from "./main.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The text on standard error, without the lines that say every ten seconds how far a command is: a busy machine may show some. */
export const withoutProgress = (stderr: string): string =>
  stderr.replaceAll(/^(?:(?:baseline: )?\d+ of \d+ |judged \d+ exchanges, at ).*\n/gm, "");

/** Does what the command line does within this process: the same arguments, output and exit code. One at a time. */
export async function touchstoneHere(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const kept = { code: process.exitCode, env: process.env, out: process.stdout.write, err: process.stderr.write };
  const { log } = console;
  const said = { stdout: "", stderr: "" };
  const into = (name: keyof typeof said) =>
    ((text: string | Uint8Array) => {
      said[name] += Buffer.from(text as string).toString();
      return true;
    }) as typeof process.stdout.write;
  process.exitCode = undefined;
  process.env = { ...process.env, NO_COLOR: "1", ...env };
  process.stdout.write = into("stdout");
  // yargs prints through this; the console of a test writes elsewhere.
  console.log = (text: string) => void process.stdout.write(`${text}\n`);
  process.stderr.write = into("stderr");
  try {
    await runLine(args);
    return { code: Number(process.exitCode ?? 0), ...said, stderr: withoutProgress(said.stderr) };
  } finally {
    console.log = log;
    process.stdout.write = kept.out;
    process.stderr.write = kept.err;
    process.env = kept.env;
    process.exitCode = kept.code;
  }
}
