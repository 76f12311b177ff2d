/** Plans a run: reads the target and the recordings, and decides what is to be sent. Sends nothing. */
import type { Catalogue } from "../check/catalogue.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { type Judging, judgingFrom } from "../interfaces/judging.ts";
import { checkNumbers, type RunOptions } from "./options.ts";
import { type Selection, select } from "./plan/selection.ts";
import { optionsWith, readTarget, type TargetFile } from "./plan/target-options.ts";

/** A run that was planned, and has sent nothing. */
export interface PlannedRun extends Selection {
  readonly options: RunOptions;
  /** Undefined where the embedded reference is to be asked. */
  readonly target: TargetFile | undefined;
  readonly judging: Judging;
  readonly catalogue: Catalogue;
  /** Whether it is the upstream behind a target: variables with the target's keys are not for it. */
  readonly isUpstream?: true;
}

/**
 * Plans a run of a base URL or a target file; undefined is the embedded reference.
 * @throws UserError for what cannot be read, and for names that nobody knows
 */
export async function planRun(target: string | undefined, given: RunOptions = {}): Promise<PlannedRun> {
  const file = target === undefined ? undefined : readTarget(target);
  const options = optionsWith(file, given);
  checkNumbers(options);
  const catalogue = await openCatalogue(options.documents);
  const judging = judgingFrom(options, catalogue, ...(file?.bindings ? [file.bindings] : []));
  return { options, target: file, judging, catalogue, ...(await select(options, file?.lacks ?? [], catalogue)) };
}
