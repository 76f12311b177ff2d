/** Errors of the command line in the words of touchstone: the parser's own messages are meant for programmers. */
import yargs, { type Argv } from "yargs";
import { didYouMean } from "../check/suggest.ts";
import { UserError } from "../user-error.ts";
import type { Command } from "./commands.ts";
import { nameOf, optionsOf, type ParserOptions } from "./help.ts";

const withDashes = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

/** Names of unknown options, as they were written. The parser splits what follows a single dash into letters. */
const unknownOf = (names: readonly string[], args: readonly string[]): string[] =>
  names.flatMap((name) => {
    const option = args.find((argument) => /^--(?:no-)?([^=]+)/.exec(argument)?.[1] === name);
    if (option !== undefined) return [option.replace(/=.*/s, "")];
    return args.includes(name) ? [name] : [];
  });

/** Returns a hint if an unknown name resembles a known one: "Did you mean --format? ". */
function hintFor(unknown: string, command: Command): string {
  const parser = (command.builder as (parser: Argv) => Argv)(yargs([]));
  const known = [...Object.keys(optionsOf(parser).key), "color"].filter((name) => name.length > 1);
  return didYouMean(unknown.replace(/^--(?:no-)?/, ""), known).replace("mean ", "mean --");
}

interface Problem {
  readonly message: string;
  readonly hint?: string;
}

/** Restates a message of the parser. */
function restate(
  message: string,
  args: readonly string[],
  commands: readonly Command[],
  known: readonly string[],
): Problem {
  const given = args.find((argument) => !argument.startsWith("-")) ?? "";
  const command = commands.find((one) => nameOf(one) === given);
  const [, option, value = "", choices = ""] = /Argument: (\S+), Given: (.*), Choices: (.*)/.exec(message) ?? [];
  if (option) {
    const names = choices.split(", ").map((one) => one.replaceAll('"', ""));
    return {
      message: `--${option} ${value} is none of ${choices}`,
      hint: didYouMean(value.replaceAll('"', ""), names),
    };
  }
  if (message.startsWith("Not enough non-option arguments")) {
    const positionals = String(command?.command).match(/<[^>]+>/g);
    return { message: `${given} needs ${positionals?.join(" ") ?? "an argument"}` };
  }
  if (!known.includes(given))
    return { message: given ? `there is no command ${given}` : "no command given", hint: didYouMean(given, known) };
  const [, following] = /^Not enough arguments following: (.*)$/s.exec(message) ?? [];
  if (following !== undefined) return { message: `${withDashes(following)} needs a value` };
  const [, missing] = /^Missing required arguments?: (.*)$/s.exec(message) ?? [];
  if (missing !== undefined) return { message: `${given} needs ${missing.split(", ").map(withDashes).join(" and ")}` };
  const [, first, second] = /^Arguments (\S+) and (\S+) are mutually exclusive$/.exec(message) ?? [];
  if (second !== undefined) return { message: `${withDashes(first!)} and ${withDashes(second)} exclude each other` };
  const [, unknown] = /^Unknown (?:arguments?|commands?): (.*)$/s.exec(message) ?? [];
  if (unknown === undefined) return { message: message.replace(/\n/g, "; ") };
  const written = unknownOf(unknown.split(", "), args);
  if (written.length === 0) return { message: "there is no such option of one letter" };
  return {
    message: `${written.join(", ")}: no such option or argument`,
    ...(command && { hint: hintFor(written[0]!, command) }),
  };
}

/**
 * Returns the error for a message of the parser.
 *
 * @param args the command line, without the program's name
 * @param known names of all commands
 */
export function usageError(
  message: string,
  args: readonly string[],
  commands: readonly Command[],
  known: readonly string[],
): UserError {
  const problem = restate(message, args, commands, known);
  const command = args.find((argument) => known.includes(argument)) ?? "COMMAND";
  const help = command === "COMMAND" ? "touchstone --help, or " : "";
  return new UserError(
    problem.message,
    `${problem.hint ?? ""}${help}touchstone ${command} --help shows what there is.`,
  );
}

/** Throws UserError for an option that may be given once and was given again: the parser makes an array of its values. */
export function refuseRepeated(given: Readonly<Record<string, unknown>>, { key, array }: ParserOptions): void {
  for (const name of Object.keys(key))
    if (Array.isArray(given[name]) && !array.includes(name))
      throw new UserError(`${withDashes(name)} is given more than once`, "Give it once.");
}
