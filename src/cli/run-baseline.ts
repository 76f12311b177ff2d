/** The baseline of `touchstone run`: keeps results that were given, or sends the upstream what the target is sent. */
import { join } from "node:path";
import type { FolderOptions } from "../evidence/folder.ts";
import type { Provenance } from "../evidence/manifest.ts";
import type { OpenedBaseline } from "../run/baseline.ts";
import type { Baseline } from "../verdict/run-results.ts";

/** The folder of a run, and how it is written. */
export interface BaselineKeeping extends FolderOptions {
  /** The folder of the run; undefined where nothing is kept. */
  readonly out: string | undefined;
  readonly made: Provenance;
}

/** UserError where a folder of results would overwrite the baseline that is to be read. */
export async function refuseOverwrittenBaseline(out: string | undefined, opened: OpenedBaseline): Promise<void> {
  if (out === undefined || opened.kind === "target") return;
  (await import("../evidence/merge.ts")).refuseOverwriting(out, [opened.path]);
}

/** The baseline of a run. UserError where the upstream cannot be sent anything, or where a folder cannot be written. */
export async function baselineFor(
  opened: OpenedBaseline,
  { out, made, ...bounds }: BaselineKeeping,
): Promise<Baseline> {
  const { baselineName, keepBaseline, resultsDigest } = await import("../evidence/baseline-folder.ts");
  if (opened.kind === "results") {
    if (out !== undefined) await keepBaseline(out, opened.path);
    return opened.baseline;
  }
  const { planned } = opened;
  const { prepareRun } = await import("../run/run.ts");
  const { baselineError, upstreamBaseline } = await import("../run/baseline.ts");
  const { openFolder } = await import("../evidence/folder.ts");
  const { resultsFolder } = await import("../evidence/reports.ts");
  const { recordedOf } = await import("../evidence/evidence-line.ts");
  const started = new Date().toISOString();
  try {
    const prepared = prepareRun(planned);
    const folder =
      out === undefined
        ? undefined
        : openFolder(join(out, baselineName), prepared.unfinished, made.evidence, resultsFolder, bounds);
    const { results, error } = await prepared.execute((one) => folder?.add(recordedOf(one, planned.shard)));
    if (error) {
      folder?.leave(results, prepared.header);
      throw error;
    }
    folder?.close(results, prepared.header, planned.catalogue, results.documents, { ...made, started });
    return upstreamBaseline(results, started, folder && resultsDigest(results));
  } catch (error) {
    throw baselineError(error);
  }
}
