/** `touchstone report`: renders results, puts shards together, or sets several targets side by side. */
import { writeFileSync } from "node:fs";
import type { CommandModule } from "yargs";
import type { ClauseData } from "../check/catalogue.ts";
import type { ColumnParts } from "../evidence/read-comparison.ts";
import { type Format, formats, rendered } from "../report/formats.ts";
import type { Results } from "../report/options.ts";
import { createPrinter, wantsColor } from "../report/terminal/printer.ts";
import { UserError } from "../user-error.ts";
import type { CheckDocument } from "../verdict/document.ts";
import type { CheckPart } from "../verdict/merge-checks.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { givenArguments } from "./command-line.ts";
import { type DocumentsArgs, documentsOption, forClient } from "./options.ts";

interface ReportArgs extends DocumentsArgs {
  readonly results: readonly string[];
  readonly format: Format<"results">["name"];
  readonly out?: string | undefined;
  readonly for?: string;
  readonly badge?: string | undefined;
  readonly verbose: boolean;
}

const trackerFiles = formats.results.flatMap(({ file, isTracker }) => (isTracker && file !== undefined ? [file] : []));

export const command: CommandModule<object, ReportArgs> = {
  command: "report <results..>",
  describe: "Render results, merge shards, or compare targets side by side",
  builder: (yargs) =>
    documentsOption(yargs)
      .positional("results", {
        type: "string",
        array: true,
        demandOption: true,
        describe: "results folders or results.json files; NAME=FOLDER for each of several targets; shards of a check",
      })
      .option("format", {
        choices: formats.results.map(({ name }) => name),
        default: "text" as const,
      })
      .option("out", {
        type: "string",
        requiresArg: true,
        describe: `folder for results.json and every report of it, ${trackerFiles.join(" and ")} too`,
      })
      .option("badge", {
        type: "string",
        describe: "write a badge for a README to this SVG file; without a file, print the badge",
      })
      .option("verbose", { type: "boolean", default: false, describe: "list everything that the text only counts" })
      .option("for", forClient) as never,
  async handler({ results: given, documents, format, out, for: client, badge, verbose }) {
    const [
      { openClauses },
      { clientExitCode, runExitCode },
      { readCheckParts, readWholeCheck },
      { checkClient, loadFitness },
      { comparedRuns, mergedResults, namedPath, readColumnParts },
      { refuseOverwriting, resultsFileOf },
    ] = await Promise.all([
      import("../interfaces/open-clauses.ts"),
      import("../verdict/outcome.ts"),
      import("../verdict/read-results.ts"),
      import("../run/plan/fitness-data.ts"),
      import("../evidence/read-comparison.ts"),
      import("../evidence/merge.ts"),
    ]);
    const fitness = loadFitness();
    const catalogue = await openClauses(documents);
    if (client !== undefined) checkClient(client, fitness);
    const named = given.map(namedPath);
    const paths = named.map(({ path }) => path);
    if (out !== undefined) refuseOverwriting(out, paths);
    const resultFiles = paths.map(resultsFileOf);
    const { readAllOutcomes, reportOutcomes } = await import("./report-outcomes.ts");
    const outcomes = await readAllOutcomes(resultFiles);
    if (outcomes) {
      if (client !== undefined || badge !== undefined)
        throw new UserError("--for and --badge are of runs", "Leave them out, or give results of touchstone run.");
      return reportOutcomes(outcomes, named, { format, out, verbose, catalogue, documents });
    }
    const checks = (await readCheckParts(resultFiles)) ?? (await readWholeCheck(resultFiles));
    if (checks) {
      if (out !== undefined || client !== undefined || badge !== undefined)
        throw new UserError(
          "--out, --for and --badge are of runs",
          "Leave them out, or give results of touchstone run.",
        );
      return reportChecks(checks, { format, documents }, catalogue, resultFiles);
    }
    const columns = await readColumnParts(named);
    const today = new Date().toISOString().slice(0, 10);
    const exitCode = (part: RunResults) => (client === undefined ? runExitCode(part) : clientExitCode(part, client));
    if (columns.length > 1) {
      if (badge !== undefined)
        throw new UserError("--badge shows one run", "Give one folder, or the shards of one run.");
      const runs = await comparedRuns(columns, today, fitness);
      await (await import("./side-by-side.ts")).reportSideBySide(runs, { format, out, catalogue, documents });
      if (client !== undefined && format === "text") {
        const { clientLine } = await import("../report/fitness.ts");
        for (const { name, results } of runs) process.stdout.write(`${name}: ${clientLine(results, client)}\n`);
      }
      process.exitCode = Math.max(...runs.map(({ results }) => exitCode(results)));
      return;
    }
    const results = mergedResults(columns[0]!, today, fitness);
    if (out !== undefined) await writeFolder(out, results, columns[0]!, documents);
    if (badge !== undefined) {
      const { formatBadge } = await import("../report/badge.ts");
      const svg = formatBadge(results, catalogue, columns[0]!.name ?? results.target.name);
      if (badge === "") process.stdout.write(svg);
      else writeFile(badge, svg);
    }
    const printer = createPrinter();
    const files = onePathAShard(columns[0]!).map(resultsFileOf);
    if (badge !== "")
      for (const piece of await render(results, { format, verbose, documents }, catalogue, files))
        await printer.write(piece);
    if (client !== undefined && format === "text" && badge !== "") {
      const { clientLine } = await import("../report/fitness.ts");
      await printer.write(`${clientLine(results, client)}\n`);
    }
    (await import("./github.ts")).tellGithub(results, catalogue.clauses);
    process.exitCode = exitCode(results);
  },
};

