/** Completes a command line for a shell when somebody presses Tab: commands, options, their choices, clauses and interfaces. */
import type { CommandModule } from "yargs";
import { nameOf } from "./help.ts";

/** The option with which shells ask `touchstone`. The words of the line follow, and the last of them is being typed. */
export const completionRequest = "--get-yargs-completions";

type Done = (completions: string[]) => void;
type Defaults = (each?: (error: Error | null, completions: string[]) => void) => void;

/** Clauses and interfaces by name, read only where a shell asks. */
export async function readNames(): Promise<Readonly<Record<"clauses" | "interfaces", readonly string[]>>> {
  const { openClauses } = await import("../interfaces/open-clauses.ts");
  const { clauses: all } = await openClauses();
  return { clauses: all.map(({ id }) => id), interfaces: [...new Set(all.map((clause) => clause.interface))] };
}

const valuesOf = { "--break": "clauses", "--clause": "clauses", "--interface": "interfaces" } as const;

/**
 * A completion function for yargs.
 * @param line the words of the command line, without the program's name
 */
export function completer(
  line: readonly string[],
  names: Awaited<ReturnType<typeof readNames>>,
  commands: readonly Pick<CommandModule, "command">[],
): (current: string, argv: unknown, defaults: Defaults, done: Done) => void {
  const before = line.at(-2) ?? "";
  const command = commands.find((one) => line.length > 1 && nameOf(one) === line[0]);
  const isValue = before.startsWith("--");
  return (current, _argv, defaults, done) => {
    const isOption = current.startsWith("-");
    const offered = Object.hasOwn(valuesOf, before)
      ? names[valuesOf[before as keyof typeof valuesOf]]
      : line[0] === "clauses" && command && !isOption && !isValue
        ? names.clauses
        : undefined;
    if (offered) done(offered.filter((name) => name.startsWith(current)));
    // Shells offer files if nothing is offered.
    else if (isOption || !/ [<[]/.test(String(command?.command))) defaults();
    else defaults((_error, all) => done(all.filter((one) => !one.startsWith("-"))));
  };
}
