/** Asks a target one cassette: every request in turn, every answer judged; what came of it as plain data. */

import type { Catalogue } from "../check/catalogue.ts";
import type { Policy } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { routeOf } from "../check/route.ts";
import type { Incident, RunResults } from "../verdict/document.ts";
import { type Evidence, evidenceOf } from "../verdict/evidence.ts";
import { type Outcome, onAnswers, type Unshown } from "../verdict/results.ts";
import { isEventStream } from "../wire/headers.ts";
import type { Sender } from "../wire/send.ts";
import { takeOver } from "./bind.ts";
import { curlOf } from "./curl.ts";
import { incidentOf, jsonOf } from "./incident.ts";
import type { Recording } from "./recordings.ts";
import { retarget } from "./retarget.ts";
import { secretsOf, withoutSecrets } from "./secrets.ts";
import { type Target, targetNames } from "./target.ts";

/** What every cassette of a run has in common. */
export interface Asking {
  readonly target: Target;
  readonly policy: Policy;
  /** Model ids that recordings were answered for. */
  readonly knownModels: ReadonlySet<string>;
}

/** Sends and judges one cassette. */
export async function askCassette(
  recording: Recording,
  { target, policy, knownModels }: Asking,
  catalogue: Catalogue,
  sender: Sender,
): Promise<Outcome> {
  const { source, interface: of, bindings, violates } = recording;
  const recorded = { interface: of, bindings, negative: violates.length > 0 };
  const names = targetNames(target, bindings);
  const secrets = secretsOf(target);
  const evidence: Evidence[] = [];
  const unshown: Unshown[] = [];
  const incidents: Incident[] = [];
  const reproduce: RunResults["reproduce"][number][] = [];
  const replies: unknown[] = [];
  for (const [position, { exchange: was, bind }] of recording.exchanges.entries()) {
    const { request, response: before } = was;
    const at = { source, exchange: position };
    const missed = (verdict: Unshown["verdict"], why: string, except: readonly string[] = []): void =>
      void unshown.push({ exchange: position, verdict, why, except });
    const bound = takeOver(request, bind ?? [], replies);
    if (!bound.ok) {
      missed("no-verdict", `${bound.needs} (${source})`);
      continue;
    }
    const asked = retarget(bound.request, recorded, target, knownModels);
    const { exchange: passed, failure } = await sender.send(asked.origin, asked.request);
    if (failure?.kind === "unreachable")
      return { source, evidence, unshown, incidents, reproduce, gone: failure.problem };
    if (failure?.kind === "unsendable") {
      missed("broken", `${source}, exchange ${position}: the request cannot be sent: ${failure.problem}`);
      continue;
    }
    replies[position] = passed.response && jsonOf(passed.response);
    const exchange = withoutSecrets(passed, target, names);
    // Of a whole reply that broke off nothing can be said; the events of a stream stand for themselves.
    const toJudge = failure && !isEventStream(exchange.response) ? { ...exchange, response: null } : exchange;
    const judged = judgeSafely(() =>
      judge(toJudge, at, catalogue, { names, policy, side: "response", probe: recorded.negative }),
    );
    const shown: Evidence = judged.ok ? answersOnly(evidenceOf(judged.judgement, at, catalogue), catalogue) : nothing;
    if (!judged.ok) missed("broken", `${source}, exchange ${position}: judging failed: ${judged.problem}`);
    else if (toJudge.response) evidence.push(shown);
    const incident = incidentOf(asked.request, exchange.response, failure?.problem, before, recorded.negative);
    if (incident) {
      const operation = routeOf(catalogue.interfaces, request.method, request.target)?.operation.name;
      incidents.push({
        ...at,
        interface: of,
        operation: operation ?? request.method,
        ...incident,
        needs: recording.needs,
      });
      missed("no-verdict", `a whole answer with success to ${source}, exchange ${position}`, shown.exercised);
    }
    if (incident || shown.findings.some(({ level }) => level !== "note")) {
      const curl = curlOf(target.shownAs ?? asked.origin, asked.request, secrets);
      if (curl !== undefined) reproduce.push({ ...at, curl });
    }
  }
  return { source, evidence, unshown, incidents, reproduce };
}

const nothing: Evidence = { judged: false, findings: [], groups: [], exercised: [], undecided: [], missed: [] };

function judgeSafely<T>(compute: () => T): { ok: true; judgement: T } | { ok: false; problem: string } {
  try {
    return { ok: true, judgement: compute() };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Clauses on requests speak about our own recording, so they count neither for nor against the target. */
export function answersOnly(evidence: Evidence, catalogue: Catalogue): Evidence {
  const decidable = onAnswers(catalogue);
  return {
    ...evidence,
    exercised: evidence.exercised.filter((id) => decidable.has(id)),
    undecided: evidence.undecided.filter(({ clause }) => decidable.has(clause)),
  };
}
