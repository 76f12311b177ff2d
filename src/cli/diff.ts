/** `touchstone diff`: what changed between two recordings, a recording and a target, or two results. */
import { join } from "node:path";
import type { Argv, CommandModule } from "yargs";
import type { SendOptions } from "../drift/against.ts";
import type { Recording } from "../drift/compare-recordings.ts";
import type { DriftDocument, VerdictsDocument } from "../drift/document.ts";
import type { OutcomeSource } from "../evidence/outcomes/pages.ts";
import type { JudgingArgs } from "../interfaces/judging.ts";
import type { Examples } from "../report/drift/examples.ts";
import { type Format, filesOf, formats, rendered } from "../report/formats.ts";
import { UserError } from "../user-error.ts";
import { allowCode, judgingOptions, onNote } from "./options.ts";

interface DiffArgs extends JudgingArgs, Omit<SendOptions, "onProgress"> {
  readonly before: string;
  readonly after?: string | undefined;
  readonly against?: string | undefined;
  readonly as?: "recordings" | "results" | undefined;
  readonly chance: number;
  readonly allowCode: boolean;
  readonly allowEmpty: boolean;
  readonly format: Format<"changes">["name"];
  readonly out?: string | undefined;
}

const several = { type: "string", array: true, nargs: 1 } as const;

export const command: CommandModule<object, DiffArgs> = {
  command: "diff <before> [after]",
  describe: "Compare two recordings, a recording and a target, or two results",
  builder: (yargs) =>
    judgingOptions(yargs)
      .positional("before", {
        type: "string",
        demandOption: true,
        describe:
          "cassette (.json, .jsonl), HAR file, also gzipped; a folder of them, or one that --out left; results.json",
      })
      .positional("after", { type: "string", describe: "the later one; omit it with --against" })
      .option("against", {
        type: "string",
        requiresArg: true,
        describe: "send the recorded requests to this target: base URL, or a target file (JSON)",
      })
      .option("allow-code", allowCode)
      .option("as", {
        choices: ["recordings", "results"] as const,
        describe: "compare a folder of --out as recordings or as results",
        defaultDescription: "results",
      })
      .option("chance", {
        type: "number",
        default: 1,
        describe: "hide changes that chance alone explains more often than this: 0.05 is once in 20",
      })
      .option("allow-empty", { type: "boolean", default: false, describe: "exit 0 even if nothing was compared" })
      .option("interface", { ...several, describe: "with --against, only these interfaces" })
      .option("header", { ...several, describe: `header to add to each request: "Name: value"` })
      .option("model", { ...several, describe: "model of the target: ID, INTERFACE=ID, KIND=ID or RECORDED=ID" })
      .option("key", {
        ...several,
        describe: "environment variable with the key: '$VARIABLE' or INTERFACE='$VARIABLE'; default $TOUCHSTONE_KEY",
      })
      .option("concurrency", { type: "number", defaultDescription: "4", describe: "requests at the same time" })
      .option("max-requests", {
        type: "number",
        requiresArg: true,
        describe: "maximum number of requests, retries not counted",
      })
      .option("retries", {
        type: "number",
        defaultDescription: "3",
        describe: "retries after 429, 503, 529 or no response",
      })
      .option("rate", { type: "number", requiresArg: true, describe: "maximum number of requests per second" })
      .option("wait", { type: "number", defaultDescription: "0", describe: "seconds to wait for the target to listen" })
      .option("timeout", {
        type: "number",
        defaultDescription: "60",
        describe: "seconds to wait for a response, and for each part of it",
      })
      .option("insecure", { type: "boolean", default: false, describe: "accept any TLS certificate of the target" })
      .option("format", {
        choices: formats.changes.map(({ name }) => name),
        default: "text" as const,
        describe: "format of standard output",
      })
      .option("out", {
        type: "string",
        requiresArg: true,
        describe: "folder for diff.json, diff.md, diff.txt and diff.html",
      }) as unknown as Argv<DiffArgs>,
  async handler(args) {
    const { isEmpty, whyEmpty } = await import("../drift/empty.ts");
    const { createPrinter } = await import("../report/terminal/printer.ts");
    const printer = createPrinter();
    (await import("./credentials.ts")).warnOfLiteralKeys(args.key);
    if (args.out !== undefined) await openFolder(args.out);
    const { compared, sides } = await compare(args, printer.progress);
    printer.progress("");
    const names = { before: args.before, after: args.after ?? args.against! };
    const hasPage = args.format === "html" || args.out !== undefined;
    const examples =
      hasPage && sides && "changes" in compared ? await examplesOf(compared, sides, args.documents) : undefined;
    const page = hasPage ? await pageOf(compared, names, examples, args.documents) : "";
    const report = async (format: string, color: boolean): Promise<string> =>
      [...(await rendered("changes", format, compared, { clauses: [], color, page: () => [page] }))].join("");
    await printer.write(await report(args.format, printer.color));
    if (args.out !== undefined) {
      const { replaceFile } = await import("../evidence/files.ts");
      for (const [name, file] of filesOf("changes")) replaceFile(join(args.out, file), await report(name, false));
    }
    const count = "verdicts" in compared ? compared.verdicts.length : compared.changes.length;
    process.exitCode = count > 0 ? 1 : 0;
    if (args.allowEmpty || "verdicts" in compared) return;
    // Recordings of which nothing could be compared show nothing.
    const empty = whyEmpty(compared.summary, names);
    const what = isEmpty(compared.summary) ? "nothing was compared" : "not all was compared";
    if (empty) throw new UserError(`${what}: ${empty.problem}`, empty.remedy);
  },
};

