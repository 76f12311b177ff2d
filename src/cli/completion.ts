/** Completes a command line for a shell when somebody presses Tab: commands, options, their choices, clauses and interfaces. */
import type { CommandModule } from "yargs";
import { nameOf } from "./help.ts";

/** The option with which shells ask `touchstone`. The words of the line follow, and the last of them is being typed. */
export const completionRequest = "--get-yargs-completions";

/**
 * A script for each shell. It sets SHELL, since the parser describes its completions in the format of that shell. If nothing is
 * offered, the shell offers files. The parser lists all commands and options, whatever the word begins with. zsh and fish select the
 * matching ones themselves; the script for bash has to.
 */
const scripts = {
  bash: `# Add this to ~/.bashrc: source <(touchstone completion bash)
_touchstone() {
  local line word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do [[ "$line" == "$word"* ]] && COMPREPLY+=("$line"); done < <(
    SHELL=bash touchstone ${completionRequest} "\${COMP_WORDS[@]:0:COMP_CWORD+1}"
  )
}
complete -o default -F _touchstone touchstone
`,
  zsh: `#compdef touchstone
# Add this to ~/.zshrc, after compinit: source <(touchstone completion zsh)
_touchstone() {
  local -a offered
  offered=("\${(@f)$(SHELL=zsh touchstone ${completionRequest} "\${(@)words[1,CURRENT]}")}")
  if [[ -n "$offered" ]]; then _describe touchstone offered; else _files; fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then _touchstone "$@"; else compdef _touchstone touchstone; fi
`,
  fish: `# Write this to a file: touchstone completion fish > ~/.config/fish/completions/touchstone.fish
function __touchstone_complete
  set -l current (commandline -ct)
  set -l offered (SHELL=fish touchstone ${completionRequest} (commandline -opc) "$current")
  if test (count $offered) -gt 0
    printf '%s\\n' $offered
  else
    __fish_complete_path "$current"
  end
end
complete -c touchstone -f -a '(__touchstone_complete)'
`,
} as const;

type Shell = keyof typeof scripts;
const shells = Object.keys(scripts) as readonly Shell[];

/** The shell of the user, as far as touchstone has a script for it. */
const currentShell = (): Shell => shells.find((name) => process.env["SHELL"]?.endsWith(name)) ?? "bash";

export const completionCommand: CommandModule<object, { readonly shell?: Shell }> = {
  command: "completion [shell]",
  describe: "Print a script for completion in bash, zsh or fish",
  builder: (parser) =>
    parser.positional("shell", {
      choices: shells,
      defaultDescription: "that of $SHELL",
      describe: "shell that runs the script",
    }) as never,
  handler: ({ shell = currentShell() }) => void process.stdout.write(scripts[shell]),
};

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
