/** `touchstone client`: sends a client every kind of response a server may send, and reports how the client handles each. */
import { availableParallelism } from "node:os";
import type { Argv, CommandModule } from "yargs";
import type { Case } from "../cases/case.ts";
import type { ClientTerms } from "../cases/client-document.ts";
import type { CaseResult, ClientDocument } from "../cases/document.ts";
import { everyInterface, type InterfaceName } from "../cases/interface-names.ts";
import type { ClientRun } from "../cases/run/run-client.ts";
import { didYouMean } from "../check/suggest.ts";
import type { Kept } from "../evidence/manifest.ts";
import type { JudgingArgs } from "../interfaces/judging.ts";
import { UserError } from "../user-error.ts";
import type { Expectation } from "../verdict/document.ts";
import { folderOptions, judgingOptions, onNote, programBehindDashes } from "./options.ts";
import { onInterrupt } from "./signals.ts";

interface ClientArgs extends JudgingArgs {
  /** A client that touchstone drives, with or without a version. */
  readonly client?: string | undefined;
  readonly out?: string | undefined;
  readonly evidence: Kept;
  readonly resume: boolean;
  readonly interface?: readonly InterfaceName[] | undefined;
  readonly case?: readonly string[] | undefined;
  readonly list: boolean;
  readonly once: boolean;
  readonly every?: number | undefined;
  readonly timeout: number;
  readonly limit?: number | undefined;
  readonly concurrency: number;
  readonly expectations?: string | undefined;
  readonly format: "text" | "json";
  readonly verbose: boolean;
  /** The program and its arguments, behind `--`. */
  readonly "--"?: readonly string[] | undefined;
}

const several = { type: "string", array: true, requiresArg: true } as const;

export const command: CommandModule<object, ClientArgs> = {
  command: "client [client]",
  describe: "Test a client: answer it in every way a server may, and judge what it makes of it",
  builder: (yargs) =>
    folderOptions(judgingOptions(yargs))
      .parserConfiguration(programBehindDashes)
      .positional("client", {
        type: "string",
        describe: "a client library to drive: openai (as installed here), openai@latest (installed for the test)",
      })
      .option("interface", {
        ...several,
        choices: everyInterface,
        describe: "an interface that the program speaks; by default those that it asks by itself",
      })
      .option("case", { ...several, describe: "only these cases; * stands for any text: --case 'stream/*'" })
      .option("resume", {
        type: "boolean",
        default: false,
        describe: "go on where a killed run with the same --out and settings was",
      })
      .option("list", { type: "boolean", default: false, describe: "list the cases and end" })
      .option("once", {
        type: "boolean",
        default: false,
        describe: "start the program once: its requests name the case as their model; GET {base_url}/cases lists them",
      })
      .option("every", {
        type: "number",
        requiresArg: true,
        describe: "with --once: seconds between cases, for programs that cannot name the case",
      })
      .option("timeout", { type: "number", default: 30, describe: "seconds a case may take" })
      .option("limit", {
        type: "number",
        requiresArg: true,
        describe:
          "timeout of the client in seconds: the program's own one, or the one that a library receives, by default 5",
      })
      .option("concurrency", {
        type: "number",
        default: Math.max(2, availableParallelism()),
        describe: "cases under way at a time",
      })
      .option("expectations", {
        type: "string",
        requiresArg: true,
        describe: "file of known failures, each with its reason",
      })
      .option("format", { choices: ["text", "json"] as const, default: "text" as const })
      .option("verbose", {
        type: "boolean",
        default: false,
        describe: "list every case, with the output of the client and the command that repeats it",
      }) as unknown as Argv<ClientArgs>,
  async handler(args) {
    if (args.list) return listCases(args);
    const program = args["--"] ?? [];
    if (program.length === 0 && args.client === undefined)
      throw new UserError(
        "no client is named",
        "Name one, such as openai@latest, or write a program behind --: touchstone client -- node my-client.mjs {prompt}",
      );
    if (program.length > 0 && args.client !== undefined)
      throw new UserError(`both ${args.client} and a program are named`, "Leave one of them out.");
    if (args.once && program.length === 0)
      throw new UserError("--once needs a program", "Write it behind --: touchstone client --once -- node loop.mjs");
    if (args.every !== undefined && !args.once)
      throw new UserError(
        "--every needs --once",
        "Add --once: a program that is started for each case needs no turns.",
      );
    const seconds = (name: "timeout" | "limit" | "every"): void => {
      const value = args[name];
      if (value !== undefined && !(value > 0 && value <= 86_400))
        throw new UserError(`--${name} ${value} is no number of seconds`, "Give more than 0, and a day at most.");
    };
    seconds("timeout");
    seconds("limit");
    seconds("every");
    if (!Number.isInteger(args.concurrency) || args.concurrency < 1)
      throw new UserError("--concurrency is not a count", "Give how many cases may be under way, 1 or more.");
    if (args.resume && (args.out === undefined || args.evidence === "none"))
      throw new UserError(
        args.out === undefined ? "--resume needs --out" : "--resume needs evidence, and --evidence none keeps none",
        "Name the folder of the run to go on with, and keep its evidence.",
      );
    await testProgram(program, args);
  },
};

