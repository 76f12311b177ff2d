/** `touchstone run`: replays the recordings against a target and judges its responses by each clause. */
import { join } from "node:path";
import type { Argv, CommandModule } from "yargs";
import { bytesFrom } from "../byte-size.ts";
import type { Kept } from "../evidence/manifest.ts";
import { home } from "../home.ts";
import type { RunOptions } from "../run/options.ts";
import { UserError } from "../user-error.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { givenArguments } from "./command-line.ts";
import { allowCode, folderOptions, forClient, judgingOptions, onNote } from "./options.ts";
import { onInterrupt } from "./signals.ts";

interface RunArgs extends RunOptions {
  readonly target?: string | undefined;
  readonly dryRun: boolean;
  readonly out?: string | undefined;
  readonly evidence: Kept;
  readonly maxEvidence: string;
  readonly format: "text" | "json";
  readonly verbose: boolean;
  readonly for?: string;
}

/** A repeatable option with one value each, because a positional target may follow. */
const several = { type: "string", array: true, nargs: 1 } as const;
/** A repeatable option for names. One value may contain several names, separated by commas. */
const names = {
  ...several,
  coerce: (values: readonly string[] | undefined) => values?.flatMap((value) => value.split(",")),
} as const;

/** Describes the folder of an unfinished run. */
const incomplete = (out: string): string =>
  `${out} holds the exchanges so far, and a result that says it is incomplete.`;

/** `--probes cheap|all`, or false for `--no-probes`. */
function probesFrom(value: string | false | undefined): RunArgs["probes"] {
  if (value === undefined || value === false || value === "cheap" || value === "all") return value;
  throw new UserError(`--probes ${value} is none of cheap, all`, "--no-probes sends none.");
}

