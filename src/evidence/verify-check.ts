/** Verifies the folder of a check or of a recording session: judges its recordings again, and holds everything it claims against that. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Recorded, SentJson } from "../cassette/format.ts";
import type { Catalogue } from "../check/catalogue.ts";
import type { Finding } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { jsonOf } from "../json-file.ts";
import { readPlainFile } from "../plain-file.ts";
import { UserError } from "../user-error.ts";
import { createPlaces, withExpectations } from "../verdict/apply-expectations.ts";
import { differencesOf, explainedDocument } from "../verdict/divergence.ts";
import type { CheckDocument } from "../verdict/document.ts";
import { evidenceOf } from "../verdict/evidence.ts";
import { createChoice } from "../verdict/finding-sample.ts";
import { createOperations } from "../verdict/operations.ts";
import { formatChecker } from "../verdict/read-results.ts";
import { createTally } from "../verdict/tally.ts";
import { linesWrittenOtherwise } from "./canonical-lines.ts";
import {
  codeIn,
  exchangesOutOfPlace,
  filesThatDiffer,
  judgingTold,
  refuseOtherCatalogue,
  textsThatDiffer,
  timesOfKept,
} from "./claims.ts";
import { differencesBetween, type Problem } from "./compare.ts";
import { dayAmiss } from "./evaluation-date.ts";
import { keptInPart, maskedVerdicts } from "./kept-in-part.ts";
import { exchangesName, type Manifest, manifestName, type RecordingsJudging, resultsName } from "./manifest.ts";
import { defaultMaxEvidence, readExchanges, refuseOddFiles, refuseParts, streamOfExchanges } from "./read-folder.ts";
import { recordingsHeader } from "./recordings.ts";
import { resultsFolder } from "./reports.ts";
import type { VerifiedResults, VerifyOptions } from "./verify.ts";

const remedy = "Give a folder that touchstone check --out DIR wrote, as it wrote it.";

/** An exchange of a recording, and where it stood there. */
type Kept = Recorded & { readonly asked: SentJson };

/**
 * Trusts nothing in the folder but what the manifest says of how to judge. UserError for what is missing, cannot be read, or was
 * judged by another catalogue.
 */
export async function verifyCheck(
  folder: string,
  manifest: Manifest,
  judging: RecordingsJudging,
  {
    anyVersion = false,
    maxEvidence = defaultMaxEvidence,
    documents,
  }: Pick<VerifyOptions, "anyVersion" | "maxEvidence" | "documents"> = {},
): Promise<VerifiedResults<CheckDocument>> {
  refuseParts(folder, manifest.evidence);
  refuseOddFiles(folder, manifest, maxEvidence);
  const document = await readDocument(folder);
  const catalogue = await openCatalogue(documents);
  if (!anyVersion) refuseOtherCatalogue(manifest, catalogue.digests());
  const kept = await readRecordings(folder, maxEvidence);
  const asked = kept.map((one) => one.asked);
  const problems = [
    ...filesThatDiffer(folder, manifest, maxEvidence, resultsFolder),
    ...exchangesOutOfPlace(asked),
    ...positionsAmiss(asked, judging),
    ...dayAmiss(judging.today, { file: manifestName, member: "judging.today" }, manifest, kept),
  ];
  const parts = keptInPart(asked, document.findings.length);
  try {
    const right = judgeAgain(document, kept, judging, catalogue, documents);
    const differences = [...differencesBetween(document, right)].filter((one) => !parts.mayExplain(one));
    const bindings = judgingTold(judging, catalogue).bindings;
    const form = { header: recordingsHeader(judging.sources, bindings), exchanges: kept };
    for await (const problem of linesWrittenOtherwise(streamOfExchanges(folder, maxEvidence), form))
      problems.push(problem);
    for (const difference of differences) problems.push({ file: resultsName, ...difference });
    const contents = { catalogue, exchanges: kept, times: timesOfKept(kept), made: manifest };
    problems.push(
      ...textsThatDiffer(
        folder,
        parts.any ? document : right,
        contents,
        differences.length === 0,
        manifest.files,
        resultsFolder,
      ),
    );
  } catch (error) {
    // A manifest's options can be wrong in any way.
    if (!(error instanceof UserError)) throw error;
    problems.push({ file: manifestName, what: `nobody can judge as it says: ${error.message}` });
  }
  return {
    problems,
    results: document,
    exchanges: kept.length,
    code: codeIn(catalogue.digests()),
    keptInPart: parts.sentence,
    masked: maskedVerdicts(kept.map(({ exchange }) => exchange)),
  };
}