type Compared = DriftDocument | VerdictsDocument;

async function pageOf(
  document: Compared,
  names: { readonly before: string; readonly after: string },
  examples: Examples | undefined,
  documents: readonly string[] | undefined,
): Promise<string> {
  const { openClauses } = await import("../interfaces/open-clauses.ts");
  const { driftPage } = await import("../report/drift/page.ts");
  const { noExamples } = await import("../report/drift/examples.ts");
  const { bundleOf } = await import("../bundle.ts");
  const compared = new Date().toISOString();
  const named = new Set(("verdicts" in document ? document.verdicts : document.changes).map(({ clause }) => clause));
  const { clauses } = await openClauses(documents);
  const sentences = Object.fromEntries(clauses.filter(({ id }) => named.has(id)).map(({ id, says }) => [id, says]));
  return [...driftPage({ ...names, compared, document, sentences }, examples ?? noExamples, bundleOf("drift"))].join(
    "",
  );
}

type Sides = Readonly<Record<"before" | "after", Recording>>;

async function examplesOf(
  { changes }: DriftDocument,
  sides: Sides,
  documents: readonly string[] | undefined,
): Promise<Examples> {
  const { openInterfaces } = await import("../interfaces/open-interfaces.ts");
  const { packExamples } = await import("../report/drift/examples.ts");
  return packExamples(changes, sides, (await openInterfaces(documents)).interfaces);
}

