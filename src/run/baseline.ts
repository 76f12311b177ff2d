/** Opens what `--baseline` names: results of the upstream behind a target, or the upstream itself, to be sent the same. */
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { version } from "../home.ts";
import { judgingFrom } from "../interfaces/judging.ts";
import { jsonOf } from "../json-file.ts";
import { fileIn, readNamedFile, readPlainFile } from "../plain-file.ts";
import { UserError } from "../user-error.ts";
import { baselineOf } from "../verdict/baseline.ts";
import { isRefusedThroughout } from "../verdict/outcome.ts";
import { formatChecker } from "../verdict/read-results.ts";
import type { Baseline, RunResults } from "../verdict/run-results.ts";
import { isObject } from "../wire/json.ts";
import { select } from "./plan/selection.ts";
import { isAddress, readTarget } from "./plan/target-options.ts";
import type { PlannedRun } from "./plan-run.ts";
import { UnknownModel } from "./reach/listed-models.ts";
import { settingsOf } from "./settings.ts";

/** A baseline as it was named. */
export type OpenedBaseline =
  /** The path of the results, and what a run is compared with. */
  | { readonly kind: "results"; readonly path: string; readonly baseline: Baseline }
  /** The upstream that is to be sent what the target is sent. */
  | { readonly kind: "target"; readonly planned: PlannedRun };

const remedy = "Give a folder that touchstone run --out DIR wrote, its results.json, an address, or a target file.";

/** The file that a path names: the results of a folder, or the file itself. */
function resultsFileAt(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new UserError(`--baseline ${path} does not exist`, remedy);
  if (!found.isDirectory()) return path;
  const file = fileIn(path, "results.json", remedy);
  if (file === undefined) throw new UserError(`--baseline ${path} holds no results.json`, remedy);
  return file;
}

/**
 * Opens the baseline of a run; undefined where none is named. Sends nothing.
 * @throws UserError for what cannot be read, and for results that were not judged alike
 */
export async function openBaseline(planned: PlannedRun): Promise<OpenedBaseline | undefined> {
  const given = planned.options.baseline;
  if (given === undefined) return undefined;
  if (isAddress(given)) return { kind: "target", planned: await planUpstream(planned, given) };
  const file = resultsFileAt(given);
  const bytes = file === given ? readNamedFile(file, `--baseline ${file}`, remedy) : readPlainFile(file, remedy);
  const content = jsonOf(bytes, file, remedy);
  if (isObject(content) && "url" in content) return { kind: "target", planned: await planUpstream(planned, given) };
  const problem = (await formatChecker("results"))(content);
  if (problem !== undefined) throw new UserError(`--baseline ${file}: no results of a run: ${problem}`, remedy);
  const results = content as RunResults;
  refuseUndecided(results, `--baseline ${file}`);
  refuseUnlike(results, planned, file);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const started = await startedOf(file, sha256);
  const origin = { kind: "results", sha256: [sha256], ...(started !== undefined && { started }) } as const;
  return { kind: "results", path: given, baseline: baselineOf(results, origin) };
}

/** UserError for results that decide nothing. */
function refuseUndecided(results: RunResults, called: string): void {
  if (results.complete !== true)
    throw new UserError(`${called}: the run it comes from did not finish`, "Run it again, to its end.");
  if (isRefusedThroughout(results))
    throw new UserError(
      `${called}: every request was refused there, so that nothing can be compared`,
      "Look for its key and its model: a target file says both (--baseline upstream.json).",
    );
}

/** UserError for results that were judged by other terms than this run will be. */
function refuseUnlike({ options, versions, documents }: RunResults, planned: PlannedRun, file: string): void {
  const own = settingsOf(planned.options, planned.judging, { keys: {}, models: {}, headers: [] }, planned);
  const terms = ["level", "enforcement", "readings", "preset", "ownRecordings"] as const;
  const told = (value: unknown): string => (value === undefined ? "the default" : JSON.stringify(value));
  const other = terms.find((name) => JSON.stringify(options[name]) !== JSON.stringify(own[name]));
  const here = { touchstone: version(), documents: planned.catalogue.digests() };
  const document = Object.keys(here.documents).find((name) => here.documents[name] !== documents[name]);
  const what =
    versions.touchstone !== here.touchstone
      ? `it was judged by touchstone ${versions.touchstone}, and this is ${here.touchstone}`
      : document !== undefined
        ? `it was judged by other clauses of the document ${document}`
        : other !== undefined
          ? `it was judged with ${other} ${told(options[other])}, and this run has ${told(own[other])}`
          : undefined;
  if (what !== undefined)
    throw new UserError(
      `--baseline ${file} cannot be compared: ${what}`,
      "Run the upstream again with the options of this run, or name its address: --baseline URL.",
    );
}

/** When results began, as the manifest beside them has it. UserError where they are not the file that it names. */
async function startedOf(file: string, sha256: string): Promise<string | undefined> {
  const path = join(dirname(file), "manifest.json");
  if (!existsSync(path)) return undefined;
  const manifest = jsonOf(readPlainFile(path, remedy), path, remedy);
  if ((await formatChecker("manifest"))(manifest) !== undefined) return undefined;
  const { files, started } = manifest as { files: Record<string, string>; started: string };
  if (files["results.json"] !== sha256)
    throw new UserError(
      `--baseline ${file} is not the file that its manifest names: one of them was changed`,
      "Give a folder as the run wrote it. touchstone verify tells what differs.",
    );
  return started;
}

/**
 * Plans to send the upstream what the target is sent. A target file says its key, models and headers. Those of the target are
 * never sent to it, but for the models where the upstream is a plain address.
 */
async function planUpstream(planned: PlannedRun, given: string): Promise<PlannedRun> {
  const { options, target, judging, catalogue } = planned;
  const isFile = !isAddress(given);
  const read = readTarget(given);
  const { url, name, keys, models = isFile ? {} : (target?.models ?? {}), headers, lacks = [], bindings } = read;
  const file = { url, models, ...(name !== undefined && { name }), ...(keys && { keys }), ...(headers && { headers }) };
  const own = {
    ...options,
    ...{ name, header: undefined, key: undefined, expectations: undefined, updateExpectations: undefined },
    ...{ model: isFile ? undefined : options.model, shrink: 0, baseline: undefined },
  };
  const isLess = lacks.some((one) => !planned.plan.lacks.includes(one));
  return {
    ...planned,
    options: own,
    target: file,
    isUpstream: true,
    judging: bindings ? judgingFrom(own, catalogue, bindings) : judging,
    ...(isLess && (await select(own, [...planned.plan.lacks, ...lacks], catalogue))),
  };
}

/** The baseline of a run whose upstream was sent the same. UserError where its results decide nothing. @param sha256 of its `results.json`, where it is kept */
export function upstreamBaseline(results: RunResults, started: string, sha256?: string): Baseline {
  refuseUndecided(results, `baseline ${results.target.url}`);
  return baselineOf(results, { kind: "target", started, sha256: sha256 === undefined ? [] : [sha256] });
}

/** The same error, which says that it is about the baseline. */
export function baselineError(error: unknown): unknown {
  if (!(error instanceof UserError)) return error;
  const message = `baseline: ${error.message}`;
  return error instanceof UnknownModel
    ? new UnknownModel(message, error.remedy, error.instead)
    : new UserError(message, error.remedy);
}
