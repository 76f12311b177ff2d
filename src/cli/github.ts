/** Tells GitHub Actions what a command prints: annotations, and the summary of the job. */
import { appendFileSync, readFileSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Clause } from "../check/clause.ts";
import { type AnnotatedFile, formatAnnotations } from "../report/annotations.ts";
import { formatMarkdown, maxSummary } from "../report/markdown.ts";
import type { Results } from "../report/options.ts";
import type { OutcomeTable } from "../report/outcomes/table.ts";
import { command } from "../report/terminal/controls.ts";
import { inActions } from "../report/terminal/workflow-commands.ts";
import { reasonOf } from "../user-error.ts";

/** Bytes of a summary that are worth appending. */
const minSummary = 2000;

/**
 * Writes annotations to standard error and appends to the file that GITHUB_STEP_SUMMARY names. Does nothing outside GitHub
 * Actions, and nothing for a shard: the job that merges the shards tells it once.
 * @param expectations path of the expectations file, if there is one
 */
export function tellGithub(results: Results, clauses: readonly Clause[], expectations?: string): void {
  if (!inActions() || ("shard" in results && results.shard)) return;
  command(formatAnnotations(results, { clauses }, expectations === undefined ? undefined : annotated(expectations)));
  summarize((room) => formatMarkdown(results, { clauses }, room));
}

/** The same of a gateway or a client. */
export async function tellGithubOutcomes(table: OutcomeTable): Promise<void> {
  if (!inActions()) return;
  const [{ formatOutcomeAnnotations }, { formatOutcomesMarkdown }] = await Promise.all([
    import("../report/outcomes/annotations.ts"),
    import("../report/outcomes/markdown.ts"),
  ]);
  command(formatOutcomeAnnotations(table));
  summarize((room) => formatOutcomesMarkdown(table, room));
}

/** Appends to the summary of the job. @param write makes a summary of at most so many bytes */
function summarize(write: (room: number) => string): void {
  const file = process.env["GITHUB_STEP_SUMMARY"];
  if (!file) return;
  try {
    const room = maxSummary - (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    if (room > minSummary) appendFileSync(file, `${write(room - 1)}\n`);
  } catch (error) {
    process.stderr.write(`The summary of the job was not written: ${reasonOf(error)}\n`);
  }
}

/** The file as GitHub names it: from the top of the checkout. */
function annotated(file: string): AnnotatedFile | undefined {
  try {
    const top = process.env["GITHUB_WORKSPACE"] || process.cwd();
    return { path: relative(top, resolve(file)), text: readFileSync(file, "utf8") };
  } catch {
    return undefined;
  }
}
