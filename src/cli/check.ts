/** `touchstone check`: judges cassettes and HAR files. */
import { availableParallelism } from "node:os";
import type { CommandModule } from "yargs";
import type { Clause, Finding, Level, Side } from "../check/clause.ts";
import type { Kept } from "../evidence/manifest.ts";
import type { JudgingArgs } from "../interfaces/judging.ts";
import { plural } from "../report/plural.ts";
import { inActions } from "../report/terminal/workflow-commands.ts";
import { UserError } from "../user-error.ts";
import type { Expectation } from "../verdict/document.ts";
import { parseShard } from "../verdict/shard.ts";
import { folderOptions, judgingOptions } from "./options.ts";
import { onInterrupt, onSignals } from "./signals.ts";

interface CheckArgs extends JudgingArgs {
  readonly files: readonly string[];
  readonly side?: Side | undefined;
  readonly level: Level;
  readonly format: "text" | "json" | "ndjson";
  readonly jobs: number;
  readonly follow: boolean;
  readonly out?: string | undefined;
  readonly evidence: Kept;
  readonly shard?: string | undefined;
  readonly quiet: boolean;
  readonly expectations?: string | undefined;
  readonly allowEmpty: boolean;
}

export const command: CommandModule<object, CheckArgs> = {
  command: "check <files..>",
  describe: "Judge cassettes and HAR files",
  builder: (yargs) =>
    folderOptions(judgingOptions(yargs))
      .positional("files", {
        type: "string",
        array: true,
        demandOption: true,
        describe: "cassettes (.json, .jsonl), HAR files, also gzipped; folders of them; - is standard input",
      })
      .option("side", { choices: ["request", "response"] as const, describe: "show only findings on this side" })
      .option("level", {
        choices: ["error", "warning", "note"] as const,
        default: "error" as const,
        describe: "lowest level that makes a clause fail",
      })
      .option("format", { choices: ["text", "json", "ndjson"] as const, default: "text" as const })
      .option("expectations", {
        type: "string",
        requiresArg: true,
        describe: "file of known failures, each with its reason",
      })
      .option("allow-empty", { type: "boolean", default: false, describe: "exit 0 even if nothing was judged" })
      .option("jobs", { type: "number", default: availableParallelism(), describe: "number of judging processes" })
      .option("follow", {
        type: "boolean",
        default: false,
        describe: "keep judging while the .jsonl file grows; Ctrl+C ends it with the summary",
      })
      .option("shard", {
        type: "string",
        requiresArg: true,
        describe: "judge one of N parts, I/N; touchstone report merges parts written with --format json",
      })
      .option("quiet", {
        type: "boolean",
        default: false,
        describe: "list only exchanges with errors or warnings",
      }) as never,
  async handler(args) {
    if (!Number.isInteger(args.jobs) || args.jobs < 1)
      throw new UserError("--jobs is not a count", "Give how many processes may judge, 1 or more.");
    const shard = parseShard(args.shard);
    if (shard && args.follow)
      throw new UserError("--shard and --follow exclude each other", "Shards are of files that no longer grow.");
    const [
      { startCheck, startFollowing },
      { openClauses },
      { judgingFrom },
      { differencesOf },
      { exitCodeOf },
      { checkPrinter },
      { openCheckOutput },
      { createSilence },
    ] = await Promise.all([
      import("../record/check-sources.ts"),
      import("../interfaces/open-clauses.ts"),
      import("../interfaces/judging.ts"),
      import("../verdict/divergence.ts"),
      import("../verdict/outcome.ts"),
      import("../report/terminal/check-printer.ts"),
      import("./check-output.ts"),
      import("../report/exchanges.ts"),
    ]);
    const { files, side, level, format, jobs, quiet } = args;
    const catalogue = await openClauses(args.documents);
    const judging = judgingFrom(args, catalogue);
    const printed = checkPrinter(format, quiet, differencesOf(judging.diverges));
    const output = await openCheckOutput(args, judging);
    // Whoever puts shards together tells GitHub of the whole.
    const told: Finding[] | undefined = inActions() && !shard && !args.follow ? [] : undefined;
    const silence = createSilence();
    const printer: typeof printed = {
      ...printed,
      exchange(exchange) {
        silence.add(exchange);
        output?.add(exchange.findings);
        told?.push(...exchange.findings);
        return printed.exchange(exchange);
      },
    };
    const options = {
      side,
      level,
      jobs,
      shard,
      expectations:
        args.expectations === undefined
          ? undefined
          : await expectationsOf(args.expectations, catalogue.clauses, files, args.follow === true),
      everyFinding: format === "ndjson",
      // Whoever says what names are called knows that they need not be the documents' own.
      hintsAtPreset: args.preset === undefined && !args.bind?.length,
    };
    let reached = "its start";
    const check = args.follow
      ? startFollowing(oneFile(files), judging, catalogue, options, printer)
      : await startCheck(files, judging, catalogue, options, {
          ...printer,
          progress(exchanges, source) {
            reached = `${exchanges} exchanges, in ${source}`;
            printer.progress(exchanges, source);
          },
        });
    const uninterrupted = args.follow
      ? onSignals(check.finish, check.abandon)
      : onInterrupt(() => [
          `${reached}; nothing of it counts`,
          "Run the same command again; --shard I/N judges less at a time.",
        ]);
    const { document, broken } = await check.ended.finally(uninterrupted);
    await output?.close(document);
    await printer.end(document);
    if (told)
      (await import("./github.ts")).tellGithub({ ...document, findings: told }, catalogue.clauses, args.expectations);
    process.exitCode = broken > 0 ? 2 : exitCodeOf(document);
    // A part of recordings may hold nothing; a whole check that judged nothing shows nothing.
    const isMet = document.clauses.some(({ exercised, verdict }) => exercised > 0 || verdict === "broken");
    if (shard || args.allowEmpty || !document.complete) return;
    const { silent, isJudged } = silence.get();
    if (isMet && process.exitCode === 0 && silent > 0 && !isJudged && side !== "request")
      throw new UserError(
        `nothing was judged: no response from the service to ${plural(silent, "request")}`,
        "Record again when the service responds. --side request judges requests alone, --allow-empty accepts it.",
      );
    if (isMet) return;
    throw new UserError(
      `nothing was judged: ${plural(document.summary.exchanges, "exchange")}, none of which a clause speaks about`,
      "See that the recordings hold requests to the documented paths, or give --allow-empty.",
    );
  },
};

/** The known failures of a file of expectations. It may name other recordings, too, of which nothing is observed then. */
async function expectationsOf(
  file: string,
  clauses: readonly Clause[],
  files: readonly string[],
  grows: boolean,
): Promise<readonly Expectation[]> {
  const [{ readExpectationsFile }, { listSources, sourceNamed }] = await Promise.all([
    import("../run/plan/expectations-file.ts"),
    import("../cassette/sources.ts"),
  ]);
  const ids = new Set(clauses.map(({ id }) => id));
  const sources = new Set(grows ? files : await listSources(files));
  const known = { clauses: ids, cassette: (name: string) => sourceNamed(name, sources) ?? name };
  return readExpectationsFile(file, known, false);
}

/** The one file that `--follow` may name; UserError otherwise. */
function oneFile(files: readonly string[]): string {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0 || file === "-")
    throw new UserError(
      "--follow takes one file",
      "Name the .jsonl that is being written: touchstone check --follow FILE.",
    );
  return file;
}
