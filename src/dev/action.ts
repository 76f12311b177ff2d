/** The action of GitHub as a runner sees it: its description, and its scripts run with the inputs of a step. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
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
 * Runs its scripts in a folder: one installs, the other judges.
 * @param given inputs of the step; those that it leaves out have their defaults
 * @param more environment variables that the runner has set
 */
export function runAction(
  given: Readonly<Record<string, string>>,
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): SpawnSyncReturns<string> {
  const script = (step: string, program: string, variables: Readonly<Record<string, string>>) => {
    const { run, env } = action.runs.steps.find(({ id }) => id === step) as Required<Step>;
    const filled = (text: string): string =>
      text
        .replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_all, name: string) => given[name] ?? action.inputs[name]!.default)
        .replace(/\$\{\{ steps\.install\.outputs\.program \}\}/, () => program);
    const own = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text)]));
    return spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
      cwd,
      encoding: "utf8",
      env: { ...process.env, ...own, GITHUB_ACTION_PATH: home, FORCE_COLOR: "", NO_COLOR: "1", ...variables },
    });
  };
  const folder = mkdtempSync(join(tmpdir(), "touchstone-action-output-"));
  const output = join(folder, "output");
  try {
    const installed = script("install", "", { ...more, GITHUB_OUTPUT: output });
    if (installed.status !== 0) return installed;
    const program = /^program=(.*)$/m.exec(readFileSync(output, "utf8"))![1]!;
    return script("run", program, more);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
