/** The folder that `check --out` leaves: results, reports, and the recordings as they were judged. */
import type { Finding, Level, Side } from "../check/clause.ts";
import type { Kept } from "../evidence/manifest.ts";
import { type Judging, type JudgingArgs, judgingSettings } from "../interfaces/judging.ts";
import { UserError } from "../user-error.ts";
import type { CheckDocument } from "../verdict/document.ts";
import { givenArguments } from "./command-line.ts";

export interface CheckOutput {
  /** Keeps findings that the document lists. */
  add(findings: readonly Finding[]): void;
  /** @param document without findings */
  close(document: CheckDocument): Promise<void>;
}

interface OutputArgs extends JudgingArgs {
  readonly side?: Side | undefined;
  readonly level?: Level | undefined;
  readonly files: readonly string[];
  readonly out?: string | undefined;
  readonly evidence: Kept;
  readonly follow: boolean;
  readonly shard?: string | undefined;
  readonly format: string;
}

/** Opens the folder that `--out` names, if any; UserError for what is not read a second time. */
export async function openCheckOutput(args: OutputArgs, judging: Judging): Promise<CheckOutput | undefined> {
  const { out, evidence, files } = args;
  if (out === undefined) return undefined;
  const others = {
    "standard input": files.includes("-"),
    "--follow": args.follow,
    "--shard": args.shard !== undefined,
    "--format ndjson": args.format === "ndjson",
  };
  for (const [name, isGiven] of Object.entries(others))
    if (isGiven)
      throw new UserError(
        `--out and ${name} exclude each other`,
        "Judge whole files, as text or json, to leave a folder.",
      );
  const [{ openFolder }, { resultsFolder }, { recordingsAsEvidence, unchecked }] = await Promise.all([
    import("../evidence/folder.ts"),
    import("../evidence/reports.ts"),
    import("../evidence/recordings.ts"),
  ]);
  const started = new Date().toISOString();
  const findings: Finding[] = [];
  const folder = openFolder(out, unchecked, evidence, resultsFolder);
  return {
    add: (found) => void findings.push(...found),
    async close(document) {
      const [{ openInterfaces }, { openCatalogue }, { commandLine }] = await Promise.all([
        import("../interfaces/open-interfaces.ts"),
        import("../interfaces/catalogue.ts"),
        import("./credentials.ts"),
      ]);
      const own = args.documents && (await openCatalogue(args.documents));
      const catalogue = own ?? (await openInterfaces());
      const { header, sources } = await recordingsAsEvidence(files, judging.bindings, own, folder.add);
      const { side, level = "error" } = args;
      const made = {
        command: commandLine(givenArguments()),
        started,
        evidence,
        judging: {
          sources,
          side: side ?? null,
          level,
          ...judgingSettings(args, judging),
          today: new Date().toISOString().slice(0, 10),
        },
      };
      folder.close({ ...document, findings }, header, catalogue, catalogue.digests(), made);
    },
  };
}
