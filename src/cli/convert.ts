/** `touchstone convert`: recordings from one format to another. */
import { open, rm } from "node:fs/promises";
import type { CommandModule } from "yargs";
import { version } from "../home.ts";
import { reasonOf, UserError } from "../user-error.ts";

interface ConvertArgs {
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
        describe: "har (1.2), json (a cassette for people), or jsonl (a cassette of lines)",
      })
      .option("out", {
        type: "string",
        requiresArg: true,
        default: "-",
        describe: "new file; - is standard output",
      })
      .option("keep-header", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "keep the value of this header",
      })
      .option("redact", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "also redact what this regular expression matches",
      }) as never,
  async handler(args) {
    const { convert } = await import("../cassette/convert.ts");
    const { redact } = await import("../redact/redact.ts");
    const { patternsFrom } = await import("../redact/patterns.ts");
    const { files, to, out, keepHeader: keepHeaders = [], redact: sources = [] } = args;
    const patterns = patternsFrom(sources).map((source) => new RegExp(source, "i"));
    const texts = await convert(files, {
      to,
      redact: (exchange) => redact(exchange, { keepHeaders, patterns }),
      note: (sentence) => void process.stderr.write(`${sentence}\n`),
      version: version(),
    });
    const output = await openOutput(out);
    try {
      for await (const text of texts) await output.write(text);
      await output.close();
    } catch (error) {
      await output.discard();
      throw error;
    }
  },
};

/** Takes the text, and ends well or throws it away. */
interface Output {
  write(text: string): Promise<void>;
  close(): Promise<void>;
  discard(): Promise<void>;
}

async function openOutput(path: string): Promise<Output> {
  if (path === "-") {
    const { createPrinter } = await import("../report/terminal/printer.ts");
    const { write } = createPrinter();
    return { write, close: async () => undefined, discard: async () => undefined };
  }
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "EEXIST" ? "the file exists already" : `cannot be created: ${reasonOf(error)}`;
    throw new UserError(`${path}: ${why}`, "Choose another --out, or remove the file first.");
  });
  return {
    async write(text) {
      await file.writeFile(text).catch((error: unknown) => {
        throw new UserError(`${path}: cannot be written: ${reasonOf(error)}`, "Make room on the disk.");
      });
    },
    close: () => file.close(),
    async discard() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}