/** Throws UserError for a pattern of `--case` that matches no case of the interfaces. */
function refuseUnknownCases(
  patterns: readonly string[],
  interfaces: readonly InterfaceName[],
  casesOf: (name: InterfaceName, patterns?: readonly string[]) => readonly Case[],
): void {
  const unknown = patterns.filter((pattern) => interfaces.every((name) => casesOf(name, [pattern]).length === 0));
  if (unknown.length === 0) return;
  const ids = interfaces.flatMap((name) => casesOf(name).map(({ id }) => id));
  throw new UserError(
    `no case is called ${unknown.join(" or ")}`,
    `${didYouMean(unknown[0]!.replaceAll("*", ""), ids)}touchstone client --list lists the cases.`,
  );
}

async function listCases({
  interface: interfaces = everyInterface,
  case: patterns = [],
  format,
}: ClientArgs): Promise<void> {
  const { casesOf } = await import("../cases/all-cases.ts");
  refuseUnknownCases(patterns, interfaces, casesOf);
  const cases = [...new Set(interfaces.flatMap((name) => casesOf(name, patterns)))];
  if (format === "json") {
    const listed = cases.map(({ id, kind, interfaces: of, says, restsOn, isNeutral = false }) => ({
      ...{ case: id, kind, interfaces: of, says, restsOn, neutral: isNeutral },
    }));
    process.stdout.write(`${JSON.stringify(listed, undefined, 2)}\n`);
    return;
  }
  const width = Math.max(0, ...cases.map(({ id }) => id.length));
  for (const { id, kind, says } of cases) process.stdout.write(`${kind.padEnd(5)}  ${id.padEnd(width)}  ${says}\n`);
}

/** Starts a client library that touchstone drives. Its installation is removed when the process exits. */
async function openDriver(named: string, limit: number | undefined) {
  const [{ findClient }, { driverClient }] = await Promise.all([
    import("../cases/drivers/install.ts"),
    import("../cases/drivers/driver-client.ts"),
  ]);
  const { driver, folder, remove } = await findClient(named);
  process.once("exit", remove);
  const client = await driverClient(driver, folder, limit);
  return { client, close: client.close };
}

