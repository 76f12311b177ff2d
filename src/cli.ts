#!/usr/bin/env node
<<<<<<< HEAD
/** The program `touchstone`. */
import { runLine } from "./commands/line.ts";
=======
/** The command line: hands each command its arguments, and turns failures into two lines and exit code 2. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import yargs from "yargs";
import { hideBin } from "yargs/helpers";
import { command as check } from "./commands/check.ts";
import { command as clauses } from "./commands/clauses.ts";
import { command as convert } from "./commands/convert.ts";
import { reportFailure, UserError } from "./commands/failure.ts";
import { command as play } from "./commands/play.ts";
import { command as prove } from "./commands/prove.ts";
import { command as record } from "./commands/record.ts";
import { command as report } from "./commands/report.ts";
import { command as run } from "./commands/run.ts";
import { command as serve } from "./commands/serve.ts";
import { home } from "./home.ts";

const commands = [run, record, check, play, report, serve, convert, clauses, prove];
const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };
>>>>>>> review

// A reader that leaves early (| head) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  throw error;
});

<<<<<<< HEAD
await runLine(process.argv.slice(2));
=======
// The parser drops a bare "-", which stands for standard input: no argument holds a NUL, so it travels behind one.
const dash = "\0-";
const restored = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(restored) : value === dash ? "-" : value;

/** What the parser found wrong, in the words the rest of touchstone uses. */
function plainly(message: string): string {
  const given = hideBin(process.argv).find((argument) => !argument.startsWith("-")) ?? "";
  const [, option, value, choices] = /Argument: (\S+), Given: (.*), Choices: (.*)/.exec(message) ?? [];
  if (option) return `--${option} ${value} is none of ${choices}`;
  if (message.startsWith("Not enough non-option arguments")) return `${given}: nothing is given to work on`;
  if (!commands.some(({ command }) => String(command).split(" ")[0] === given))
    return given ? `there is no command ${given}` : "no command given";
  return message.replace(/^Unknown arguments?: (.*)$/, "$1: no such option or argument").replace(/\n/g, "; ");
}

try {
  await yargs(hideBin(process.argv).map((argument) => (argument === "-" ? dash : argument)))
    .scriptName("touchstone")
    .usage("$0 <command>\n\nDoes this implementation, or this client, do what the documents say?")
    .middleware((args) => {
      for (const [name, value] of Object.entries(args)) args[name] = restored(value);
    }, true)
    .command(commands as never)
    .demandCommand(1, "no command given")
    .strict()
    .version(version)
    .alias("h", "help")
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .exitProcess(false)
    .fail((message, error) => {
      // What yargs itself finds wrong is the user's to mend; anything else comes from a command.
      if (error && error.name !== "YError") throw error;
      throw new UserError(plainly(message), "touchstone --help, or touchstone COMMAND --help, shows what there is.");
    })
    .parseAsync();
} catch (error) {
  reportFailure(error);
}
>>>>>>> review
