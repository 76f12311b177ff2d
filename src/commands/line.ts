/** The command line as a function: hands each command its arguments, and turns failures into two lines and exit code 2. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import yargs from "yargs";
import { home } from "../home.ts";
import { command as check } from "./check.ts";
import { command as clauses } from "./clauses.ts";
import { command as convert } from "./convert.ts";
import { reportFailure, UserError } from "./failure.ts";
import { command as play } from "./play.ts";
import { command as prove } from "./prove.ts";
import { command as record } from "./record.ts";
import { command as report } from "./report.ts";
import { command as run } from "./run.ts";
import { command as serve } from "./serve.ts";

const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };

/** Does what `touchstone ...args` asks for: prints, and sets `process.exitCode`. Never rejects. */
export async function runLine(args: readonly string[]): Promise<void> {
  try {
    await yargs([...args])
      .scriptName("touchstone")
      .usage("$0 <command>\n\nDoes this implementation, or this client, do what the documents say?")
      .command(run as never)
      .command(record as never)
      .command(check as never)
      .command(play as never)
      .command(report as never)
      .command(serve as never)
      .command(convert as never)
      .command(clauses as never)
      .command(prove as never)
      .demandCommand(1, "no command given")
      .strict()
      .recommendCommands()
      .version(version)
      .alias("h", "help")
      .wrap(Math.min(100, process.stdout.columns ?? 100))
      .exitProcess(false)
      .fail((message, error) => {
        // What yargs itself finds wrong is the user's to mend; anything else comes from a command.
        if (error && error.name !== "YError") throw error;
        throw new UserError(
          message.replace(/\n/g, "; "),
          "touchstone --help, or touchstone COMMAND --help, shows what there is.",
        );
      })
      .parseAsync();
  } catch (error) {
    reportFailure(error);
  }
}
