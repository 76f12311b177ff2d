/** Opens the documents of a run. A target file may come from strangers: code in folders that only it names does not run unasked. */
import type { Catalogue } from "../../check/catalogue.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import type { RunOptions } from "../options.ts";

export interface TargetDocuments {
  readonly catalogue: Catalogue;
  /** Whether the code of folders runs: other threads open the same documents. */
  readonly runsCode: boolean;
}

/**
 * Opens the catalogue, and notes each file of code that is not run.
 * @param documents those of the options, or else of the target file
 * @param targetFile the name of that file
 */
export async function openTargetDocuments(
  documents: readonly string[] | undefined,
  targetFile: string | undefined,
  given: RunOptions,
): Promise<TargetDocuments> {
  const { dryRun = false, allowCode = false, onNote = (note: string) => process.emitWarning(note) } = given;
  const isAllowed = allowCode || given.documents !== undefined;
  const runsCode = isAllowed && !dryRun;
  const catalogue = await openCatalogue(documents, runsCode);
  const why = isAllowed
    ? "--dry-run runs no code, and a run may send more requests than this plan"
    : `only ${targetFile} names its folder. The clauses that it decides have no verdict. --allow-code runs it`;
  for (const file of catalogue.unusedCode ?? []) onNote(`${file} was not run: ${why}.`);
  return { catalogue, runsCode };
}
