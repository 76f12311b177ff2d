/** `touchstone convert`: recordings from one format to another. */
import type { CommandModule } from "yargs";

export interface ConvertArgs {
  readonly files: readonly string[];
  readonly to: "har" | "json" | "jsonl";
  readonly out: string;
  readonly keepHeader?: readonly string[] | undefined;
  readonly redact?: readonly string[] | undefined;
}

export const command: CommandModule<object, ConvertArgs> = {
  command: "convert <files..>",
  describe: "Convert between cassettes and HAR; read VCR cassettes",
  builder: (yargs) =>
    yargs
      .positional("files", {
        type: "string",
        array: true,
        demandOption: true,
        describe:
          "cassettes (.json, .jsonl), HAR files, VCR cassettes (.yml, .json), also gzipped; folders of recordings; - is standard input",
      })
      .option("to", {
        choices: ["har", "json", "jsonl"] as const,
        demandOption: true,
        describe: "HAR 1.2, a cassette for people, or a cassette of lines",
      })
      .option("out", {
        type: "string",
        requiresArg: true,
        default: "-",
        describe: "a new file; - is standard output",
      })
      .option("keep-header", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "keep this header's value",
      })
      .option("redact", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "regular expression of further secrets to take out",
      }) as never,
  async handler(args) {
    const { convert } = await import("../cassette/convert.ts");
    await convert(args);
  },
};
