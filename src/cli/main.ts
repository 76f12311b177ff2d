/** The command line as a function: hands each command its arguments, and turns failures into two lines and exit code 2. */
import yargs, { type Argv } from "yargs";
import { didYouMean } from "../check/suggest.ts";
import { version } from "../home.ts";
import { guardOutput } from "../report/terminal/controls.ts";
import { setColor } from "../report/terminal/printer.ts";
import { UserError } from "../user-error.ts";
import { setCommandLine } from "./command-line.ts";
import { type Command, commandNames, loadCommands } from "./commands.ts";
import { completer, completionRequest, readNames } from "./completion.ts";
import { nameOf } from "./help.ts";

const completion = "completion";
const names = [...commandNames, completion];

// The parser drops a bare "-", which stands for standard input: no argument holds a NUL, so it travels behind one.
const dash = "\0-";
const restored = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(restored) : value === dash ? "-" : value;

/** The problem that the parser found, in the words the rest of touchstone uses. */
function plainly(message: string, args: readonly string[], commands: readonly Command[]): string {
  const given = args.find((argument) => !argument.startsWith("-")) ?? "";
  const [, option, value, choices] = /Argument: (\S+), Given: (.*), Choices: (.*)/.exec(message) ?? [];
  if (option) return `--${option} ${value} is none of ${choices}`;
  if (message.startsWith("Not enough non-option arguments")) {
    const own = commands.find((one) => nameOf(one) === given);
    return `${given} needs ${
      String(own?.command)
        .match(/<[^>]+>/g)
        ?.join(" ") ?? "an argument"
    }`;
  }
  if (!names.includes(given)) return given ? `there is no command ${given}` : "no command given";
  const [, unknown] = /^Unknown arguments?: (.*)$/s.exec(message) ?? [];
  if (unknown === undefined) return message.replace(/\n/g, "; ");
  return `${strangers(unknown.split(", "), args).join(", ") || "an option of one letter"}: no such option or argument`;
}

/** A suggestion for what the parser did not know: a command, an option of this one, or a value that it takes. */
function meantBy(message: string, args: readonly string[], commands: readonly Command[]): string {
  const given = args.find((argument) => !argument.startsWith("-")) ?? "";
  const [, value, choices] = /Argument: \S+, Given: "(.*)", Choices: (.*)/.exec(message) ?? [];
  if (choices !== undefined)
    return didYouMean(
      value!,
      choices.split(", ").map((one) => one.replaceAll('"', "")),
    );
  const own = commands.find((one) => nameOf(one) === given);
  if (!own) return didYouMean(given, names);
  const [, unknown] = /^Unknown arguments?: (.*)$/s.exec(message) ?? [];
  const [stranger] = unknown === undefined ? [] : strangers(unknown.split(", "), args);
  if (stranger === undefined) return "";
  const fresh = (own.builder as (yargs: Argv) => Argv)(yargs([]));
  const { key } = (fresh as unknown as { getOptions(): { key: Record<string, unknown> } }).getOptions();
  const hint = didYouMean(
    stranger,
    [...Object.keys(key), "color"].filter((name) => name.length > 1),
  );
  return hint.replace("mean ", "mean --");
}

/** Those of the names the parser did not know that stand so in the arguments: what follows a single dash it takes to pieces. */
const strangers = (names: readonly string[], args: readonly string[]): string[] =>
  names.filter((name) =>
    args.some((argument) => argument === name || /^--(?:no-)?([^=]*)/.exec(argument)?.[1] === name),
  );

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
  setCommandLine(args);
  try {
    // Nothing to do is no mistake: it says what there is.
    if (args.length === 0) return await runLine(["--help"]);
    const completing = args[0] === completionRequest;
    const line = args.slice(2);
    const commands = await loadCommands(commandNames.includes(args[0]!) ? [args[0]!] : commandNames);
    const complete = completing ? completer(line, await readNames(), commands) : () => [];
    await withoutUnseenHelp(yargs(completing ? args : args.map((argument) => (argument === "-" ? dash : argument))))
      // Messages of the parser stay English, whatever LC_ALL is: this file matches them.
      .locale("en")
      .scriptName("touchstone")
      .usage("$0 <command>\n\nTest whether an LLM API server or client does what the API documents say.")
      .middleware((given) => {
        for (const [name, value] of Object.entries(given)) given[name] = restored(value);
        if (typeof given["color"] === "boolean") setColor(given["color"]);
      }, true)
      .option("color", {
        type: "boolean",
        describe: "use colours even outside a terminal; --no-color turns them off",
      })
      .command(commands as never)
      .completion(completion, "Print a script for completion in bash, zsh or fish", complete as never)
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
        const remedy = `${meantBy(message, args, commands)}touchstone --help, or touchstone COMMAND --help, shows what there is.`;
        throw new UserError(plainly(message, args, commands), remedy);
      })
      .parseAsync();
  } catch (error) {
    // Knowing what is a credential takes many modules, which only failures need.
    (await import("./report-failure.ts")).reportFailure(error, args);
  }
}
