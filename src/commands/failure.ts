/** Failures people can mend, told apart from our own. */

/** Bad usage, unreadable input, unreachable target: one line that says what and where, one that says what to do. Exit code 2. */
export class UserError extends Error {
  readonly remedy: string;
  constructor(what: string, remedy: string) {
    super(what);
    this.name = "UserError";
    this.remedy = remedy;
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Prints a failure to standard error and sets exit code 2. Any error with a `remedy` is the user's to mend. */
export function reportFailure(error: unknown): void {
  process.exitCode = 2;
  if (error instanceof Error && "remedy" in error && typeof error.remedy === "string") {
    process.stderr.write(`touchstone: ${oneLine(error.message)}\n${oneLine(error.remedy)}\n`);
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `touchstone: internal failure: ${oneLine(message)}\nThis is a bug of touchstone, not of what it judged; TOUCHSTONE_DEBUG=1 prints where it happened.\n`,
  );
  if (process.env["TOUCHSTONE_DEBUG"] && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}