/** Runs the cases with a program or library, and prints the results. */
async function testProgram(program: readonly string[], args: ClientArgs): Promise<void> {
  const [
    { openCatalogue },
    { judgingFrom, judgingSettings },
    { programClient },
    { runClient },
    { runOnce },
    { clientDocument },
    { clientTable },
    { outcomeExitCode },
    { version },
    { casesOf },
    { createPrinter },
    { withoutCredentials },
    { redactText },
    { openClientFolder },
    { readUnfinished },
  ] = await Promise.all([
    import("../interfaces/catalogue.ts"),
    import("../interfaces/judging.ts"),
    import("../cases/run/program-client.ts"),
    import("../cases/run/run-client.ts"),
    import("../cases/run/once/run-once.ts"),
    import("../cases/client-document.ts"),
    import("../report/outcomes/client.ts"),
    import("../report/outcomes/outline.ts"),
    import("../home.ts"),
    import("../cases/all-cases.ts"),
    import("../report/terminal/printer.ts"),
    import("./credentials.ts"),
    import("../redact/text.ts"),
    import("./client-folder.ts"),
    import("../evidence/outcomes/unfinished.ts"),
  ]);
  const catalogue = await openCatalogue(args.documents);
  const judging = judgingFrom(args, catalogue);
  const { names, policy } = judging;
  const patterns = args.case ?? [];
  refuseUnknownCases(patterns, everyInterface, casesOf);
  const expectations = args.expectations === undefined ? undefined : await expectationsOf(args.expectations, catalogue);
  const ownLimit = args.limit === undefined ? undefined : args.limit * 1000;
  const driven = args.client === undefined ? undefined : await openDriver(args.client, ownLimit);
  const client = driven?.client ?? programClient(program, catalogue.interfaces, { limit: ownLimit });
  const limit = driven?.client.limit ?? ownLimit;
  const abort = new AbortController();
  const printer = createPrinter();
  let reached = "its start";
  const terms: ClientTerms = {
    client: redactText(withoutCredentials(client.name, program)),
    versions: { touchstone: version(), ...client.versions },
    documents: catalogue.digests(),
    options: {
      interfaces: args.interface ?? [],
      cases: patterns,
      isCommand: driven === undefined,
      once: args.once,
      every: args.every === undefined ? null : args.every * 1000,
      timeout: args.timeout * 1000,
      limit: limit ?? null,
      ...judgingSettings(args, judging),
      today: new Date().toISOString().slice(0, 10),
    },
  };
  const unfinished = args.resume ? await readUnfinished(args.out!, terms) : undefined;
  const today = unfinished?.today ?? terms.options.today;
  const documentOf = ({ interfaces, evidence, isComplete }: ClientRun): ClientDocument =>
    clientDocument(
      catalogue,
      evidence,
      { ...terms, options: { ...terms.options, interfaces, today } },
      { names, policy, expectations, isWhole: patterns.length === 0, isComplete },
    );
  const output =
    args.out === undefined
      ? undefined
      : await openClientFolder(
          args.out,
          documentOf({ interfaces: terms.options.interfaces as InterfaceName[], evidence: [], isComplete: false }),
          args.evidence,
          catalogue,
          unfinished,
        );
  const options = {
    interfaces: args.interface,
    cases: patterns,
    timeout: args.timeout * 1000,
    concurrency: args.concurrency,
    signal: abort.signal,
    known: unfinished?.evidence,
    keep: output?.keep,
    progress(tried: number, of: number, result: CaseResult) {
      reached = `${tried} of ${of} cases`;
      printer.progress(`${reached}, ${result.interface} ${result.case}: ${result.outcome}`);
    },
    retried(tried: number, of: number) {
      printer.progress(`${reached}; ${tried} of ${of} that failed tried once more`);
    },
  };
  const every = terms.options.every ?? undefined;
  const uninterrupted = onInterrupt(() => {
    abort.abort();
    return args.out === undefined
      ? [`${reached}; nothing of it counts`, "Run the same command again; --case runs some of the cases."]
      : [reached, "The same command with --resume goes on from there; without it, all cases are tried again."];
  });
  const run = await (args.once
    ? runOnce(catalogue, program, { ...options, every, limit, note: onNote })
    : runClient(catalogue, client, options)
  ).finally(() => {
    driven?.close();
    uninterrupted();
  });
  printer.progress("");
  const document = documentOf(run);
  output?.close(document, run.evidence);
  const table = clientTable(document, catalogue.clauses);
  if (args.format === "json") await printer.write(`${JSON.stringify(document)}\n`);
  else {
    const { formatOutcomes } = await import("../report/outcomes/text.ts");
    const { formatClient } = await import("../report/outcomes/client-text.ts");
    const { color } = printer;
    await printer.write(args.verbose ? formatOutcomes(table, { color, verbose: true }) : formatClient(table, color));
  }
  await (await import("./github.ts")).tellGithubOutcomes(table);
  process.exitCode = outcomeExitCode(table);
}

/** Reads known failures. Cases have the same names as cassettes: `<interface>/<case>`. */
async function expectationsOf(
  file: string,
  { clauses }: { readonly clauses: readonly { readonly id: string }[] },
): Promise<readonly Expectation[]> {
  const [{ readExpectationsFile }, { casesOf }] = await Promise.all([
    import("../run/plan/expectations-file.ts"),
    import("../cases/all-cases.ts"),
  ]);
  const sources = new Set(everyInterface.flatMap((name) => casesOf(name).map(({ id }) => `${name}/${id}`)));
  const known = {
    clauses: new Set(clauses.map(({ id }) => id)),
    cassette: (name: string) => (sources.has(name) ? name : undefined),
    listed: { noun: "case", where: "touchstone client --list lists them; an entry names INTERFACE/CASE." },
  };
  return readExpectationsFile(file, known, false);
}
