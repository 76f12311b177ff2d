/** `touchstone check`: judges cassettes and HAR files. */
import { availableParallelism } from "node:os";
import type { CommandModule } from "yargs";
import type { Level, Side } from "../check/clause.ts";
import type { JudgingArgs } from "../interfaces/judging.ts";
import { UserError } from "../user-error.ts";
import { judgingOptions } from "./options.ts";

export interface CheckArgs extends JudgingArgs {
  readonly files: readonly string[];
  readonly side?: Side | undefined;
  readonly level: Level;
  readonly format: "text" | "json" | "ndjson";
  readonly jobs: number;
  readonly follow: boolean;
  readonly quiet: boolean;
}

export const command: CommandModule<object, CheckArgs> = {
  command: "check <files..>",
  describe: "Judge cassettes and HAR files",
  builder: (yargs) =>
    judgingOptions(yargs)
      .positional("files", {
        type: "string",
        array: true,
        demandOption: true,
        describe: "cassettes (.json, .jsonl), HAR files, also gzipped; folders of them; - is standard input",
      })
      .option("side", { choices: ["request", "response"] as const, describe: "only findings of this side" })
      .option("level", {
        choices: ["error", "warning", "note"] as const,
        default: "error" as const,
        describe: "the least level that fails a clause",
      })
      .option("format", { choices: ["text", "json", "ndjson"] as const, default: "text" as const })
      .option("jobs", { type: "number", default: availableParallelism(), describe: "how many processes may judge" })
      .option("follow", {
        type: "boolean",
        default: false,
        describe: "go on while the file, a .jsonl, grows; ends with the summary on Ctrl+C",
      })
      .option("quiet", {
        type: "boolean",
        default: false,
        describe: "list only exchanges with errors or warnings",
      }) as never,
  async handler(args) {
    if (!Number.isInteger(args.jobs) || args.jobs < 1)
      throw new UserError("--jobs is not a count", "Give how many processes may judge, 1 or more.");
    const { check } = await import("../record/check-sources.ts");
    process.exitCode = await check(args);
  },
};
