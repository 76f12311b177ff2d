/** Makes the document of a client again, of its exchanges and of what it handed back. */
import { join } from "node:path";
import { casesOf } from "../../cases/all-cases.ts";
import { clientDocument } from "../../cases/client-document.ts";
import type { ClientDocument } from "../../cases/document.ts";
import { everyInterface } from "../../cases/interface-names.ts";
import { sourceOf } from "../../cases/judge/judge-case.ts";
import { readPlainFile } from "../../plain-file.ts";
import { UserError } from "../../user-error.ts";
import { isText } from "../canonical-lines.ts";
import { judgingTold } from "../claims.ts";
import type { Problem } from "../compare.ts";
import { dayAmiss } from "../evaluation-date.ts";
import { exchangesName, observationsName, resultsName } from "../manifest.ts";
import { asWritten, type EvidenceFolder, type JudgedAgain } from "./again.ts";
import { casesFrom, clientHeader, observationLines, observationsFrom } from "./case-lines.ts";

/** UserError for what nobody can have judged by. */
export async function judgeClientAgain(
  document: ClientDocument,
  { folder, manifest, kept, catalogue, documents }: EvidenceFolder,
): Promise<JudgedAgain<ClientDocument>> {
  const path = join(folder, observationsName);
  const bytes = readPlainFile(path, asWritten);
  const observations = await observationsFrom(bytes.toString("utf8"), path, asWritten);
  const evidence = casesFrom(observations, kept, join(folder, exchangesName), asWritten);
  const { client, versions, options, expectations } = document;
  const names = everyInterface.filter((name) => options.interfaces.includes(name));
  if (names.length < options.interfaces.length)
    throw new UserError(`there are no interfaces ${options.interfaces.join(", ")}`, asWritten);
  // A whole run asks the plain answer of each interface first, whatever cases are chosen.
  const planned = new Set(
    names.flatMap((name) =>
      ["plain", ...casesOf(name, options.cases).map(({ id }) => id)].map((id) => `${name}/${id}`),
    ),
  );
  const seen = new Map<string, number>();
  for (const one of observations) seen.set(sourceOf(one), (seen.get(sourceOf(one)) ?? 0) + 1);
  const tell = (source: string, what: string): Problem => ({ file: observationsName, source, exchange: 0, what });
  const problems: Problem[] = [
    ...[...planned].filter((source) => !seen.has(source)).map((source) => tell(source, "the case is missing")),
    ...[...seen].flatMap(([source, count]) => [
      ...(planned.has(source) ? [] : [tell(source, "the case was not to be tried")]),
      ...(count > 1 ? [tell(source, "the case is there twice")] : []),
    ]),
    ...(isText(bytes, observationLines(evidence))
      ? []
      : [{ file: observationsName, what: "it is not written as a run writes it" }]),
    ...dayAmiss(options.today, { file: resultsName, member: "options.today" }, manifest, kept),
  ];
  const judging = judgingTold({ ...options, bindings: options.bindings }, catalogue, documents);
  const right = clientDocument(
    catalogue,
    evidence,
    { client, versions, documents: document.documents, options },
    {
      names: judging.names,
      policy: judging.policy,
      expectations: expectations?.entries,
      isWhole: options.cases.length === 0,
      isComplete: true,
    },
  );
  return { right, header: clientHeader(document), problems };
}
