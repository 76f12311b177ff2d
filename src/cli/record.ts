/** `touchstone record`: a proxy between a client and a service that keeps, judges and shows what passes. */
import type { Argv, CommandModule } from "yargs";
import { UserError } from "../user-error.ts";
import { callerOptions, judgingOptions, programBehindDashes } from "./options.ts";
import type { RecordArgs } from "./recording.ts";

const several = { type: "string", array: true, requiresArg: true } as const;

export const command: CommandModule<object, RecordArgs> = {
  command: "record [url]",
  describe: "Record and judge the traffic between a client and a service",
  builder: (yargs) =>
    callerOptions(judgingOptions(yargs))
      .parserConfiguration(programBehindDashes)
      .positional("url", {
        type: "string",
        describe:
          "base URL of the service: https://api.example.com; default for a program behind --: the vendors' own addresses",
      })
      .option("listen", { type: "string", default: "127.0.0.1:0", describe: "HOST:PORT; port 0 picks a free port" })
      .option("out", {
        type: "string",
        requiresArg: true,
        describe:
          "cassette to write (.jsonl), or a folder (NAME/) for the cassette, results and reports; default: a new cassette in this folder",
      })
      .option("upstream", { ...several, describe: "service for one interface: messages=https://api.example.com" })
      .option("intercept", {
        type: "boolean",
        default: false,
        describe:
          "be a forward proxy, for programs whose address cannot be set; an authority of this session opens traffic with well-known services",
      })
      .option("intercept-host", {
        ...several,
        describe: "also open traffic with this host: *.example.com (repeatable)",
      })
      .option("enforce", {
        type: "boolean",
        default: false,
        describe: "reject requests that violate an error-level clause, without forwarding them",
      })
      .option("gate", {
        type: "boolean",
        default: false,
        describe: "exit 1 if there were errors, 2 if no response was judged",
      })
      .option("allow-empty", {
        type: "boolean",
        default: false,
        describe: "with --gate: exit 0 even if no response was judged",
      })
      .option("max-body", {
        type: "string",
        default: "64M",
        describe: "bytes to keep of each body (K, M, G); longer bodies still pass, and are marked as cut",
      })
      .option("keep-header", { ...several, describe: "keep the value of this header" })
      .option("redact", { ...several, describe: "also redact what this regular expression matches" })
      .option("sync", {
        type: "boolean",
        default: false,
        describe: "force each exchange onto the disk as it is written, instead of once a second",
      })
      .option("insecure", { type: "boolean", default: false, describe: "accept any TLS certificate of the upstream" })
      .option("quiet", {
        type: "boolean",
        default: false,
        describe: "list only exchanges with errors or warnings",
      })
      .option("ui", {
        type: "boolean",
        default: false,
        describe: "also show the session live on a local page: exchanges as they happen, send again, save",
      })
      .option("open", {
        type: "boolean",
        default: false,
        describe: "--ui, and open that page in a browser",
      }) as unknown as Argv<RecordArgs>,
  handler: record,
};

async function record(args: RecordArgs): Promise<void> {
  if (args.intercept && (args.url !== undefined || args.upstream !== undefined))
    throw new UserError(
      `--intercept cannot be combined with ${args.url === undefined ? "--upstream" : "a base URL"}: programs name their services themselves`,
      "Open the traffic with further hosts by --intercept-host HOST.",
    );
  if (!args.intercept && args.interceptHost !== undefined)
    throw new UserError("--intercept-host needs --intercept", "Add --intercept.");
  const { openInterfaces } = await import("../interfaces/open-interfaces.ts");
  const { upstreamsByInterface } = await import("../record/options.ts");
  const catalogue = await openInterfaces(args.documents);
  const names = catalogue.interfaces.map(({ name }) => name);
  const upstreams = upstreamsByInterface(args.upstream ?? [], names);
  if (args["--"]) {
    const { recordProgram } = await import("./record-program.ts");
    process.exitCode = await recordProgram(args["--"], args, catalogue, upstreams);
  } else {
    const { recordUntilSignal } = await import("./record-until-signal.ts");
    process.exitCode = await recordUntilSignal(args, catalogue, upstreams);
  }
}
