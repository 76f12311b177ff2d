/** Verifies the folder of a run: makes its plan and judges its exchanges again, and holds everything it claims against that. */
import type { CassetteHeader } from "../cassette/format.ts";
import type { Catalogue } from "../check/catalogue.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { servedAt } from "../run/context.ts";
import type { RunOptions } from "../run/options.ts";
import { loadFitness } from "../run/plan/fitness-data.ts";
import { type Selection, select } from "../run/plan/selection.ts";
import { baseUrl } from "../run/plan/target-options.ts";
import { type Replayed, replay } from "../run/recheck/replay.ts";
import { headerOf, targetOf } from "../run/settings.ts";
import { UserError } from "../user-error.ts";
import { withBaseline } from "../verdict/baseline.ts";
import type { Shard } from "../verdict/document.ts";
import { withFitness } from "../verdict/fitness.ts";
import { mergePlans } from "../verdict/merge.ts";
import { resultsOf } from "../verdict/results.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { baselineFolderIn, baselineName, baselineProblems, isJudgeable } from "./baseline-folder.ts";
import { linesWrittenOtherwise } from "./canonical-lines.ts";
import {
  codeIn,
  exchangesOutOfPlace,
  filesThatDiffer,
  judgingTold,
  ranCode,
  refuseOtherCatalogue,
  textsThatDiffer,
  timesOfKept,
} from "./claims.ts";
import { againAmiss, versionsThatDiffer } from "./command-claims.ts";
import { differencesBetween, type Problem } from "./compare.ts";
import { dayAmiss } from "./evaluation-date.ts";
import type { KeptRecord } from "./evidence-line.ts";
import { keptInPart, maskedVerdicts } from "./kept-in-part.ts";
import { exchangesName, type Manifest, resultsName } from "./manifest.ts";
import { joinHeaders } from "./merge.ts";
import { defaultMaxEvidence, readFolder, streamOfExchanges } from "./read-folder.ts";
import { resultsFolder } from "./reports.ts";

export interface VerifyOptions {
  /** Users' own documents that judged: folders, or OpenAPI files. */
  readonly documents?: readonly string[] | undefined;
  /** Judges with this catalogue though the results name another. */
  readonly anyVersion?: boolean | undefined;
  /** The recordings that were sent, where they are not those that ship with touchstone. */
  readonly recordings?: string | undefined;
  /** Bytes of exchanges that are read; `defaultMaxEvidence` unless told. */
  readonly maxEvidence?: number | undefined;
}

/** What judging the evidence of a folder again came to. */
export interface Verification {
  /** Nothing where all of it holds. */
  readonly problems: readonly Problem[];
  /** How many exchanges were judged again. */
  readonly exchanges: number;
  /** Names and digests of files of code that judged again. */
  readonly code: Manifest["documents"];
  /** The part that cannot be judged again; undefined if all of it was. */
  readonly keptInPart: string | undefined;
  /** The verdicts on values that were masked after they were judged; undefined if there are none. */
  readonly masked?: string | undefined;
}

/** The same of a folder whose claims are read. */
export interface VerifiedResults<Of> extends Verification {
  /** The claims of the folder. */
  readonly results: Of;
}

/** Trusts nothing in the folder. UserError for what is missing, cannot be read, or was judged by another catalogue. */
export async function verifyFolder(folder: string, options: VerifyOptions = {}): Promise<VerifiedResults<RunResults>> {
  const { maxEvidence = defaultMaxEvidence } = options;
  const read = await readFolder(folder, maxEvidence);
  const { results, kept } = read;
  const catalogue = await openCatalogue(options.documents, ranCode(results.documents));
  if (!options.anyVersion)
    refuseOtherCatalogue(
      { touchstone: results.versions.touchstone, documents: results.documents },
      catalogue.digests(),
    );
  if (results.options.ownRecordings && options.recordings === undefined)
    throw new UserError("this run sent recordings of its own", "Name their folder with --recordings FOLDER.");
  const problems = [
    ...filesThatDiffer(folder, read.manifest, maxEvidence, resultsFolder),
    ...versionsThatDiffer(read.manifest, {
      command: "run",
      url: results.target.url,
      touchstone: results.versions.touchstone,
      documents: results.documents,
    }),
    ...againAmiss(read.manifest, results),
    ...dayAmiss(results.options.today, { file: resultsName, member: "options.today" }, read.manifest, read.exchanges),
    ...exchangesOutOfPlace(kept),
  ];
  const parts = keptInPart(kept, results.findings.length);
  let right: RunResults | undefined;
  try {
    const judged = await judgeAgain(results, kept, catalogue, options);
    for (const mismatch of judged.mismatches)
      if (!parts.mayExplain(mismatch)) problems.push({ file: exchangesName, ...mismatch });
    right = judged.results;
    const form = linesWrittenOtherwise(streamOfExchanges(folder, maxEvidence), {
      header: judged.header,
      exchanges: read.exchanges,
    });
    for await (const problem of form) problems.push(problem);
  } catch (error) {
    // The options in the results can be wrong in any way.
    if (!(error instanceof UserError)) throw error;
    problems.push({ file: resultsName, what: `its options cannot be those of a run: ${error.message}` });
  }
  if (right) {
    const differences = [...differencesBetween(results, right)].filter((one) => !parts.mayExplain(one));
    for (const difference of differences) problems.push({ file: resultsName, ...difference });
    const times = timesOfKept(read.exchanges);
    const contents = { catalogue, exchanges: read.exchanges, times, made: read.manifest };
    problems.push(
      ...textsThatDiffer(
        folder,
        parts.any ? results : right,
        contents,
        differences.length === 0,
        read.manifest.files,
        resultsFolder,
      ),
    );
  }
  const baseline = results.baseline && baselineFolderIn(folder);
  if (results.baseline && baseline !== undefined) {
    for await (const problem of baselineProblems(baseline, results.baseline)) problems.push(problem);
    if (await isJudgeable(baseline)) {
      const upstream = await verifyFolder(baseline, options);
      problems.push(...upstream.problems.map((one) => ({ ...one, file: `${baselineName}/${one.file}` })));
    }
  }
  return {
    problems,
    results,
    exchanges: kept.length,
    code: codeIn(catalogue.digests()),
    keptInPart: parts.sentence,
    masked: maskedVerdicts(kept.map(({ passed }) => passed)),
  };
}