/** The changes, and for recordings also both sides, to be read once more. */
async function compare(
  args: DiffArgs,
  progress: (text: string) => void,
): Promise<{ readonly compared: Compared; readonly sides?: Sides }> {
  const { before, after, against, as, chance } = args;
  if ((after === undefined) === (against === undefined))
    throw new UserError(
      after === undefined
        ? `nothing is given to compare ${before} with`
        : "--against takes the place of a second recording",
      "Give two recordings, two results, or one recording and --against URL.",
    );
  if (!(chance >= 0 && chance <= 1))
    throw new UserError("--chance must be a number from 0 to 1", "0.05 leaves out changes with a p-value above 0.05.");
  if (after !== undefined && as !== "recordings") {
    const { readVerdicts, resultsFileAt } = await import("../drift/results.ts");
    const { compareVerdicts } = await import("../drift/verdicts.ts");
    const [was, is] = [resultsFileAt(before), resultsFileAt(after)];
    if (was !== undefined && is !== undefined) {
      const { readAllOutcomes } = await import("./report-outcomes.ts");
      const outcomes = await readAllOutcomes([was, is]);
      if (outcomes) return { compared: await compareDocuments(outcomes, args.documents) };
      return { compared: compareVerdicts(await readVerdicts(was), await readVerdicts(is)) };
    }
    const neither = as === "results" ? (was === undefined ? before : after) : undefined;
    if (neither !== undefined)
      throw new UserError(`${neither}: no results`, "Give results.json files, or folders that --out left.");
    if (was !== undefined || is !== undefined)
      throw new UserError(
        `${was !== undefined ? before : after} holds results, ${was !== undefined ? after : before} recordings`,
        "Give two of a kind, or --as recordings, which takes the exchanges of a folder that --out left.",
      );
  }
  const { openCatalogue } = await import("../interfaces/catalogue.ts");
  const { judgingFrom } = await import("../interfaces/judging.ts");
  const { compareRecordings } = await import("../drift/compare-recordings.ts");
  const { openRecording } = await import("../drift/recordings.ts");
  if (against === undefined) {
    const catalogue = await openCatalogue(args.documents);
    const judging = judgingFrom(args, catalogue);
    const [was, is] = [await openRecording(before, judging), await openRecording(after!, judging)];
    return {
      compared: await compareRecordings(was, is, catalogue, judging, { chance }),
      sides: { before: was, after: is },
    };
  }
  const { optionsWith, readTarget } = await import("../run/plan/target-options.ts");
  const { openTargetDocuments } = await import("../run/plan/target-documents.ts");
  const { checkNumbers } = await import("../run/options.ts");
  const { askAgainst } = await import("../drift/against.ts");
  const file = readTarget(against);
  const options = optionsWith(file, args);
  checkNumbers(options);
  const { catalogue } = await openTargetDocuments(options.documents, against, { ...args, onNote });
  const judging = judgingFrom(options, catalogue, ...(file.bindings ? [file.bindings] : []));
  const asked = await askAgainst(before, file, catalogue, judging, {
    ...options,
    onProgress: (done, all) => progress(`${done} of ${all} asked`),
  }).finally(() => progress(""));
  const [was, is] = [{ entries: () => asked.before }, { entries: () => asked.after }];
  const document = await compareRecordings(was, is, catalogue, judging, { against: true, chance });
  const unsent = asked.unsent.length > 0 && { unsent: asked.unsent };
  return { compared: { ...document, summary: { ...document.summary, ...unsent } }, sides: { before: was, after: is } };
}

/** The rows of two gateways or clients whose outcome changed. */
async function compareDocuments(
  sources: readonly OutcomeSource[],
  documents: readonly string[] | undefined,
): Promise<VerdictsDocument> {
  const [{ compareOutcomes }, { tableOf }, { openClauses }] = await Promise.all([
    import("../report/outcomes/changes.ts"),
    import("../evidence/outcomes/tables.ts"),
    import("../interfaces/open-clauses.ts"),
  ]);
  const { clauses } = await openClauses(documents);
  const [before, after] = sources.map(({ document }) => tableOf(document, clauses, null));
  return compareOutcomes(before!, after!);
}

/** Makes the folder that `--out` names. UserError where files of others stand in it. */
async function openFolder(folder: string): Promise<void> {
  const { makeFolder } = await import("../evidence/files.ts");
  const { refuseForeignReports } = await import("../evidence/ownership.ts");
  makeFolder(folder);
  refuseForeignReports(folder, [...filesOf("changes").values()], /^\{\s*"(?:changes|verdicts)": \[/);
}
