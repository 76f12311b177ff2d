/** Judges what a target answered to one cassette: a function of the records that asking kept. */

import type { Catalogue } from "../../check/catalogue.ts";
import type { Policy } from "../../check/clause.ts";
import { interfaceNamed } from "../../check/interface.ts";
import { judge } from "../../check/judge.ts";
import { judgeLaws } from "../../check/judge-laws.ts";
import type { Names } from "../../check/names.ts";
import { routeOf } from "../../check/route.ts";
import { type Evidence, evidenceOf } from "../../verdict/evidence.ts";
import { exampleNeeded } from "../../verdict/example-needed.ts";
import { type Outcome, onAnswers, type Unshown } from "../../verdict/results.ts";
import type { AnswerSigns, Incident, RunResults } from "../../verdict/run-results.ts";
import type { Answers, SentRecord } from "../../verdict/sent-record.ts";
import { violatedBy } from "../../verdict/violations.ts";
import { stalled } from "../../wire/send.ts";
import { madeUp } from "../plan/own-recordings.ts";
import { interfaceAt, type Recording } from "../plan/recordings.ts";
import { type Target, targetNames } from "../plan/target.ts";
import { answerSigns, namedMembers, needsOf, whyError, whyUnanswered } from "./answer-signs.ts";
import { beyondUnmet, ignoredNeed } from "./ignored-need.ts";
import { missingActions } from "./model-behaviour.ts";
import { errorDespiteSuccess, incidentOf, isStreamed, saysAbsent, streamedValues } from "./request-failure.ts";

/** The terms by which answers are judged, besides the catalogue. */
export interface JudgedBy {
  readonly target: Pick<Target, "bindings" | "models">;
  readonly policy: Policy;
}

