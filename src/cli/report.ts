/** `touchstone report`: renders results, puts shards together, or sets several targets side by side. */
import type { CommandModule } from "yargs";
import type { Clause } from "../check/clause.ts";
import { isRun, type Results } from "../report/options.ts";
import { createPrinter, wantsColor } from "../report/terminal/printer.ts";
import { UserError } from "../user-error.ts";
import type { CheckPart } from "../verdict/merge-checks.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { givenArguments } from "./command-line.ts";
import { forClient } from "./options.ts";

const formats = ["text", "json", "junit", "markdown", "html", "sarif", "gitlab"] as const;

interface ReportArgs {
  readonly results: readonly string[];
  readonly format: (typeof formats)[number];
  readonly out?: string | undefined;
  readonly for?: string;
}

export const command: CommandModule<object, ReportArgs> = {
  command: "report <results..>",
  describe: "Render results, merge shards, or set targets side by side",
  builder: (yargs) =>
    yargs
      .positional("results", {
        type: "string",
        array: true,
        demandOption: true,
        describe: "folders that run --out wrote, or results.json files; shards of a check",
      })
      .option("format", {
        choices: formats,
        default: "text" as const,
      })
      .option("out", {
        type: "string",
        requiresArg: true,
        describe: "folder for results.json and every report of it, results.sarif and gl-code-quality-report.json too",
      })
      .option("for", forClient) as never,
  async handler({ results: paths, format, out, for: client }) {
    const [
      { loadClauses },
      { mergeShards },
      { clientExitCode, runExitCode },
      { readCheckParts, readResults, remedy },
      { withFitness },
      { checkClient, loadFitness },
    ] = await Promise.all([
      import("../interfaces/clause-data.ts"),
      import("../verdict/merge.ts"),
      import("../verdict/outcome.ts"),
      import("../verdict/read-results.ts"),
      import("../verdict/fitness.ts"),
      import("../run/fitness-data.ts"),
    ]);
    const fitness = loadFitness();
    if (client !== undefined) checkClient(client, fitness);
    const { exchangesOf, refuseOverwriting, resultsFileOf } = await import("../evidence/merge.ts");
    if (out !== undefined) refuseOverwriting(out, paths);
    const files = paths.map(resultsFileOf);
    const checks = await readCheckParts(files);
    if (checks) {
      if (out !== undefined || client !== undefined)
        throw new UserError("--out and --for are of runs", "Leave them out, or give results of touchstone run.");
      return reportChecks(checks, format, loadClauses());
    }
    const parts = await readResults(files);
    const today = new Date().toISOString().slice(0, 10);
    const sharded = parts.some(({ shard }) => shard !== null);
    if (parts.length === 1 || sharded) {
      const merged = mergeShards(parts, today);
      if (!merged.ok) throw new UserError(`these results cannot be merged: ${merged.problem}`, remedy);
      const results = withFitness(merged.results, fitness);
      if (out !== undefined) {
        const { openFolder } = await import("../evidence/folder.ts");
        const { reports, trackers } = await import("../evidence/reports.ts");
        const { commandLine } = await import("./credentials.ts");
        const { evidence, header, each } = await exchangesOf(onePathAShard(parts, paths));
        const output = openFolder(out, { ...results, complete: false }, evidence, { ...reports, ...trackers });
        await each(output.add);
        const made = {
          command: commandLine(givenArguments()),
          started: new Date().toISOString(),
          evidence,
        };
        output.close(results, header, loadClauses(), results.documents, made);
      }
      const printer = createPrinter();
      for (const piece of await render(results, format, loadClauses())) await printer.write(piece);
      (await import("./github.ts")).tellGithub(results, loadClauses());
      process.exitCode = client === undefined ? runExitCode(results) : clientExitCode(results, client);
      return;
    }
    if (out !== undefined)
      throw new UserError("--out holds one run", "Give one results.json, or the shards of one run.");
    const { formatSideBySide } = await import("../report/side-by-side.ts");
    if (format === "json") process.stdout.write(`${JSON.stringify(parts, null, 2)}\n`);
    else if (format === "text") process.stdout.write(formatSideBySide(parts));
    else throw new UserError(`--format ${format} shows one run`, "Give one results.json, or --format text or json.");
    const exitCode = (part: RunResults) => (client === undefined ? runExitCode(part) : clientExitCode(part, client));
    process.exitCode = Math.max(...parts.map((part) => exitCode(withFitness(part, fitness))));
  },
};

/** Puts the shards of a check together: as JSON the same bytes as of one whole check. */
async function reportChecks(
  parts: readonly CheckPart[],
  format: ReportArgs["format"],
  clauses: readonly Clause[],
): Promise<void> {
  const { mergeChecks } = await import("../verdict/merge-checks.ts");
  const merged = mergeChecks(parts, new Date().toISOString().slice(0, 10));
  if (!merged.ok)
    throw new UserError(
      `these shards cannot be merged: ${merged.problem}`,
      "Give what touchstone check --shard I/N --format json printed, of every I.",
    );
  const { exitCodeOf } = await import("../verdict/outcome.ts");
  const { write } = createPrinter();
  for (const piece of await render(merged.document, format, clauses)) await write(piece);
  process.exitCode = merged.broken > 0 ? 2 : exitCodeOf(merged.document);
}

/** The paths of the parts, in the order of shards, and one of each. */
function onePathAShard(parts: readonly RunResults[], paths: readonly string[]): string[] {
  const byShard = new Map(parts.map(({ shard }, i) => [shard?.index ?? 0, paths[i]!]));
  return [...byShard].sort(([a], [b]) => a - b).map(([, path]) => path);
}

async function render(
  results: Results,
  format: ReportArgs["format"],
  clauses: readonly Clause[],
): Promise<Iterable<string>> {
  if (format === "json") {
    const { gathered, growingJson, jsonPieces } = await import("../report/json.ts");
    if (isRun(results)) return gathered(jsonPieces(results));
    const { findings, ...rest } = results;
    const json = growingJson("findings");
    return gathered(
      (function* () {
        for (const finding of findings) yield json.item(finding);
        yield* json.end(rest);
      })(),
    );
  }
  if (format === "junit") return [(await import("../report/junit.ts")).formatJunit(results, { clauses })];
  if (format === "markdown") return [(await import("../report/markdown.ts")).formatMarkdown(results, { clauses })];
  if (format === "sarif") return [(await import("../report/sarif.ts")).formatSarif(results, { clauses })];
  if (format === "gitlab") return [(await import("../report/gitlab.ts")).formatGitlab(results, { clauses })];
  if (format === "html") return [(await import("../report/html.ts")).formatHtml(results, { clauses })];
  return [(await import("../report/text.ts")).formatText(results, { clauses, color: wantsColor() })];
}
