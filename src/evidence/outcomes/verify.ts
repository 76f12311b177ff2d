/** Verifies the folder of a gateway or a client: makes its document of the evidence again, and holds everything it claims against that. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { UserError } from "../../user-error.ts";
import type { VerdictDocument } from "../../verdict/document.ts";
import { linesWrittenOtherwise } from "../canonical-lines.ts";
import {
  codeIn,
  exchangesOutOfPlace,
  filesThatDiffer,
  ranCode,
  refuseOtherCatalogue,
  textsThatDiffer,
  timesOfKept,
} from "../claims.ts";
import { versionsThatDiffer } from "../command-claims.ts";
import { differencesBetween } from "../compare.ts";
import { keptInPart } from "../kept-in-part.ts";
import { exchangesName, type Manifest, resultsName } from "../manifest.ts";
import { defaultMaxEvidence, readExchanges, refuseOddFiles, refuseParts, streamOfExchanges } from "../read-folder.ts";
import type { FolderKind } from "../reports.ts";
import type { Verification, VerifyOptions } from "../verify.ts";
import { asWritten, type EvidenceFolder, type JudgedAgain } from "./again.ts";
import { clientFolder, gatewayFolder } from "./folders.ts";
import { judgeClientAgain } from "./judge-client.ts";
import { judgeGatewayAgain } from "./judge-gateway.ts";
import type { OutcomeDocument } from "./read.ts";

/** Trusts nothing in the folder. UserError for what is missing, cannot be read, or was judged by another catalogue. */
export function verifyOutcomes(
  folder: string,
  manifest: Manifest,
  document: OutcomeDocument,
  options: Pick<VerifyOptions, "anyVersion" | "maxEvidence" | "documents"> = {},
): Promise<Verification> {
  return document.kind === "gateway"
    ? verifyDocument(folder, manifest, document, gatewayFolder, judgeGatewayAgain, options)
    : verifyDocument(folder, manifest, document, clientFolder, judgeClientAgain, options);
}

type ClaimedOutcomes = OutcomeDocument & VerdictDocument;

async function verifyDocument<D extends ClaimedOutcomes>(
  folder: string,
  manifest: Manifest,
  document: D,
  kind: FolderKind<D>,
  judgeAgain: (document: D, evidence: EvidenceFolder) => Promise<JudgedAgain<D>>,
  { anyVersion = false, maxEvidence = defaultMaxEvidence, documents }: Parameters<typeof verifyOutcomes>[3] = {},
): Promise<Verification> {
  refuseParts(folder, manifest.evidence);
  refuseOddFiles(folder, manifest, maxEvidence);
  const names = [resultsName, exchangesName, ...(kind.beside === undefined ? [] : [kind.beside])];
  const missing = [...names, ...Object.keys(kind.reports)].find((name) => !existsSync(join(folder, name)));
  if (missing !== undefined) throw new UserError(`${join(folder, missing)} is missing`, asWritten);
  const catalogue = await openCatalogue(documents, ranCode(document.documents));
  const { versions } = document;
  if (!anyVersion)
    refuseOtherCatalogue({ touchstone: versions["touchstone"]!, documents: document.documents }, catalogue.digests());
  const kept = await readExchanges(folder, maxEvidence);
  const asked = kept.map(({ asked: one }, i) => {
    if (!one)
      throw new UserError(`${join(folder, exchangesName)}: exchange ${i} does not say where it belongs`, asWritten);
    return one;
  });
  const url = "target" in document ? document.target.url : null;
  const problems = [
    ...filesThatDiffer(folder, manifest, maxEvidence, kind),
    ...versionsThatDiffer(manifest, {
      command: document.kind,
      url,
      touchstone: versions["touchstone"]!,
      documents: document.documents,
    }),
    ...exchangesOutOfPlace(asked),
  ];
  const parts = keptInPart(asked, document.findings.length);
  try {
    const again = await judgeAgain(document, { folder, manifest, kept, catalogue, documents });
    problems.push(...again.problems.filter((one) => !parts.mayExplain(one)));
    const form = linesWrittenOtherwise(streamOfExchanges(folder, maxEvidence), {
      header: again.header,
      exchanges: kept,
    });
    for await (const problem of form) problems.push(problem);
    const differences = [...differencesBetween<D>(document, again.right)].filter((one) => !parts.mayExplain(one));
    for (const difference of differences) problems.push({ file: resultsName, ...difference });
    const contents = { catalogue, exchanges: kept, times: timesOfKept(kept), made: manifest };
    const told = parts.any ? document : again.right;
    problems.push(...textsThatDiffer(folder, told, contents, differences.length === 0, manifest.files, kind));
  } catch (error) {
    // What results say of options, and exchanges of themselves, can be wrong in any way.
    if (!(error instanceof UserError)) throw error;
    problems.push({ file: resultsName, what: `it cannot be made of its evidence: ${error.message}` });
  }
  return { problems, exchanges: kept.length, code: codeIn(catalogue.digests()), keptInPart: parts.sentence };
}