/** Judges every answer to a cassette. Pure: the same records give the same outcome everywhere. */
export function judgeCassette(
  recording: Recording,
  answers: Answers,
  { target, policy }: JudgedBy,
  catalogue: Catalogue,
): Outcome {
  const { source, spans, bindings, violates, undocumented } = recording;
  const { interfaces } = catalogue;
  const negative = violates.length > 0;
  const names = targetNames(target, bindings);
  const evidence: Evidence[] = [];
  const incidents: Incident[] = [];
  const signs: AnswerSigns[] = [];
  const reproduce: RunResults["reproduce"][number][] = [];
  const unshown: Unshown[] = answers.unsent.map((one) => ({ ...one, verdict: "no-verdict", except: [] }));
  const [own, addresses] = [answers.sent.filter(isOwn), answers.sent.filter((one) => !isOwn(one))];
  for (const [i, asked] of own.entries()) {
    const { exchange: position, passed, failure, unsendable, curl } = asked;
    const { request, response: before } = recording.exchanges[position]!.exchange;
    const at = { source, exchange: position };
    const of = interfaceNamed(interfaces, interfaceAt(recording, position));
    const operation = routeOf(catalogue.interfaces, request.method, request.target)?.operation.name ?? request.method;
    const missed = (verdict: Unshown["verdict"], why: string, except: readonly string[] = []): void =>
      void unshown.push({ exchange: position, verdict, why, except });
    if (unsendable) {
      missed("broken", `${source}, exchange ${position}: the request cannot be sent: ${failure}`);
      continue;
    }
    const found = incidentOf(passed.request, passed.response, failure, before, negative);
    // Nothing can be said of a whole reply that broke off; the events of a stream stand for themselves.
    const isNothing = found?.kind === "rate-limited" || (failure !== undefined && !isStreamed(passed.response));
    const toJudge = isNothing ? { ...passed, response: null } : passed;
    const judged = judgeSafely(() =>
      judge(toJudge, at, catalogue, { names, policy, side: "response", probe: negative }),
    );
    const whole: Evidence = judged.ok ? answersOnly(evidenceOf(judged.judgement, at, catalogue), catalogue) : nothing;
    const unmet = negative ? undefined : ignoredNeed(of, passed, whole, policy);
    const shown = unmet ? beyondUnmet(whole, unmet) : whole;
    if (!judged.ok) missed("broken", `${source}, exchange ${position}: judging failed: ${judged.problem}`);
    else if (toJudge.response) evidence.push(shown);
    // A stream whose last event came is answered, though nobody ended its body: a clause of its own says so.
    const over = failure === stalled && shown.findings.some(({ clause }) => clause.endsWith(".streaming.body-ends"));
    if (over) missed("no-verdict", `the end of the body of ${source}, exchange ${position}`, shown.exercised);
    const isLast = own[i + 1]?.exchange !== position;
    const isWhole = found === undefined && failure === undefined;
    const sign = isLast && (isWhole || over) ? answerSigns(recording, asked, interfaces, unmet?.need) : undefined;
    const isError = sign?.isError === true && !negative;
    const error = isError ? errorDespiteSuccess(passed.request, passed.response!, sign.holds.length > 0) : undefined;
    const incident = over ? undefined : (found ?? error ?? unmet?.incident);
    if (incident?.kind === "refused" && undocumented !== undefined && mayRefuse(passed.response!.status)) {
      missed("no-verdict", whyRefusable(undocumented, operation), shown.exercised);
    } else if (incident && spans && saysAbsent(passed.response)) {
      missed("no-verdict", `an operation of ${interfaceAt(recording, position)}`, shown.exercised);
    } else if (incident) {
      const named = incident.kind === "refused" && !unmet ? namedMembers(passed, of) : [];
      const told: Incident = {
        ...at,
        interface: interfaceAt(recording, position),
        operation,
        ...incident,
        ...(passed.response && { status: passed.response.status }),
        needs: unmet ? [unmet.need] : needsOf(recording, position, interfaces),
        ...(named.length > 0 && { names: named }),
      };
      incidents.push(told);
      if (!error) missed("no-verdict", whyUnanswered(told), shown.exercised);
    }
    const violated = shown.findings.length > 0 ? violatedBy(shown.findings, streamedValues(passed.response)) : [];
    if (sign && error?.kind !== "refused")
      signs.push({ ...sign, operation, ...(violated.length > 0 && { violates: violated }) });
    const [missing] =
      negative || failure !== undefined ? [] : missingActions(passed.response, before, of?.replies?.actions);
    if (isError) missed("no-verdict", whyError(asked), shown.exercised);
    else if (isLast && missing !== undefined) missed("no-verdict", `the model did not ${missing}`, shown.exercised);
    if (curl !== undefined && (incident || shown.findings.some(({ level }) => level !== "note")))
      reproduce.push({ ...at, curl });
  }
  // The last of several tries counts.
  const answered = own.filter(({ exchange, failure }, i) => failure === undefined && own[i + 1]?.exchange !== exchange);
  const laws = lawsJudged([...answered, ...addresses], source, names, policy, catalogue);
  evidence.push(...laws);
  for (const { exchange, level } of laws.flatMap(({ findings }) => findings)) {
    const curl = answers.sent.find((one) => one.exchange === exchange)?.curl;
    if (curl !== undefined && level !== "note" && !reproduce.some((one) => one.exchange === exchange))
      reproduce.push({ source, exchange, curl });
  }
  return { source, ...answers, evidence, unshown, incidents, signs, reproduce };
}

/** Whether a record answers a request of the recording itself, and not an address that a reply handed out. */
const isOwn = ({ part }: SentRecord): boolean => part !== "address";

/** The reason for no verdict if a target refuses what it may refuse. */
const whyRefusable = (undocumented: string, operation: string): string =>
  undocumented === madeUp
    ? exampleNeeded(operation)
    : `${undocumented}, which no document describes and the target refuses`;

/** Whether a status says that something is not offered, rather than that the target failed. */
const mayRefuse = (status: number): boolean => (status >= 400 && status < 500) || status === 501;

/** Judges the answers together, by laws. */
function lawsJudged(
  asked: readonly SentRecord[],
  source: string,
  names: Names,
  policy: Policy,
  catalogue: Catalogue,
): Evidence[] {
  if (asked.length < 2) return [];
  const exchanges = asked.map(({ exchange: position, passed }) => ({ position, exchange: passed }));
  const at = { source, exchange: asked.at(-1)!.exchange };
  return [{ ...nothing, at, ...judgeLaws(exchanges, source, catalogue, { names, policy }) }];
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
