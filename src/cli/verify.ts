/** `touchstone verify`: judges the exchanges of a run again, and compares everything that its folder claims. */
import type { Argv, CommandModule } from "yargs";
import { bytesFrom } from "../byte-size.ts";
import type { Problem } from "../evidence/compare.ts";
import type { Manifest } from "../evidence/manifest.ts";
import type { OutcomeDocument } from "../evidence/outcomes/read.ts";
import { type DocumentsArgs, documentsOption } from "./options.ts";

interface VerifyArgs extends DocumentsArgs {
  readonly folder: string;
  readonly anyVersion: boolean;
  readonly recordings?: string | undefined;
  readonly maxEvidence: string;
  readonly format: "text" | "json";
}

/** Problems that are printed as text. */
const maxShown = 20;

export const command: CommandModule<object, VerifyArgs> = {
  command: "verify <folder>",
  describe: "Judge the evidence of a results folder again, and compare everything it claims",
  builder: (yargs) =>
    documentsOption(yargs)
      .positional("folder", {
        type: "string",
        demandOption: true,
        describe: "results folder of run, check or record",
      })
      .option("any-version", {
        type: "boolean",
        default: false,
        describe: "use the clauses of this version even if another version judged",
      })
      .option("recordings", {
        type: "string",
        requiresArg: true,
        describe: "folder of the cassettes that the run sent, if they were your own",
      })
      .option("max-evidence", {
        type: "string",
        default: "512M",
        requiresArg: true,
        describe: "maximum bytes of exchanges to read (K, M, G); larger folders are refused",
      })
      .option("format", {
        choices: ["text", "json"] as const,
        default: "text" as const,
      }) as unknown as Argv<VerifyArgs>,
  async handler(args) {
    const { folder, maxEvidence: size, format } = args;
    const [
      { readManifest },
      { resultsName },
      { fileIn },
      { readOutcomes },
      { createPrinter },
      { plural },
      { printable },
    ] = await Promise.all([
      import("../evidence/read-folder.ts"),
      import("../evidence/manifest.ts"),
      import("../plain-file.ts"),
      import("../evidence/outcomes/read.ts"),
      import("../report/terminal/printer.ts"),
      import("../report/plural.ts"),
      import("../report/clean.ts"),
    ]);
    const maxEvidence = bytesFrom(size, "--max-evidence");
    const manifest = await readManifest(folder);
    const results = fileIn(folder, resultsName, "Give a folder that touchstone wrote.");
    const outcomes = results === undefined ? undefined : await readOutcomes(results);
    if (manifest.evidence !== "all") return filesAlone(folder, manifest, maxEvidence, format, outcomes?.kind);
    const verified = outcomes
      ? await verifiedOutcomes(args, manifest, outcomes, maxEvidence)
      : await verifiedResults(args, manifest, maxEvidence);
    const { problems, exchanges, keptInPart, of, verdict } = verified;
    const { write } = createPrinter();
    const holds = problems.length === 0 && keptInPart === undefined;
    process.exitCode = problems.length > 0 ? 1 : holds ? 0 : 2;
    const unverified = [keptInPart, verified.masked, ...verified.unverified].filter((one) => one !== undefined);
    const ran = Object.entries(verified.code);
    if (format === "json")
      return write(
        `${JSON.stringify({ holds, exchanges, ...(ran.length > 0 && { code: verified.code }), problems, unverified }, null, 2)}\n`,
      );
    const lines = problems.slice(0, maxShown).map(lineOf);
    if (problems.length > maxShown) lines.push(`and ${problems.length - maxShown} more, which --format json lists`);
    lines.push(
      problems.length > 0
        ? `DOES NOT HOLD: ${plural(problems.length, "problem")} in ${folder}`
        : !holds
          ? `NOT SHOWN: what the folder claims of ${printable(of)} rests on exchanges that are kept in part; nothing in the other ones speaks against it\nIt claims: ${verdict}`
          : `HOLDS: what the folder claims of ${printable(of)} follows from these ${plural(exchanges, "exchange")}. Only a signature of manifest.json shows that they happened, and under which name, command and date\nIt claims: ${verdict}`,
    );
    lines.push(...verified.useless.map(printable));
    lines.push(...ran.map(([name, digest]) => `Ran ${printable(name)}, sha256 ${digest}`));
    lines.push(...unverified.map((sentence) => `Not verified: ${printable(sentence)}`));
    await write(`${lines.join("\n")}\n`);
  },
};

/** What came of judging a folder again. */
interface Verified {
  readonly problems: readonly Problem[];
  /** How many exchanges were judged again. */
  readonly exchanges: number;
  /** Users' own rules in code that judged, with their digests. */
  readonly code: Manifest["documents"];
  /** What cannot be judged again. */
  readonly keptInPart: string | undefined;
  /** The verdicts on values that are not kept. */
  readonly masked?: string | undefined;
  /** What no exchange shows. */
  readonly unverified: readonly string[];
  /** What was judged. */
  readonly of: string;
  /** What the folder says that it comes to. */
  readonly verdict: string;
  /** Lines about known failures that excuse nothing. */
  readonly useless: readonly string[];
}

