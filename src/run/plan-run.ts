/** Plans a run: reads the target and the recordings, and decides what is to be sent. Sends nothing. */
import type { Catalogue } from "../check/catalogue.ts";
import { type Judging, judgingFrom } from "../interfaces/judging.ts";
import type { StartedFrom } from "../verdict/run-results.ts";
import { checkNumbers, type RunOptions } from "./options.ts";
import { type Selection, select } from "./plan/selection.ts";
import { openTargetDocuments } from "./plan/target-documents.ts";
import { isAddress, optionsWith, readTarget, type TargetFile } from "./plan/target-options.ts";

/** A run that was planned, and has sent nothing. */
export interface PlannedRun extends Selection {
  readonly options: RunOptions;
  /** Undefined where the embedded reference is to be asked. */
  readonly target: TargetFile | undefined;
  readonly judging: Judging;
  readonly catalogue: Catalogue;
  /** Whether the code in folders of documents runs. */
  readonly runsCode: boolean;
  /** Whether it is the upstream behind a target: variables with the target's keys are not for it. */
  readonly isUpstream?: true;
  /** What a command that repeats the run needs to name. */
  readonly started: StartedFrom;
}

/**
 * Plans a run of a base URL or a target file; undefined is the embedded reference.
 * @throws UserError for what cannot be read, and for names that nobody knows
 */
export async function planRun(target: string | undefined, given: RunOptions = {}): Promise<PlannedRun> {
  const file = target === undefined ? undefined : readTarget(target);
  const options = optionsWith(file, given);
  checkNumbers(options);
  const { catalogue, runsCode } = await openTargetDocuments(options.documents, target, given);
  const judging = judgingFrom(options, catalogue, ...(file?.bindings ? [file.bindings] : []));
  const selection = await select(options, file?.lacks ?? [], catalogue, target);
  const started = startedFrom(
    target === undefined || isAddress(target) ? undefined : target,
    given,
    selection.ownRecordings,
  );
  return { options, target: file, judging, catalogue, runsCode, ...selection, started };
}

/** The options that shape what a run sends or how it judges, and that a target file may hold as well. */
const inTargetFile = [
  "preset",
  "bind",
  "model",
  "key",
  "header",
  "reading",
  "level",
  "enforcement",
  "lacks",
] as const satisfies readonly (keyof RunOptions)[];

function startedFrom(targetFile: string | undefined, given: RunOptions, ownRecordings: boolean): StartedFrom {
  const { documents, allowCode, recordings, insecure, timeout } = given;
  return {
    ...(targetFile !== undefined && {
      targetFile,
      beside: inTargetFile.filter((name) => given[name] !== undefined),
    }),
    ...(documents && { documents }),
    ...(allowCode && targetFile !== undefined && { allowCode }),
    ...(ownRecordings && recordings !== undefined && { recordings }),
    ...(insecure && { insecure }),
    ...(timeout !== undefined && { timeout }),
  };
}