export const command: CommandModule<object, RunArgs> = {
  command: "run [target]",
  describe: "Test a server; without a target, the embedded reference implementation",
  builder: (yargs) =>
    folderOptions(judgingOptions(yargs))
      .positional("target", { type: "string", describe: "base URL, or a target file (JSON)" })
      .option("allow-code", allowCode)
      .option("name", {
        type: "string",
        requiresArg: true,
        defaultDescription: "its host",
        describe: "name of the target in reports",
      })
      .option("interface", { ...names, describe: "only these interfaces" })
      .option("section", { ...names, describe: "only these sections: streaming, or messages/streaming" })
      .option("clause", {
        ...names,
        describe: "only recordings and probes that show these clauses; judge only these clauses",
      })
      .option("scenario", {
        ...names,
        describe:
          "only these recordings or probe groups, as findings name them: messages/tools/one-tool, probes/messages/request/top-k-type",
      })
      .option("lacks", {
        ...names,
        describe: "something the target does not offer: a feature (tools, streaming), an interface, a section, or keys",
      })
      .option("header", { ...several, describe: `header to add to each request: "Name: value"` })
      .option("model", { ...several, describe: "model of the target: ID, INTERFACE=ID, KIND=ID or RECORDED=ID" })
      .option("key", {
        ...several,
        describe: "environment variable with the key: '$VARIABLE' or INTERFACE='$VARIABLE'; default $TOUCHSTONE_KEY",
      })
      .option("expectations", {
        type: "string",
        requiresArg: true,
        describe: "file of known failures, each with its reason",
      })
      .option("baseline", {
        type: "string",
        requiresArg: true,
        describe:
          "the upstream behind the target: a folder of its results, its base URL, or its target file; what also fails there does not fail the run",
      })
      .option("update-expectations", {
        type: "boolean",
        default: false,
        describe: "rewrite the file of known failures, and keep its reasons",
      })
      .option("level", {
        choices: ["error", "warning", "note"] as const,
        defaultDescription: "error",
        describe: "lowest level that makes a clause fail",
      })
      .option("enforcement", {
        choices: ["error", "warning", "off"] as const,
        defaultDescription: "one line says how many",
        describe: "report accepted invalid requests as error, as warning, or not at all (off)",
      })
      .option("shard", { type: "string", requiresArg: true, describe: "run one of N parts: I/N" })
      .option("concurrency", { type: "number", defaultDescription: "4", describe: "recordings at the same time" })
      .option("max-requests", {
        type: "number",
        requiresArg: true,
        describe:
          "maximum number of requests; retries, --clients and the first request to each interface are not counted",
      })
      .option("probes", {
        type: "string",
        defaultDescription: "cheap; none for --recordings of your own",
        coerce: probesFrom,
        describe: "generated requests: cheap, or all (also those that cost several replies); --no-probes sends none",
      })
      .option("retries", {
        type: "number",
        defaultDescription: "3",
        describe: "retries after 429, 503, 529 or no response",
      })
      .option("shrink", {
        type: "number",
        requiresArg: true,
        defaultDescription: "40 for a target on this machine, else 0",
        describe: "look for a minimal reproducer of each failure, with up to N requests",
      })
      .option("max-time", {
        type: "number",
        requiresArg: true,
        describe: "maximum seconds for the whole run; the run is incomplete if it takes longer",
      })
      .option("max-tokens", {
        type: "number",
        requiresArg: true,
        describe: "stop after this many tokens, in and out, as responses count them; requests in flight come on top",
      })
      .option("max-cost", {
        type: "number",
        requiresArg: true,
        describe: "stop after this cost, computed with --price",
      })
      .option("price", {
        ...names,
        describe: "price of a million input tokens, a million output tokens, and an image: 3/15, or images=5/40/0.04",
      })
      .option("rate", { type: "number", requiresArg: true, describe: "maximum number of requests per second" })
      .option("wait", { type: "number", defaultDescription: "0", describe: "seconds to wait for the target to listen" })
      .option("insecure", { type: "boolean", default: false, describe: "accept any TLS certificate of the target" })
      .option("timeout", {
        type: "number",
        defaultDescription: "60",
        describe: "seconds to wait for a response, and for each part of it",
      })
      .option("dry-run", { type: "boolean", default: false, describe: "print the plan and send nothing" })
      .option("for", forClient)
      .option("clients", {
        type: "boolean",
        default: false,
        describe:
          "have the clients that are installed here use the target as well: official SDKs, the Vercel AI SDK, LangChain",
      })
      .option("recordings", {
        type: "string",
        default: join(home, "recordings"),
        defaultDescription: "those that ship with touchstone",
        describe: "folder of cassettes: INTERFACE/SECTION/NAME.json",
      })
      .option("max-evidence", {
        type: "string",
        default: "256M",
        requiresArg: true,
        describe:
          "bytes of exchanges to keep whole in --out (K, M, G); bodies beyond that are cut, and cannot be verified",
      })
      .option("verbose", { type: "boolean", default: false, describe: "list everything that the text only counts" })
      .option("format", {
        choices: ["text", "json"] as const,
        default: "text" as const,
        describe: "format of standard output",
      }) as unknown as Argv<RunArgs>,
  async handler(args) {
    const { planRun } = await import("../run/plan-run.ts");
    const { prepareRun } = await import("../run/run.ts");
    (await import("./credentials.ts")).warnOfLiteralKeys(args.key);
    const { checkClient, loadFitness } = await import("../run/plan/fitness-data.ts");
    if (args.for !== undefined) checkClient(args.for, loadFitness());
    const { createPrinter } = await import("../report/terminal/printer.ts");
    const { color, progress, write } = createPrinter();
    let reached = "";
    /** Prefix of the progress line during the run of the baseline. */
    let of = "";
    const maxEvidence = bytesFrom(args.maxEvidence, "--max-evidence");
    const planned = await planRun(args.target, {
      ...args,
      shrink: args.shrink ?? "free",
      onNote,
      async startReference(catalogue, names) {
        const { serveReference } = await import("../reference/serve.ts");
        return serveReference(catalogue, { names, allowHost: ["*"], allowOrigin: ["*"] });
      },
      onProgress(done, all) {
        reached = `${of}${done} of ${all} recordings and groups of probes`;
        progress(reached);
      },
    });
    const { plan, catalogue } = planned;
    const { openBaseline } = await import("../run/baseline.ts");
    const opened = await openBaseline(planned);
    const steps = plan.cassettes.filter(({ skipped }) => skipped === undefined).length + planned.probes.length;
    reached = `0 of ${steps} recordings and groups of probes`;
    const { closingText, planText } = await import("./run-output.ts");
    if (args.dryRun)
      return write(args.format === "json" ? `${JSON.stringify(plan, null, 2)}\n` : planText(plan, opened));
    const prepared = prepareRun(planned);
    const started = new Date().toISOString();
    const { openFolder } = await import("../evidence/folder.ts");
    const { resultsFolder } = await import("../evidence/reports.ts");
    const { recordedOf } = await import("../evidence/evidence-line.ts");
    const out = args.out ?? planned.target?.out;
    const { baselineFor, refuseOverwrittenBaseline } = await import("./run-baseline.ts");
    if (opened) await refuseOverwrittenBaseline(out, opened);
    const output =
      out === undefined
        ? undefined
        : openFolder(out, prepared.unfinished, args.evidence, resultsFolder, { maxEvidence });
    const { header } = prepared;
    const { commandLine } = await import("./credentials.ts");
    const made = { command: commandLine(givenArguments()), started, evidence: args.evidence };
    let repeated = 0;
    async function asked() {
      if (opened?.kind === "target") of = "baseline: ";
      const baseline = opened && (await baselineFor(opened, { out, made, maxEvidence }));
      of = "";
      return prepared.execute((one) => {
        if (one.tries !== undefined && one.passed.response) repeated++;
        output?.add(recordedOf(one, planned.shard));
      }, baseline);
    }
    /** Prints results. @param closing last lines of the text format */
    async function tell(told: RunResults, closing: string): Promise<void> {
      if (args.format === "json") {
        const { gathered, jsonPieces } = await import("../report/json.ts");
        for (const piece of gathered(jsonPieces(told))) await write(piece);
      } else {
        const { formatText } = await import("../report/text.ts");
        await write(`${formatText(told, { clauses: catalogue.clauses, color, verbose: args.verbose })}${closing}`);
      }
    }
    const uninterrupted = onInterrupt(() => {
      progress("");
      const kept = out === undefined ? "" : `${incomplete(out)} `;
      return [`${reached}; the results so far do not count`, `${kept}Run the same command again.`];
    });
    let finished: Awaited<ReturnType<typeof asked>>;
    try {
      finished = await asked().finally(uninterrupted);
    } catch (error) {
      const { withOnlyModel } = await import("../run/reach/listed-models.ts");
      const again = withOnlyModel(error, args);
      if (!again) throw error;
      progress("");
      process.stderr.write(
        `The target does not know the recorded model and lists only one: this run uses --model ${again.model!.at(-1)}.\n`,
      );
      return command.handler({ ...again, _: [], $0: "" });
    }
    progress("");
    if (finished.error) {
      output?.leave(finished.results, header);
      if (finished.results.lost) await tell(finished.results, "");
      const { message, remedy } = finished.error;
      throw output ? new UserError(message, `${incomplete(out!)} ${remedy}`) : finished.error;
    }
    let { results } = finished;
    let written: string | undefined;
    if (args.updateExpectations && results.expectations) {
      const { updateExpectations } = await import("../verdict/update-expectations.ts");
      const { expectationsText } = await import("../run/plan/expectations-file.ts");
      const { replaceFile } = await import("../evidence/files.ts");
      const expectations = updateExpectations({ ...results, expectations: results.expectations });
      const file = prepared.expectationsFile!;
      replaceFile(file, expectationsText(file, expectations));
      written = file;
      results = finished.resultsWith(expectations);
    }
    output?.close(results, header, catalogue, results.documents, made);
    await tell(results, closingText(results, out, { spent: finished.spent, repeated, written }));
    (await import("./github.ts")).tellGithub(results, catalogue.clauses, prepared.expectationsFile);
    const { clientExitCode, runExitCode } = await import("../verdict/outcome.ts");
    process.exitCode = args.for === undefined ? runExitCode(results) : clientExitCode(results, args.for);
    if (args.for !== undefined && args.format === "text") {
      const { clientLine } = await import("../report/fitness.ts");
      await write(`${clientLine(results, args.for)}\n`);
    }
  },
};
