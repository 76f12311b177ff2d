/** The action of GitHub as a runner sees it: its description, and its script run with the inputs of a step. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { home } from "../home.ts";

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

export const action = parse(readFileSync(join(home, "action.yml"), "utf8")) as {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
};

/**
 * Runs its script in a folder.
 * @param given inputs of the step; those that it leaves out have their defaults
 * @param more environment variables that the runner has set
 */
export function runAction(
  given: Readonly<Record<string, string>>,
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): SpawnSyncReturns<string> {
  const { run, env } = action.runs.steps.find(({ id }) => id === "run") as Required<Step>;
  const filled = (text: string): string =>
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_all, name: string) => given[name] ?? action.inputs[name]!.default);
  const own = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text)]));
  return spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...own, GITHUB_ACTION_PATH: home, FORCE_COLOR: "", NO_COLOR: "1", ...more },
  });
}