async function verifiedResults(
  { folder, documents, anyVersion, recordings }: VerifyArgs,
  manifest: Manifest,
  maxEvidence: number,
): Promise<Verified> {
  const [
    { countedClauses },
    { plural },
    { conclusionOf, conclusionText },
    { unverifiedIn },
    { resultsFolder },
    { uselessEntries },
  ] = await Promise.all([
    import("../verdict/offered.ts"),
    import("../report/plural.ts"),
    import("../report/outline.ts"),
    import("../evidence/unverified.ts"),
    import("../evidence/reports.ts"),
    import("../report/expectations.ts"),
  ]);
  const { judging } = manifest;
  const options = { anyVersion, maxEvidence, documents };
  const { results, ...verification } = judging
    ? await (await import("../evidence/verify-check.ts")).verifyCheck(folder, manifest, judging, options)
    : await (await import("../evidence/verify.ts")).verifyFolder(folder, { ...options, recordings });
  const { state, excused } = conclusionOf(results);
  return {
    ...verification,
    unverified: unverifiedIn(folder, manifest, results, resultsFolder),
    of:
      "target" in results
        ? (results.target.url ?? "the embedded reference implementation")
        : plural(judging?.sources.length ?? 0, "recording"),
    verdict: [
      `${plural(countedClauses(results).length, "clause")}: ${conclusionText(results)}`,
      ...(state === "incomplete" || state === "broken" ? ["no verdict counts"] : []),
      ...(state === "fails" && excused > 0 ? [`${excused} more that the target admits to`] : []),
    ].join(", "),
    useless: uselessEntries(results).map(({ word, says }) => `${word}: ${says}`),
  };
}

async function verifiedOutcomes(
  { folder, documents, anyVersion }: VerifyArgs,
  manifest: Manifest,
  document: OutcomeDocument,
  maxEvidence: number,
): Promise<Verified> {
  const [
    { verifyOutcomes },
    { clientFolder, gatewayFolder },
    { tableOf },
    { concluded, verdictText },
    { unverifiedIn },
    { openClauses },
  ] = await Promise.all([
    import("../evidence/outcomes/verify.ts"),
    import("../evidence/outcomes/folders.ts"),
    import("../evidence/outcomes/tables.ts"),
    import("../report/outcomes/outline.ts"),
    import("../evidence/unverified.ts"),
    import("../interfaces/open-clauses.ts"),
  ]);
  const { clauses } = await openClauses(documents);
  return {
    ...(await verifyOutcomes(folder, manifest, document, { anyVersion, maxEvidence, documents })),
    unverified:
      document.kind === "gateway"
        ? unverifiedIn(folder, manifest, document, gatewayFolder)
        : unverifiedIn(folder, manifest, document, clientFolder),
    of: document.kind === "gateway" ? (document.target.url ?? "a gateway") : document.client,
    verdict: verdictText(concluded(tableOf(document, clauses, null), 0)),
    useless: [],
  };
}

/** Holds the files of a folder that cannot be judged again against its manifest; UserError where they are as it says. */
async function filesAlone(
  folder: string,
  manifest: Manifest,
  maxEvidence: number,
  format: VerifyArgs["format"],
  kind: OutcomeDocument["kind"] | undefined,
): Promise<void> {
  const [{ filesThatDiffer }, { createPrinter }, { refuseOddFiles, refuseParts }] = await Promise.all([
    import("../evidence/claims.ts"),
    import("../report/terminal/printer.ts"),
    import("../evidence/read-folder.ts"),
  ]);
  refuseOddFiles(folder, manifest, maxEvidence);
  const problems = [...filesThatDiffer(folder, manifest, maxEvidence, await folderKind(kind))];
  if (problems.length === 0) refuseParts(folder, manifest.evidence);
  process.exitCode = 1;
  const lines = [...problems.slice(0, maxShown).map(lineOf), `DOES NOT HOLD: ${folder}`];
  const json = JSON.stringify({ holds: false, exchanges: 0, problems, unverified: [] }, null, 2);
  await createPrinter().write(`${format === "json" ? json : lines.join("\n")}\n`);
}

/** Which files a folder should hold. */
async function folderKind(kind: OutcomeDocument["kind"] | undefined) {
  if (kind === undefined) return (await import("../evidence/reports.ts")).resultsFolder;
  const { clientFolder, gatewayFolder } = await import("../evidence/outcomes/folders.ts");
  return kind === "gateway" ? gatewayFolder : clientFolder;
}

function lineOf({ file, clause, row, source, exchange, what }: Problem): string {
  const place = source === undefined ? "" : ` ${source}, exchange ${exchange}:`;
  return `${file}:${(clause ?? row) === undefined ? "" : ` ${clause ?? row}:`}${place} ${what}`;
}
