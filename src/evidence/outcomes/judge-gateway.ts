/** Makes the document of a gateway again, of the exchanges at both of its ends. */
import { join } from "node:path";
import { interfaceNamed } from "../../check/interface.ts";
import { gatewayDocument } from "../../gateway/build-document.ts";
import type { GatewayDocument } from "../../gateway/document.ts";
import { documentTerms } from "../../gateway/gateway.ts";
import { allOf, selectedQuestions } from "../../gateway/plan.ts";
import { select } from "../../run/plan/selection.ts";
import { UserError } from "../../user-error.ts";
import { judgingTold } from "../claims.ts";
import type { Problem } from "../compare.ts";
import { exchangesName } from "../manifest.ts";
import { asWritten, type EvidenceFolder, type JudgedAgain } from "./again.ts";
import { gatewayHeader, tripsFrom } from "./trip-lines.ts";

/** UserError for what nobody can have judged by. */
export async function judgeGatewayAgain(
  document: GatewayDocument,
  { folder, kept, catalogue, documents }: EvidenceFolder,
): Promise<JudgedAgain<GatewayDocument>> {
  const { target, route, options, versions } = document;
  const { from, to } = route;
  const [described] = [from, to].map((name) => {
    const found = interfaceNamed(catalogue.interfaces, name);
    if (found) return found;
    throw new UserError(`there is no interface ${name}`, asWritten);
  });
  const judging = judgingTold(options, catalogue, documents);
  const told = { bindings: judging.bindings, models: options.models, lacks: options.lacks };
  const selection = await select({ interface: [from], lacks: options.lacks, probes: "all" }, [], catalogue);
  const planned = new Set(allOf(selectedQuestions(selection, described!, told)).map(({ id }) => id));
  const trips = tripsFrom(kept, join(folder, exchangesName), asWritten);
  const made = new Set(trips.map(({ id }) => id));
  const tell = (source: string, what: string): Problem => ({ file: exchangesName, source, exchange: 0, what });
  const known = {
    target: { ...target, bindings: Object.assign({}, ...judging.bindings.map((layer) => layer.names ?? {})) },
    route,
    options,
    versions,
    documents: document.documents,
    planned: planned.size,
  };
  const terms = documentTerms({ catalogue, judging }, known, told);
  return {
    right: gatewayDocument(known, trips, terms, true),
    header: gatewayHeader(document),
    problems: [
      ...[...planned].filter((id) => !made.has(id)).map((id) => tell(id, "the trip is missing")),
      ...[...made].filter((id) => !planned.has(id)).map((id) => tell(id, "the trip was not to be made")),
    ],
  };
}