/** The parts a run was made in: itself, or all of its shards. */
function shardsOf({ shard }: RunResults, kept: readonly KeptRecord[]): (Shard | null)[] {
  const of = kept[0]?.shard?.of;
  if (shard || of === undefined) return [shard];
  if (of > 10_000) throw new UserError(`there are no runs of ${of} shards`, "Verify the folder as it was written.");
  return Array.from({ length: of }, (_, i) => ({ index: i + 1, of }));
}

interface JudgedAgain {
  /** The header in the first line of the exchanges. */
  readonly header: CassetteHeader;
  readonly results: RunResults;
  readonly mismatches: Replayed["mismatches"];
}

/** The outcome of the exchanges, with the plan, the options and the expectations that the results name. */
async function judgeAgain(
  results: RunResults,
  kept: readonly KeptRecord[],
  catalogue: Catalogue,
  options: VerifyOptions,
): Promise<JudgedAgain> {
  const { options: told } = results;
  const judging = judgingTold(told, catalogue, options.documents);
  const url = baseUrl(results.target.url ?? kept[0]?.passed.origin ?? "http://127.0.0.1", "its target");
  const target = targetOf(results, judging, url, catalogue.interfaces);
  const shards = shardsOf(results, kept);
  const parts: Replayed[] = [];
  const selections: Selection[] = [];
  const headers: CassetteHeader[] = [];
  for (const shard of shards) {
    const selection = await select(planOptions(results, shard, options.recordings), [], catalogue);
    const own = kept.filter((one) => (one.shard?.index ?? null) === (shard?.index ?? null));
    const place = results.target.kind === "reference" ? { ...target, shownAs: servedAt } : target;
    parts.push(await replay(selection, told.again, own, place, judging, catalogue));
    selections.push(selection);
    headers.push(headerOf(results.target.url, selection.recordings, target));
  }
  const strangers = kept.filter(({ shard }) => !shards.some((one) => (one?.index ?? null) === (shard?.index ?? null)));
  const plan = shards.length > 1 ? mergePlans(selections.map((one) => one.plan)) : selections[0]!.plan;
  const facts = {
    target: {
      kind: results.target.kind,
      ...(results.target.name !== undefined && { name: results.target.name }),
      url: results.target.url,
      bindings: Object.assign({}, ...judging.bindings.map((layer) => layer.names ?? {})),
    },
    plan,
    shard: results.shard,
    options: { ...told, ways: Object.assign({}, ...parts.map(({ overrides }) => overrides)) },
    versions: results.versions,
    documents: results.documents,
  };
  const terms = {
    expectations: results.expectations?.entries,
    failsAt: told.level,
    diverges: judging.diverges,
    today: told.today,
  };
  const outcomes = parts.flatMap((part) => part.outcomes);
  const judged = resultsOf(facts, outcomes, selections[0]!.shown, catalogue, terms, true);
  const compared = (right: RunResults): RunResults =>
    results.baseline ? withBaseline(right, results.baseline) : right;
  return {
    header: shards.length > 1 ? joinHeaders(headers) : headers[0]!,
    results: {
      // No exchange of the run shows the experience of clients.
      ...compared(withFitness({ ...judged, ...(results.trials && { trials: results.trials }) }, loadFitness())),
      // None shows the rechecks either.
      ...(results.again && { again: results.again }),
    },
    mismatches: [
      ...parts.flatMap((part) => part.mismatches),
      ...strangers.map(({ source, exchange }) => ({
        source,
        exchange,
        what: "it is of a shard that is none of this run",
      })),
    ],
  };
}

/** The options with which a run makes this plan. */
function planOptions({ plan, options }: RunResults, shard: Shard | null, recordings: string | undefined): RunOptions {
  return {
    interface: plan.interfaces,
    section: plan.sections,
    clause: plan.clauses,
    scenario: plan.scenarios,
    lacks: plan.lacks,
    maxRequests: plan.limit ?? undefined,
    shard: shard ? `${shard.index}/${shard.of}` : undefined,
    probes: options.probes,
    ...(options.ownRecordings && { recordings }),
  };
}
