/** Ready files for engines that run shards on several machines, filled in for one target. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../home.ts";
import { UserError } from "../user-error.ts";

export const engines = { github: "github.yml", kubernetes: "kubernetes.yaml", slurm: "slurm.sh" } as const;
export type Engine = keyof typeof engines;

export interface TemplateValues {
  /** Base URL, or path of a target file. */
  readonly target: string;
  readonly shards: number;
  /** Further arguments of `touchstone run`. */
  readonly arguments?: readonly string[];
  /** How touchstone is called there: a program and its first arguments. */
  readonly touchstone?: readonly string[];
  /** Names the jobs: lower-case letters, digits and `-`. */
  readonly name?: string;
  /** Where shards and results are kept: a path that every machine sees; letters, digits, `.`, `_`, `-` and `/`. */
  readonly folder?: string;
  /** A container image in which touchstone is installed. */
  readonly image?: string;
  /** The claim of a volume that several pods may write. */
  readonly claim?: string;
}

/** A word as a shell reads it as it is; nor does GitHub find an expression in it. */
export const quoted = (word: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`).replaceAll("${{", () => "$''{{")}'`;
};

const plain = {
  name: /^[a-z0-9]([a-z0-9-]{0,50}[a-z0-9])?$/,
  folder: /^[\w./-]+$/,
  image: /^[\w./:@-]+$/,
  claim: /^[a-z0-9.-]+$/,
};

/** The file of an engine; UserError where a value is none that the file could hold. */
export function fillTemplate(engine: Engine, given: TemplateValues): string {
  const { target, shards } = given;
  const { name = "touchstone", folder = "touchstone-results", image = "touchstone", claim = "touchstone" } = given;
  const words = [target, ...(given.arguments ?? []), ...(given.touchstone ?? [])];
  const bad = words.find((word) => /[\u0000-\u001f\u007f]/.test(word));
  if (bad !== undefined) throw new UserError(`${JSON.stringify(bad)} holds a control character`, "Leave it out.");
  if (!Number.isInteger(shards) || shards < 1 || shards > 9999)
    throw new UserError(`${shards} is no number of shards`, "Give one from 1 to 9999.");
  const bare = { name, folder, image, claim };
  for (const [what, pattern] of Object.entries(plain)) {
    const value = bare[what as keyof typeof bare];
    if (!pattern.test(value))
      throw new UserError(`${value} is no ${what} that such a file can hold`, "Choose another.");
  }
  const values: Readonly<Record<string, string>> = {
    ...bare,
    target: quoted(target),
    arguments: (given.arguments ?? []).map(quoted).join(" "),
    touchstone: (given.touchstone ?? ["npx", "--no-install", "touchstone"]).map(quoted).join(" "),
    shards: String(shards),
    list: Array.from({ length: shards }, (_, i) => i + 1).join(", "),
  };
  const text = readFileSync(join(home, "src", "ci", engines[engine]), "utf8");
  return text.replace(/@([a-z]+)@/g, (all, name: string) => values[name] ?? all).replace(/ {2,}(?=--shard)/g, " ");
}
