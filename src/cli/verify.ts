/** `touchstone verify`: judges the exchanges of a run again, and compares everything that its folder claims. */
import type { Argv, CommandModule } from "yargs";
import { bytesFrom } from "../byte-size.ts";
import type { Problem } from "../evidence/compare.ts";
import type { Manifest } from "../evidence/manifest.ts";
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
  async handler({ folder, documents, anyVersion, recordings, maxEvidence: size, format }) {
    const [
      { readManifest },
      { createPrinter },
      { plural, conclusionOf, conclusionText },
      { unverifiedIn },
      { uselessEntries },
      { printable },
    ] = await Promise.all([
      import("../evidence/read-folder.ts"),
      import("../report/terminal/printer.ts"),
      import("../report/outline.ts"),
      import("../evidence/unverified.ts"),
      import("../report/expectations.ts"),
      import("../report/clean.ts"),
    ]);
    const maxEvidence = bytesFrom(size, "--max-evidence");
    const manifest = await readManifest(folder);
    const { judging } = manifest;
    if (manifest.evidence !== "all") return filesAlone(folder, manifest, maxEvidence, format);
    const { problems, results, exchanges, code, keptInPart } = judging
      ? await (await import("../evidence/verify-check.ts")).verifyCheck(folder, manifest, judging, {
          anyVersion,
          maxEvidence,
          documents,
        })
      : await (await import("../evidence/verify.ts")).verifyFolder(folder, {
          anyVersion,
          recordings,
          maxEvidence,
          documents,
        });
    const { write } = createPrinter();
    const holds = problems.length === 0 && keptInPart === undefined;
    process.exitCode = problems.length > 0 ? 1 : holds ? 0 : 2;
    const unverified = [...(keptInPart === undefined ? [] : [keptInPart]), ...unverifiedIn(folder, manifest, results)];
    const ran = Object.entries(code);
    if (format === "json")
      return write(
        `${JSON.stringify({ holds, exchanges, ...(ran.length > 0 && { code }), problems, unverified }, null, 2)}\n`,
      );
    const lines = problems.slice(0, maxShown).map(lineOf);
    if (problems.length > maxShown) lines.push(`and ${problems.length - maxShown} more, which --format json lists`);
    const what =
      "target" in results
        ? (results.target.url ?? "the embedded reference implementation")
        : plural(judging?.sources.length ?? 0, "recording");
    const { state, excused } = conclusionOf(results);
    const verdict = [
      `${plural(results.clauses.length, "clause")}: ${conclusionText(results)}`,
      ...(state === "incomplete" || state === "broken" ? ["no verdict counts"] : []),
      ...(state === "fails" && excused > 0 ? [`${excused} more that the target admits to`] : []),
    ].join(", ");
    lines.push(
      problems.length > 0
        ? `DOES NOT HOLD: ${plural(problems.length, "problem")} in ${folder}`
        : !holds
          ? `NOT SHOWN: the verdicts on ${what} (${verdict}) rest on exchanges that are kept in part; nothing in the other ones speaks against them`
          : `HOLDS: the verdicts on ${what} (${verdict}) follow from these ${plural(exchanges, "exchange")}. Only a signature of manifest.json shows that they happened, and under which name, command and date`,
    );
    for (const { word, says } of uselessEntries(results)) lines.push(`${word}: ${printable(says)}`);
    lines.push(...ran.map(([name, digest]) => `Ran ${printable(name)}, sha256 ${digest}`));
    lines.push(...unverified.map((sentence) => `Not verified: ${printable(sentence)}`));
    await write(`${lines.join("\n")}\n`);
  },
};

/** Holds the files of a folder that cannot be judged again against its manifest; UserError where they are as it says. */
async function filesAlone(
  folder: string,
  manifest: Manifest,
  maxEvidence: number,
  format: VerifyArgs["format"],
): Promise<void> {
  const [{ filesThatDiffer }, { createPrinter }, { refuseOddFiles, refuseParts }] = await Promise.all([
    import("../evidence/claims.ts"),
    import("../report/terminal/printer.ts"),
    import("../evidence/read-folder.ts"),
  ]);
  refuseOddFiles(folder, manifest, maxEvidence);
  const problems = [...filesThatDiffer(folder, manifest, maxEvidence)];
  if (problems.length === 0) refuseParts(folder, manifest.evidence);
  process.exitCode = 1;
  const lines = [...problems.slice(0, maxShown).map(lineOf), `DOES NOT HOLD: ${folder}`];
  const json = JSON.stringify({ holds: false, exchanges: 0, problems, unverified: [] }, null, 2);
  await createPrinter().write(`${format === "json" ? json : lines.join("\n")}\n`);
}

function lineOf({ file, clause, source, exchange, what }: Problem): string {
  const place = source === undefined ? "" : ` ${source}, exchange ${exchange}:`;
  return `${file}:${clause === undefined ? "" : ` ${clause}:`}${place} ${what}`;
}
