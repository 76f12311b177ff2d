/** Prints why a command failed: what people can mend in two lines, our own failure as such. */
import { annotation } from "../report/annotations.ts";
import { command } from "../report/terminal/controls.ts";
import { inActions } from "../report/terminal/workflow-commands.ts";
import { withoutCredentials } from "./credentials.ts";

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/**
 * Prints a failure to standard error and sets exit code 2. Any error with a `remedy` is the user's to mend.
 * @param args the command line, whose credentials are not repeated
 */
export function reportFailure(error: unknown, args: readonly string[]): void {
  process.exitCode = 2;
  const say = (text: string): void => void process.stderr.write(`${withoutCredentials(oneLine(text), args)}\n`);
  if (inActions()) {
    const message = withoutCredentials(error instanceof Error ? error.message : String(error), args);
    command(annotation("error", { title: "touchstone", message }));
  }
  if (error instanceof Error && "remedy" in error && typeof error.remedy === "string") {
    say(`touchstone: ${error.message}`);
    say(error.remedy);
    return;
  }
  say(`touchstone: internal failure: ${error instanceof Error ? error.message : String(error)}`);
  say("This is a bug of touchstone, not of what it judged; TOUCHSTONE_DEBUG=1 prints where it happened.");
  if (process.env["TOUCHSTONE_DEBUG"] && error instanceof Error)
    for (const line of (error.stack ?? "").split("\n")) process.stderr.write(`${withoutCredentials(line, args)}\n`);
}