async function readDocument(folder: string): Promise<CheckDocument> {
  const missing = [resultsName, exchangesName, ...Object.keys(resultsFolder.reports)].find(
    (name) => !existsSync(join(folder, name)),
  );
  if (missing !== undefined) throw new UserError(`${join(folder, missing)} is missing`, remedy);
  const path = join(folder, resultsName);
  const content = jsonOf(readPlainFile(path, remedy), path, remedy);
  const problem = (await formatChecker("findings"))(content);
  if (problem !== undefined) throw new UserError(`${path}: no results of a check: ${problem}`, remedy);
  return content as CheckDocument;
}

async function readRecordings(folder: string, maxEvidence: number): Promise<Kept[]> {
  const path = join(folder, exchangesName);
  const exchanges = await readExchanges(folder, maxEvidence);
  return exchanges.map(({ asked, ...recorded }, i) => {
    if (asked?.part !== "recording")
      throw new UserError(`${path}: exchange ${i} does not say where it was recorded`, remedy);
    return { ...recorded, asked };
  });
}

/** How often a recording was given: it was then judged as often. */
const timesGiven = ({ sources }: RecordingsJudging, source: string): number =>
  sources.filter(({ name }) => name === source).length;

/** Every exchange of each recording is there as often as it was given, from the first on. */
function* positionsAmiss(kept: readonly SentJson[], judging: RecordingsJudging): Generator<Problem> {
  const seen = new Map<string, number>();
  for (const { source, exchange } of kept) {
    const at = { file: exchangesName, source, exchange };
    const times = timesGiven(judging, source);
    if (times === 0) {
      yield { ...at, what: "it is of a recording that was not judged" };
      continue;
    }
    const count = seen.get(source) ?? 0;
    const wanted = Math.floor(count / times);
    if (exchange < wanted) yield { ...at, what: "it is there twice" };
    else
      for (let missing = wanted; missing < exchange; missing++)
        yield { ...at, exchange: missing, what: "it is missing" };
    seen.set(source, exchange < wanted ? count : exchange === wanted ? count + 1 : exchange * times + 1);
  }
}

/** The outcome of the recordings, judged as the manifest says and with the expectations that the document names. */
function judgeAgain(
  { expectations }: CheckDocument,
  kept: readonly Kept[],
  told: RecordingsJudging,
  catalogue: Catalogue,
  documents: readonly string[] | undefined,
): CheckDocument {
  const { sources, side, level, today } = told;
  const judging = judgingTold(
    told,
    catalogue,
    documents,
    sources.map(({ bindings = {} }) => bindings),
  );
  const differences = differencesOf(judging.diverges);
  const tally = createTally(catalogue.clauses, level, false);
  const operations = createOperations();
  const choice = createChoice();
  const places = createPlaces(expectations?.entries ?? [], catalogue.clauses);
  const findings: Finding[] = [];
  const bySource = new Map<string, Kept[]>(sources.map(({ name }) => [name, []]));
  for (const one of kept) bySource.get(one.asked.source)?.push(one);
  for (const [i, { name: source, bindings: own = {} }] of sources.entries()) {
    const times = timesGiven(told, source);
    const turn = sources.slice(0, i).filter(({ name }) => name === source).length;
    const names = namesFrom(own, ...judging.bindings);
    const options = { names, policy: judging.policy, ...(side && { side }) };
    for (const { exchange, asked } of bySource.get(source)!.filter((_one, at) => at % times === turn)) {
      const at = { source, exchange: asked.exchange };
      const judgement = judge(exchange, at, catalogue, options);
      tally.addJudgement(judgement, at);
      if (expectations) places.addEvidence(source, [evidenceOf(judgement, at, catalogue)], level);
      findings.push(...judgement.findings.filter(choice.takes));
      const { method, target } = exchange.request;
      const { operation } = judgement;
      operations.add({ operation: operation ?? `${method} ${target.split("?", 1)[0]}`, known: operation !== null });
    }
  }
  const document = { ...tally.document(true, choice), operations: operations.list(), findings };
  const explained = explainedDocument(document, differences);
  return expectations ? withExpectations(explained, expectations.entries, places.all(), today, true) : explained;
}
