/** `touchstone play`: recorded responses as a server. */
import type { CommandModule } from "yargs";
import type { RecordMode } from "../play/fixture.ts";
import { UserError } from "../user-error.ts";
import { parseListen } from "../wire/listen-address.ts";
import { type CallerArgs, callerOptions, type DocumentsArgs, documentsOption, tellAddress } from "./options.ts";

interface PlayArgs extends CallerArgs, DocumentsArgs {
  readonly cassettes: readonly string[];
  readonly listen: string;
  readonly pace: string;
  readonly once: boolean;
  readonly strict: boolean;
  readonly matchHeader?: readonly string[] | undefined;
  readonly onMiss: "refuse" | "record";
  readonly record?: string | undefined;
  readonly mode?: RecordMode | undefined;
  readonly prune: boolean;
  readonly upstream?: string | undefined;
  readonly out?: string | undefined;
  readonly keepHeader?: readonly string[] | undefined;
  readonly redact?: readonly string[] | undefined;
}

/** `recorded`, `instant` or `Nx` as how many times as fast; UserError otherwise. */
function paceFrom(text: string): number {
  if (text === "recorded") return 1;
  if (text === "instant") return Number.POSITIVE_INFINITY;
  const times = Number(/^(\d+(?:\.\d+)?|\.\d+)x$/i.exec(text)?.[1]);
  if (times > 0) return times;
  throw new UserError(`--pace ${text} is no pace`, "Write recorded, instant, or how many times as fast: 10x, 0.5x.");
}

const several = { type: "string", array: true, requiresArg: true } as const;

export const command: CommandModule<object, PlayArgs> = {
  command: "play <cassettes..>",
  describe: "Serve recorded responses, byte for byte and chunk for chunk",
  builder: (yargs) =>
    callerOptions(documentsOption(yargs))
      .positional("cassettes", {
        type: "string",
        array: true,
        demandOption: true,
        describe:
          "cassettes (.json, .jsonl), HAR files, VCR cassettes, also gzipped; folders of them; - is standard input",
      })
      .option("listen", { type: "string", default: "127.0.0.1:0", describe: "HOST:PORT; port 0 picks a free port" })
      .option("pace", {
        type: "string",
        default: "recorded",
        describe: "recorded, instant, or a speed: 10x, 0.5x",
      })
      .option("once", {
        type: "boolean",
        default: false,
        describe: "play each recording only once; by default the last match repeats",
      })
      .option("match-header", {
        ...several,
        describe: "also match this header (repeatable)",
      })
      .option("on-miss", {
        choices: ["refuse", "record"] as const,
        default: "refuse" as const,
        describe:
          "for requests that are not recorded: answer 404 (refuse), or ask --upstream and keep the response in --out (record)",
      })
      .option("record", {
        type: "string",
        requiresArg: true,
        describe: "base URL of the service that answers what the cassette lacks; the answers are added to the cassette",
      })
      .option("mode", {
        choices: ["once", "always", "never"] as const,
        defaultDescription: "once, or $TOUCHSTONE_RECORD",
        describe: "with --record: ask for missing recordings (once), for everything (always), or never",
      })
      .option("prune", {
        type: "boolean",
        default: false,
        describe: "with --mode always: remove the recordings that nobody asked for",
      })
      .option("upstream", { type: "string", requiresArg: true, describe: "base URL to ask with --on-miss record" })
      .option("out", { type: "string", requiresArg: true, describe: "new .jsonl cassette for what --on-miss records" })
      .option("keep-header", { ...several, describe: "keep the value of this header in --out" })
      .option("redact", { ...several, describe: "also redact what this regular expression matches in --out" })
      .option("strict", {
        type: "boolean",
        default: false,
        describe: "exit 1 if a request was not recorded, or a recording was not requested",
      }) as never,
  async handler(args) {
    const pace = paceFrom(args.pace);
    if (args.onMiss === "record" && (args.upstream === undefined || args.out === undefined))
      throw new UserError(
        `--on-miss record needs ${args.upstream === undefined ? "--upstream URL" : "--out FILE"}`,
        "Name the service to ask, and a new cassette for its answers: --upstream https://... --out gaps.jsonl.",
      );
    if (args.onMiss === "refuse" && (args.upstream !== undefined || args.out !== undefined))
      throw new UserError(
        `${args.upstream === undefined ? "--out" : "--upstream"} is used only to record what is missing`,
        "Add --on-miss record, or leave it out.",
      );
    if (args.record !== undefined && args.onMiss === "record")
      throw new UserError(
        "--record and --on-miss record are both given",
        "--record adds to the cassette, --on-miss record to another one.",
      );
    if (args.record === undefined && args.mode !== undefined)
      throw new UserError("--mode says when --record asks", "Add --record URL, or leave it out.");
    const { fixtureOf, played, recordModeFrom } = await import("../play/fixture.ts");
    if (args.prune && (args.record === undefined || recordModeFrom(args.mode) !== "always"))
      throw new UserError("--prune removes recordings only if all are made again", "Add --record URL --mode always.");
    const { host } = parseListen(args.listen);
    const { patternsFrom } = await import("../redact/patterns.ts");
    const { redact } = await import("../redact/redact.ts");
    const { play } = await import("../play/session.ts");
    const { ofVendors } = await import("../interfaces/documented-address.ts");
    const { openInterfaces } = await import("../interfaces/open-interfaces.ts");
    const { summaryOf } = await import("./play-summary.ts");
    const { interfaces } = await openInterfaces(args.documents);
    const { upstream, out, keepHeader: keepHeaders = [], redact: sources = [] } = args;
    const patterns = patternsFrom(sources).map((source) => new RegExp(source, "i"));
    const kept = { keepHeaders, patterns, remembered: new Set<string>() };
    const fixture =
      args.record === undefined
        ? played(args.cassettes, upstream !== undefined && out !== undefined ? { upstream, out } : undefined)
        : await fixtureOf(args.cassettes, args.record, recordModeFrom(args.mode), args.prune);
    const { cassettes, recordMisses, onlyWhole, finish } = fixture;
    const playing = await play(cassettes, {
      ...args,
      pace,
      standing: ofVendors(interfaces),
      recordMisses,
      onlyWhole,
      redact: (exchange) => (recordMisses ? redact(exchange, kept) : redact(exchange)),
      note: (line) => void process.stderr.write(`${line}\n`),
    });
    let stopping = false;
    const stop = async (): Promise<void> => {
      if (stopping) return;
      stopping = true;
      await playing.close();
      const counts = playing.counts();
      const { sentence, lacks } = await finish(counts, playing.has);
      if (sentence !== undefined) process.stderr.write(`${sentence}\n`);
      process.stderr.write(summaryOf(counts, recordMisses !== undefined));
      const isComplete = counts.missed === 0 && counts.unasked.length === 0 && counts.failed === 0;
      process.exit(lacks || counts.troubles.length > 0 ? 2 : args.strict && !isComplete ? 1 : 0);
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    tellAddress(playing.url, host);
  },
};
