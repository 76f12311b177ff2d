/** Takes the credentials of a command line out of what is said about it. */

import { withoutKeys } from "../redact/mask.ts";
import { isCommonplace } from "../redact/stand-ins.ts";
import { percentEncoded } from "../wire/percent.ts";

const placeholder = "[redacted]";

/** User and password of what is, or was meant to be, an address: from behind its scheme to its last `@`. */
function userInfoOf(word: string): string | undefined {
  const end = word.lastIndexOf("@");
  if (end < 0) return undefined;
  const [before, scheme = ""] = /^(?:-*[\w-]+=)*([a-z][a-z\d+.-]*:[/\\]+)?/i.exec(word)!;
  const info = word.slice(before.length, end);
  return scheme !== "" || info.includes(":") ? info : undefined;
}

/** Secrets that some arguments hold by their place. */
function* secretsIn(args: readonly string[]): Generator<string> {
  for (const [i, arg] of args.entries()) {
    const info = userInfoOf(arg);
    if (info) {
      yield info;
      // The message may quote less than the whole.
      const password = info.slice(info.indexOf(":") + 1);
      if (password.length >= 4) yield password;
    }
    // A short form takes its value with a blank, with an equals sign, or with neither.
    const spelt = arg.replace(/^-H=?(.*)$/s, (_, value: string) => `--header${value && "="}${value}`);
    const [, option, given = args[i + 1]] = /^--(header|key)(?:=(.*))?$/s.exec(spelt) ?? [];
    if (option === undefined || given === undefined) continue;
    const value =
      option === "key" ? /^(?:[\w*-]+=)?(.*)$/s.exec(given)![1]! : /^(?:[\w-]+\s*:)?(.*)$/s.exec(given)![1]!;
    if (!value.startsWith("$") && value.trim().length >= 4) yield value.trim();
  }
}

/** How a message may spell what an argument said. */
const spellings = (secret: string): string[] => [
  secret,
  secret.replace(/\s+/g, " "),
  JSON.stringify(secret).slice(1, -1),
  encodeURI(secret.toWellFormed()),
  percentEncoded(secret),
];

/** The text without credentials: those `args` hold by their place, users and passwords of addresses, and what is shaped like a key. */
export function withoutCredentials(text: string, args: readonly string[]): string {
  const known = new Set([...secretsIn(args)].flatMap(spellings));
  let safe = text;
  for (const secret of [...known].sort((a, b) => b.length - a.length)) safe = safe.replaceAll(secret, placeholder);
  safe = safe
    .split(/(?<=[\s"'()])/)
    .map((word) => {
      const info = userInfoOf(word);
      return info === undefined ? word : word.replace(info, () => placeholder);
    })
    .join("");
  return withoutKeys(safe);
}

/** The value of `--key` or `--header`, which stays only where it names a variable. */
function hidden(option: string, value: string): string {
  const shape = option === "key" ? /^([\w*-]+=)?(.*)$/s : /^([\w-]+\s*:\s*)?(.*)$/s;
  const [, lead = "", given = ""] = shape.exec(value)!;
  return lead + (/^\$\w+$/.test(given) ? given : placeholder);
}

/** Says in one line that a credential stands on the command line, where the shell's history and the list of processes show it. */
export function warnOfLiteralKeys(keys: readonly string[] = []): void {
  const given = keys.map((value) => /^(?:[\w*-]+=)?(.*)$/s.exec(value)![1]!);
  if (!given.some((key) => key.length >= 4 && !key.startsWith("$") && !isCommonplace(key))) return;
  process.stderr.write(
    "touchstone: --key was given a credential itself, which shell history and process lists show: write --key '$NAME', and set NAME\n",
  );
}

/** Commands that start a program, whose arguments may hold anything. */
const startsProgram: ReadonlySet<string> = new Set(["record", "client"]);

/** The arguments as far as the name of a program that they start. */
function ownArguments(args: readonly string[]): readonly string[] {
  const end = startsProgram.has(args[0] ?? "") ? args.indexOf("--") : -1;
  return end < 0 ? args : args.slice(0, end + 2);
}

/** The arguments with the name of the program, values of keys and headers left out, and those of a program that it starts. */
export function commandLine(args: readonly string[]): string[] {
  const shown = ownArguments(args).map((arg, i) => {
    const [, lead, option, value] = /^(--(key|header)=)(.*)$/s.exec(arg) ?? [];
    if (lead !== undefined) return lead + hidden(option!, value!);
    const before = /^--(key|header)$/.exec(args[i - 1] ?? "")?.[1];
    return before === undefined ? withoutCredentials(arg, args) : hidden(before, arg);
  });
  return ["touchstone", ...shown];
}
