/** Reads the recordings and makes the plan that a run's filters ask for. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Catalogue } from "../check/catalogue.ts";
import type { RunArgs } from "../cli/run.ts";
import { home } from "../home.ts";
import { UserError } from "../user-error.ts";
import type { Plan, Shard } from "../verdict/document.ts";
import { lackable, makePlan } from "./plan.ts";
import { type Recording, readRecording, recordingsIn } from "./recordings.ts";
import { suiteFile } from "./vitest.ts";

export interface Choice {
  /** Absolute path of the folder that holds the recordings. */
  readonly folder: string;
  /** All of them, whatever the plan takes. */
  readonly recordings: readonly Recording[];
  readonly plan: Plan;
  readonly shard: Shard | null;
}

/** `I/N` as a shard. */
export function parseShard(text: string | undefined): Shard | null {
  if (text === undefined) return null;
  const [, index, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (!index || !of || index > of)
    throw new UserError(`--shard ${text} is not I/N with I from 1 to N`, "Write for example --shard 1/3.");
  return { index, of };
}

/**
 * Chooses what to send; UserError for names nobody knows and for a plan without requests.
 * @param lackedByFile what the target file says the target lacks
 */
export async function choose(args: RunArgs, lackedByFile: readonly string[], catalogue: Catalogue): Promise<Choice> {
  const shard = parseShard(args.shard);
  const folder = resolve(args.recordings);
  if (!existsSync(folder))
    throw new UserError(
      `--recordings ${args.recordings}: there is no such folder`,
      "Name a folder of INTERFACE/SECTION/NAME.json, or leave the option out.",
    );
  const recordings: Recording[] = [];
  for (const source of recordingsIn(folder)) {
    const [of, section] = source.split("/") as [string, string];
    if (!existsSync(join(home, suiteFile(of, section))))
      throw new UserError(`recording ${source} belongs to no suite`, "Its path must be INTERFACE/SECTION/NAME.json.");
    recordings.push(await readRecording(folder, source));
  }
  const sections = recordings.flatMap(({ interface: of, section }) => [section, `${of}/${section}`]);
  const lacks = [...new Set([...lackedByFile, ...(args.lacks ?? [])])].sort();
  known(
    "interface",
    args.interface ?? [],
    catalogue.interfaces.map(({ name }) => name),
  );
  known("section", args.section ?? [], sections);
  known(
    "clause",
    args.clause ?? [],
    catalogue.clauses.map(({ id }) => id),
  );
  known("lacks", lacks, lackable(recordings));
  const filters = {
    interfaces: args.interface ?? [],
    sections: args.section ?? [],
    clauses: args.clause ?? [],
    lacks,
    shard,
    limit: args.maxRequests ?? null,
  };
  const plan = makePlan(recordings, filters, catalogue);
  // A shard may be empty where there are more shards than recordings; a whole run that asks nothing shows nothing.
  if (plan.exchanges === 0 && !args.dryRun && (shard === null || shard.index === 1))
    throw new UserError(
      plan.cassettes.length > 0
        ? "nothing is left to send: the target lacks it all"
        : "no recording fits these filters",
      "touchstone run --dry-run shows the plan; --interface, --section, --clause, --lacks and --max-requests shape it.",
    );
  return { folder, recordings, plan, shard };
}

function known(option: string, values: readonly string[], all: readonly string[]): void {
  const stranger = values.find((value) => !all.includes(value));
  if (stranger === undefined) return;
  const names = [...new Set(all)].sort();
  throw new UserError(
    `--${option} ${stranger}: there is no such ${option === "lacks" ? "need, interface or section" : option}`,
    option === "clause" ? "touchstone clauses lists them all." : `There are: ${names.join(", ")}.`,
  );
}
