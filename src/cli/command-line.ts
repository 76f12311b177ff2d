/** Remembers the command line of this process, with the options that variables of the environment add to it. */

let line: readonly string[] = [];
let added: readonly string[] = [];

export function setCommandLine(args: readonly string[]): void {
  line = args;
  added = [];
}

/**
 * Adds what variables say of options that the command line does not name itself.
 * @param shortForms one letter to the option it stands for
 */
export function addOptions(
  values: Readonly<Record<string, string | readonly string[]>>,
  shortForms: Readonly<Record<string, string>>,
): void {
  const optionOf = (argument: string): string | undefined =>
    /^--(?:no-)?([^=]*)/.exec(argument)?.[1] ?? shortForms[/^-(\w)/.exec(argument)?.[1] ?? ""];
  // Options behind -- are those of a program.
  const end = line.indexOf("--");
  const own = end < 0 ? line : line.slice(0, end);
  const isGiven = (option: string): boolean => own.some((argument) => optionOf(argument) === option);
  added = Object.entries(values)
    .filter(([option]) => !isGiven(option))
    .flatMap(([option, value]) => [value].flat().map((one) => `--${option}=${one}`));
}

/** The words after the name of the program; they may hold credentials. */
export const givenArguments = (): readonly string[] => [...line, ...added];
