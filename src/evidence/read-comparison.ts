/** Reads the inputs of a side-by-side report: results by name and date, with shards merged. */
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Compared } from "../report/side-by-side/compare.ts";
import { columnNames } from "../report/side-by-side/names.ts";
import { UserError } from "../user-error.ts";
import { withBaseline } from "../verdict/baseline.ts";
import { type FitnessData, withFitness } from "../verdict/fitness.ts";
import { mergeShards } from "../verdict/merge.ts";
import { readResults, remedy } from "../verdict/read-results.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { manifestName } from "./manifest.ts";
import { resultsFileOf } from "./merge.ts";
import { readManifest } from "./read-folder.ts";

/** A path as given on a command line, `NAME=PATH` or `PATH`. */
export interface NamedPath {
  readonly name: string | undefined;
  readonly path: string;
}

/** A path that exists is a path, whatever stands in it. Otherwise a name ends at the first `=` behind which something is there. */
export function namedPath(given: string): NamedPath {
  if (existsSync(given)) return { name: undefined, path: given };
  let first: NamedPath | undefined;
  for (let at = given.indexOf("="); at > 0; at = given.indexOf("=", at + 1)) {
    const named = { name: given.slice(0, at), path: given.slice(at + 1) };
    if (existsSync(named.path)) return named;
    first ??= named;
  }
  return first ?? { name: undefined, path: given };
}

/** Paths that make one column: those of one name, those without a name that hold shards of one run, or one alone. */
export interface ColumnParts {
  readonly name: string | undefined;
  readonly paths: readonly string[];
  readonly parts: readonly RunResults[];
}

/** Reads results and puts those together that make one column; UserError for what is no results of a finished run. */
export async function readColumnParts(given: readonly NamedPath[]): Promise<ColumnParts[]> {
  const all = await readResults(given.map(({ path }) => resultsFileOf(path)));
  const sharded = given.some(({ name }, i) => name === undefined && all[i]!.shard !== null);
  const columns = new Map<string, { name: string | undefined; paths: string[]; parts: RunResults[] }>();
  for (const [i, { name, path }] of given.entries()) {
    const key = name !== undefined ? `=${name}` : sharded ? "" : String(i);
    const column = columns.get(key) ?? { name, paths: [], parts: [] };
    columns.set(key, column);
    column.paths.push(path);
    column.parts.push(all[i]!);
  }
  return [...columns.values()];
}

/** @param today `YYYY-MM-DD`, for expectations that expire */
export function mergedResults(
  { name, parts }: Pick<ColumnParts, "name" | "parts">,
  today: string,
  fitness: FitnessData,
): RunResults {
  const merged = mergeShards(parts, today);
  const which = name === undefined ? "these results" : `the results of ${name}`;
  if (!merged.ok) throw new UserError(`${which} cannot be merged: ${merged.problem}`, remedy);
  const results = withFitness(merged.results, fitness);
  return results.baseline ? withBaseline(results, results.baseline) : results;
}

/** A run with its name and date, and where it was read from. */
export interface ReadColumn extends Compared {
  readonly paths: readonly string[];
}

/** Runs with names and dates, in the order given. */
export async function comparedRuns(
  columns: readonly ColumnParts[],
  today: string,
  fitness: FitnessData,
): Promise<ReadColumn[]> {
  const read = [];
  for (const column of columns) {
    const results = mergedResults(column, today, fitness);
    read.push({ column, results, started: (await startedOf(column.paths)) ?? results.options.today });
  }
  const names = columnNames(
    read.map(({ column: { name, paths }, results, started }) => ({
      name,
      started,
      target: results.target.name ?? results.target.url ?? "reference",
      path: paths[0]!,
    })),
  );
  return read.map(({ column: { paths }, results, started }, i) => ({ name: names[i]!, started, results, paths }));
}

/** When the first of these runs began, as their manifests have it; undefined where one has none. */
export async function startedOf(paths: readonly string[]): Promise<string | undefined> {
  const dates: string[] = [];
  for (const path of paths) {
    const isFolder = existsSync(path) && statSync(path).isDirectory();
    const folder = isFolder ? path : dirname(path);
    if (!existsSync(join(folder, manifestName))) return undefined;
    try {
      dates.push((await readManifest(folder)).started);
    } catch (error) {
      // A manifest beside a file may be of something else.
      if (isFolder || !(error instanceof UserError)) throw error;
      return undefined;
    }
  }
  return dates.sort()[0];
}
