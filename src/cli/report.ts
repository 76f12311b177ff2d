/** `touchstone report`: renders results, puts shards together, or sets several targets side by side. */
import type { CommandModule } from "yargs";
import type { Clause } from "../check/clause.ts";
import { createPrinter, wantsColor } from "../report/terminal/printer.ts";
import { UserError } from "../user-error.ts";
import type { RunResults } from "../verdict/document.ts";

interface ReportArgs {
  readonly results: readonly string[];
  readonly format: "text" | "json" | "junit" | "markdown" | "html";
}

export const command: CommandModule<object, ReportArgs> = {
  command: "report <results..>",
  describe: "Render results, merge shards, or set targets side by side",
  builder: (yargs) =>
    yargs
      .positional("results", { type: "string", array: true, demandOption: true, describe: "results.json files" })
      .option("format", {
        choices: ["text", "json", "junit", "markdown", "html"] as const,
        default: "text" as const,
      }) as never,
  async handler({ results: files, format }) {
    const [{ loadClauses }, { mergeShards }, { runExitCode }, { readResults, remedy }] = await Promise.all([
      import("../interfaces/clause-data.ts"),
      import("../verdict/merge.ts"),
      import("../verdict/outcome.ts"),
      import("../verdict/read-results.ts"),
    ]);
    const parts = await readResults(files);
    const today = new Date().toISOString().slice(0, 10);
    const sharded = parts.some(({ shard }) => shard !== null);
    if (parts.length === 1 || sharded) {
      const merged = mergeShards(parts, today);
      if (!merged.ok) throw new UserError(`these results cannot be merged: ${merged.problem}`, remedy);
      const printer = createPrinter();
      for (const piece of await render(merged.results, format, loadClauses())) await printer.write(piece);
      process.exitCode = runExitCode(merged.results);
      return;
    }
    const { formatSideBySide } = await import("../report/side-by-side.ts");
    if (format === "json") process.stdout.write(`${JSON.stringify(parts, null, 2)}\n`);
    else if (format === "text") process.stdout.write(formatSideBySide(parts));
    else throw new UserError(`--format ${format} shows one run`, "Give one results.json, or --format text or json.");
    process.exitCode = Math.max(...parts.map(runExitCode));
  },
};

async function render(
  results: RunResults,
  format: ReportArgs["format"],
  clauses: readonly Clause[],
): Promise<Iterable<string>> {
  if (format === "json") {
    const { gathered, jsonPieces } = await import("../report/json.ts");
    return gathered(jsonPieces(results));
  }
  if (format === "junit") return [(await import("../report/junit.ts")).formatJunit(results, { clauses })];
  if (format === "markdown") return [(await import("../report/markdown.ts")).formatMarkdown(results, { clauses })];
  if (format === "html") return [(await import("../report/html.ts")).formatHtml(results, { clauses })];
  return [(await import("../report/text.ts")).formatText(results, { clauses, color: wantsColor() })];
}
