/** The command line as a function: hands each command its arguments, and turns failures into two lines and exit code 2. */
import yargs, { type Argv, type MiddlewareFunction } from "yargs";
import { version } from "../home.ts";
import { keepEnvironment } from "../redact/own-environment.ts";
import { guardOutput } from "../report/terminal/controls.ts";
import { setColor } from "../report/terminal/printer.ts";
import { setCommandLine } from "./command-line.ts";
import { commandNames, loadCommands } from "./commands.ts";
import { completer, completionCommand, completionRequest, readNames } from "./completion.ts";
import { nameOf, optionsOf } from "./help.ts";
import { refuseRepeated, usageError } from "./usage-errors.ts";

const names = [...commandNames, nameOf(completionCommand)];

// The parser drops a bare "-", which stands for standard input: no argument holds a NUL, so it travels behind one.
const dash = "\0-";
const restored = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(restored) : value === dash ? "-" : value;

/**
 * Keeps the parser from laying out the help of each command that it runs. It would do so for a failure that this program tells
 * in its own words, which takes longer than parsing, before the command does its work.
 */
function withoutUnseenHelp(parser: Argv): Argv {
  type Internals = { getInternalMethods?(): { getUsageInstance(): { cacheHelpMessage?: () => void } } };
  const usage = (parser as Internals).getInternalMethods?.().getUsageInstance();
  if (usage?.cacheHelpMessage) usage.cacheHelpMessage = () => {};
  return parser;
}

/** Does what `touchstone ...args` asks for: prints, and sets `process.exitCode`. Never rejects. */
export async function runLine(args: readonly string[]): Promise<void> {
  guardOutput();
  keepEnvironment();
  setCommandLine(args);
  try {
    // Nothing to do is no mistake: it says what there is.
    if (args.length === 0) return await runLine(["--help"]);
    const completing = args[0] === completionRequest;
    const line = args.slice(2);
    const commands = await loadCommands(commandNames.includes(args[0]!) ? [args[0]!] : commandNames);
    const complete = completing ? completer(line, await readNames(), commands) : () => [];
    await withoutUnseenHelp(yargs(completing ? args : args.map((argument) => (argument === "-" ? dash : argument))))
      // Messages of the parser stay English, whatever LC_ALL is: usageError matches them.
      .locale("en")
      .scriptName("touchstone")
      .usage("$0 <command>\n\nTest whether an LLM API server or client does what the API documents say.")
      .middleware(
        ((given: Record<string, unknown>, parser: Argv) => {
          refuseRepeated(given, optionsOf(parser));
          for (const [name, value] of Object.entries(given)) given[name] = restored(value);
          if (typeof given["color"] === "boolean") setColor(given["color"]);
        }) as unknown as MiddlewareFunction,
        true,
      )
      .option("color", {
        type: "boolean",
        describe: "use colours even outside a terminal; --no-color turns them off",
      })
      .command(commands as never)
      .command(completionCommand as never)
      .completion(completionRequest.slice(2), false, complete as never)
      .demandCommand(1, "no command given")
      .strict()
      .version(version())
      .alias("h", "help")
      .epilogue(
        "touchstone COMMAND --help lists the options of a command, with examples. You can set any --option with an environment variable, such as TOUCHSTONE_MAX_REQUESTS=50.",
      )
      .wrap(Math.min(100, process.stdout.columns ?? 100))
      .exitProcess(false)
      .fail((message, error) => {
        // Problems that yargs itself finds are the user's to mend; anything else comes from a command.
        if (error && error.name !== "YError") throw error;
        throw usageError(message, args, commands, names);
      })
      .parseAsync();
  } catch (error) {
    // Knowing what is a credential takes many modules, which only failures need.
    (await import("./report-failure.ts")).reportFailure(error, args);
  }
}
