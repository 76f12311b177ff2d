/** `touchstone gateway`: what survives the way through a gateway, from one interface to another. */
import type { Argv, CommandModule } from "yargs";
import type { Kept } from "../evidence/manifest.ts";
import type { GatewayOptions } from "../gateway/plan.ts";
import { folderOptions, judgingOptions } from "./options.ts";
import { onInterrupt } from "./signals.ts";

interface GatewayArgs extends GatewayOptions {
  readonly target: string;
  readonly out?: string | undefined;
  readonly evidence: Kept;
  readonly format: "text" | "json";
  readonly verbose: boolean;
}

/** Repeatable, one value each time, so that a target may follow it. */
const several = { type: "string", array: true, nargs: 1 } as const;
const names = {
  ...several,
  coerce: (values: readonly string[] | undefined) => values?.flatMap((value) => value.split(",")),
} as const;

export const command: CommandModule<object, GatewayArgs> = {
  command: "gateway <target>",
  describe: "Measure what a gateway keeps, drops and changes between two interfaces",
  builder: (yargs) =>
    folderOptions(judgingOptions(yargs))
      .positional("target", { type: "string", demandOption: true, describe: "base URL, or a target file (JSON)" })
      .option("from", { type: "string", requiresArg: true, describe: "the interface that clients speak to it" })
      .option("to", { type: "string", requiresArg: true, describe: "the interface that it speaks to its upstream" })
      .option("upstream", {
        type: "string",
        requiresArg: true,
        defaultDescription: "with --start a free port",
        describe: "HOST:PORT at which touchstone listens as its upstream",
      })
      .option("start", {
        type: "string",
        requiresArg: true,
        describe:
          "start the gateway by this command once the upstream listens; {upstream} and $UPSTREAM are its address",
      })
      .option("name", {
        type: "string",
        requiresArg: true,
        defaultDescription: "its host",
        describe: "what reports call it",
      })
      .option("gate", {
        choices: ["fidelity"] as const,
        describe: "fail also for facts that are dropped, changed or invented",
      })
      .option("keep", {
        ...names,
        describe: "fail for this fact, where it is dropped, changed or invented (repeatable)",
      })
      .option("strict", { type: "boolean", describe: "count fair conversions as changes" })
      .option("lacks", { ...names, describe: "what it does not offer: a need (tools, streaming), a section, keys" })
      .option("header", {
        ...several,
        describe: `send this as well: "Name: value"; {upstream} is the upstream's address`,
      })
      .option("model", { ...several, describe: "its model: ID, or INTERFACE=ID, KIND=ID, RECORDED=ID" })
      .option("key", {
        ...several,
        describe: "credential: '$VARIABLE', or INTERFACE='$VARIABLE'; default $TOUCHSTONE_KEY",
      })
      .option("level", {
        choices: ["error", "warning", "note"] as const,
        defaultDescription: "error",
        describe: "the least level that fails a clause",
      })
      .option("concurrency", { type: "number", defaultDescription: "8", describe: "conversations at a time" })
      .option("retries", {
        type: "number",
        defaultDescription: "1",
        describe: "how often to ask again what was answered 429, 503 or 529, or not at all",
      })
      .option("rate", { type: "number", requiresArg: true, describe: "send at most this many requests a second" })
      .option("wait", {
        type: "number",
        defaultDescription: "0; 60 with --start",
        describe: "seconds to wait until it listens",
      })
      .option("insecure", { type: "boolean", default: false, describe: "accept any certificate of it" })
      .option("timeout", {
        type: "number",
        defaultDescription: "60",
        describe: "seconds to wait for an answer and each part of it",
      })
      .option("verbose", { type: "boolean", default: false, describe: "list what the text only counts" })
      .option("format", {
        choices: ["text", "json"] as const,
        default: "text" as const,
        describe: "of standard output",
      }) as unknown as Argv<GatewayArgs>,
  async handler(args) {
    const { planGateway } = await import("../gateway/plan.ts");
    const { askGateway } = await import("../gateway/gateway.ts");
    (await import("./credentials.ts")).warnOfLiteralKeys(args.key);
    const { createPrinter } = await import("../report/terminal/printer.ts");
    const { color, progress, write } = createPrinter();
    let reached = "0 requests";
    const plan = await planGateway(args.target, {
      ...args,
      onProgress(done, all) {
        reached = `${done} of ${all} requests`;
        progress(reached);
      },
    });
    const uninterrupted = onInterrupt(() => {
      progress("");
      return [`${reached}; what was seen so far does not count`, "Run the same command again."];
    });
    const { document, gone } = await askGateway(plan).finally(uninterrupted);
    progress("");
    const { rendered } = await import("../report/formats.ts");
    const { gatewayTable } = await import("../report/outcomes/gateway.ts");
    const { catalogue } = plan.planned;
    const table = gatewayTable(document, catalogue.clauses);
    const sources = { clauses: catalogue.clauses, color, verbose: args.verbose, page: () => [] };
    for (const piece of await rendered("outcomes", args.format, { document, table }, sources)) await write(piece);
    if (gone) throw gone;
    const { gatewayExitCode } = await import("../gateway/outcome.ts");
    process.exitCode = gatewayExitCode(document);
  },
};