/** UserError where it cannot be written. */
function writeFile(file: string, content: string): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    throw new UserError(`--badge ${file} cannot be written: ${(error as Error).message}`, "Choose another file.");
  }
}

/** Writes results and every report of them, with the exchanges of all shards. */
async function writeFolder(
  out: string,
  results: RunResults,
  column: ColumnParts,
  documents: readonly string[] | undefined,
): Promise<void> {
  const [{ openFolder }, { openInterfaces }, { trackedFolder }, { exchangesOf }, { commandLine }] = await Promise.all([
    import("../evidence/folder.ts"),
    import("../interfaces/open-interfaces.ts"),
    import("../evidence/reports.ts"),
    import("../evidence/merge.ts"),
    import("./credentials.ts"),
  ]);
  const { evidence, header, each } = await exchangesOf(onePathAShard(column));
  const output = openFolder(out, { ...results, complete: false }, evidence, trackedFolder);
  if (results.baseline?.sha256.length === 1) await keepBaselineOf(out, column.paths[0]!);
  await each(output.add);
  const made = { command: commandLine(givenArguments()), started: new Date().toISOString(), evidence };
  output.close(results, header, await openInterfaces(documents), results.documents, made);
}

/** Copies the baseline that lies in the folder of a run, if one does. */
async function keepBaselineOf(out: string, path: string): Promise<void> {
  const { baselineFolderIn, keepBaseline } = await import("../evidence/baseline-folder.ts");
  const folder = baselineFolderIn(path);
  if (folder !== undefined) await keepBaseline(out, folder);
}

/** Prints a whole check, or puts the shards of one together: as JSON the same bytes as of one whole check. */
async function reportChecks(
  given: CheckDocument | readonly CheckPart[],
  { format, documents }: Pick<ReportArgs, "format" | "documents">,
  catalogue: ClauseData,
  files: readonly string[],
): Promise<void> {
  const { mergeChecks } = await import("../verdict/merge-checks.ts");
  const merged =
    "clauses" in given
      ? { ok: true as const, document: given, broken: 0 }
      : mergeChecks(given, new Date().toISOString().slice(0, 10));
  if (!merged.ok)
    throw new UserError(
      `these shards cannot be merged: ${merged.problem}`,
      "Give what touchstone check --shard I/N --format json printed, of every I.",
    );
  const { exitCodeOf } = await import("../verdict/outcome.ts");
  const { write } = createPrinter();
  for (const piece of await render(merged.document, { format, verbose: false, documents }, catalogue, files))
    await write(piece);
  (await import("./github.ts")).tellGithub(merged.document, catalogue.clauses);
  process.exitCode = merged.broken > 0 ? 2 : exitCodeOf(merged.document);
}

/** The paths of the parts, in the order of shards, and one of each. */
function onePathAShard({ parts, paths }: ColumnParts): string[] {
  const byShard = new Map(parts.map(({ shard }, i) => [shard?.index ?? 0, paths[i]!]));
  return [...byShard].sort(([a], [b]) => a - b).map(([, path]) => path);
}

/** @param files where the results stand; a page shows the exchanges that lie beside them */
async function render(
  results: Results,
  { format, verbose, documents }: Pick<ReportArgs, "format" | "verbose" | "documents">,
  { clauses }: ClauseData,
  files: readonly string[],
): Promise<Iterable<string>> {
  const page = format === "html" ? await pageBeside(results, files, documents) : [];
  return rendered("results", format, results, { clauses, color: wantsColor(), verbose, page: () => page });
}

async function pageBeside(
  results: Results,
  files: readonly string[],
  documents: readonly string[] | undefined,
): Promise<Iterable<string>> {
  const { pageOfFiles } = await import("../evidence/page-of-files.ts");
  const { commandLine } = await import("./credentials.ts");
  const { openInterfaces } = await import("../interfaces/open-interfaces.ts");
  return pageOfFiles(results, files, await openInterfaces(documents), commandLine(givenArguments()));
}
