/** `touchstone gateway`: what survives the way through a gateway, from one interface to another. */
import type { Argv, CommandModule } from "yargs";
import type { Kept } from "../evidence/manifest.ts";
import type { GatewayOptions } from "../gateway/plan.ts";
import { givenArguments } from "./command-line.ts";
import { allowCode, folderOptions, judgingOptions, onNote } from "./options.ts";
import { onInterrupt } from "./signals.ts";

interface GatewayArgs extends GatewayOptions {
  readonly target?: string | undefined;
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
  command: "gateway [target]",
  describe: "Measure what a gateway keeps, drops and changes on the way to its upstream",
  builder: (yargs) =>
    folderOptions(judgingOptions(yargs))
      .positional("target", { type: "string", describe: "base URL, or a target file (JSON)" })
      .option("allow-code", allowCode)
      .option("client", {
        type: "string",
        requiresArg: true,
        describe:
          "client library to ask in place of a gateway: ai (as installed here), ai@latest (installed for the test)",
      })
      .option("from", {
        type: "string",
        requiresArg: true,
        defaultDescription: "with --client that of --to",
        describe: "interface between its clients and the gateway",
      })
      .option("to", { type: "string", requiresArg: true, describe: "interface between the gateway and its upstream" })
      .option("upstream", {
        type: "string",
        requiresArg: true,
        defaultDescription: "with --start or --client a free port",
        describe: "HOST:PORT on which touchstone listens as the upstream",
      })
      .option("start", {
        type: "string",
        requiresArg: true,
        describe:
          "command that starts the gateway once the upstream listens; {upstream} and $UPSTREAM are the address of the upstream",
      })
      .option("name", {
        type: "string",
        requiresArg: true,
        defaultDescription: "its host",
        describe: "name of the gateway in reports",
      })
      .option("gate", {
        choices: ["fidelity"] as const,
        describe: "fail if any fact is dropped, changed or invented",
      })
      .option("keep", {
        ...names,
        describe: "fail if this fact is dropped, changed or invented (repeatable)",
      })
      .option("strict", { type: "boolean", describe: "count fair conversions as changes" })
      .option("lacks", {
        ...names,
        describe: "something the gateway does not offer: a feature (tools, streaming), a section, or keys",
      })
      .option("header", {
        ...several,
        describe: `header to add to each request: "Name: value"; {upstream} stands for the address of the upstream`,
      })
      .option("model", { ...several, describe: "model of the gateway: ID, INTERFACE=ID, KIND=ID or RECORDED=ID" })
      .option("key", {
        ...several,
        describe: "environment variable with the key: '$VARIABLE' or INTERFACE='$VARIABLE'; default $TOUCHSTONE_KEY",
      })
      .option("level", {
        choices: ["error", "warning", "note"] as const,
        defaultDescription: "error",
        describe: "lowest level that makes a clause fail",
      })
      .option("concurrency", { type: "number", defaultDescription: "8", describe: "conversations at the same time" })
      .option("retries", {
        type: "number",
        defaultDescription: "1",
        describe: "retries after 429, 503, 529 or no response",
      })
      .option("rate", { type: "number", requiresArg: true, describe: "maximum number of requests per second" })
      .option("wait", {
        type: "number",
        defaultDescription: "0; 60 with --start",
        describe: "seconds to wait for the gateway to listen",
      })
      .option("insecure", { type: "boolean", default: false, describe: "accept any TLS certificate of the gateway" })
      .option("timeout", {
        type: "number",
        defaultDescription: "60",
        describe: "seconds to wait for a response, and for each part of it",
      })
      .option("verbose", { type: "boolean", default: false, describe: "list everything that the text only counts" })
      .option("format", {
        choices: ["text", "json"] as const,
        default: "text" as const,
        describe: "format of standard output",
      }) as unknown as Argv<GatewayArgs>,
  async handler(args) {
    const [
      { planGateway },
      { askGateway, unfinishedDocument },
      { openFolder },
      { gatewayFolder },
      { gatewayHeader, recordedTrip },
      { commandLine, warnOfLiteralKeys },
      { createPrinter },
    ] = await Promise.all([
      import("../gateway/plan.ts"),
      import("../gateway/gateway.ts"),
      import("../evidence/folder.ts"),
      import("../evidence/outcomes/folders.ts"),
      import("../evidence/outcomes/trip-lines.ts"),
      import("./credentials.ts"),
      import("../report/terminal/printer.ts"),
    ]);
    warnOfLiteralKeys(args.key);
    const { color, progress, write } = createPrinter();
    let reached = "0 requests";
    const plan = await planGateway(args.target, {
      ...args,
      onNote,
      onProgress(done, all) {
        reached = `${done} of ${all} requests`;
        progress(reached);
      },
    });
    const { out, evidence } = args;
    const { catalogue } = plan.planned;
    const made = { command: commandLine(givenArguments()), started: new Date().toISOString(), evidence };
    const output = out === undefined ? undefined : openFolder(out, unfinishedDocument(plan), evidence, gatewayFolder);
    const uninterrupted = onInterrupt(() => {
      progress("");
      return [`${reached}; what was seen so far does not count`, "Run the same command again."];
    });
    const { document, gone } = await askGateway(plan, (trip) => {
      if (output) for (const recorded of recordedTrip(trip)) output.add(recorded);
    }).finally(uninterrupted);
    progress("");
    const header = gatewayHeader(document);
    if (document.complete) output?.close(document, header, catalogue, document.documents, made);
    else output?.leave(document, header);
    const { rendered } = await import("../report/formats.ts");
    const { gatewayTable } = await import("../report/outcomes/gateway.ts");
    const table = gatewayTable(document, catalogue.clauses);
    const sources = { clauses: catalogue.clauses, color, verbose: args.verbose, page: () => [] };
    for (const piece of await rendered("outcomes", args.format, { document, table }, sources)) await write(piece);
    await (await import("./github.ts")).tellGithubOutcomes(table);
    if (gone) throw gone;
    const { outcomeExitCode } = await import("../report/outcomes/outline.ts");
    process.exitCode = outcomeExitCode(table);
  },
};
