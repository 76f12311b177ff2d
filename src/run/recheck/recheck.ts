/** Asks again what failed: whether it fails again, and with how small a request. None of it is evidence for a verdict. */
import type { Catalogue } from "../../check/catalogue.ts";
import type { Level, Policy } from "../../check/clause.ts";
import { byExchange } from "../../check/finding-order.ts";
import { judge } from "../../check/judge.ts";
import { createHeadJudge } from "../../check/judge-heads.ts";
import { smaller } from "../../check/shrink.ts";
import { isInherited } from "../../verdict/outcome.ts";
import type { Outcome } from "../../verdict/results.ts";
import type { Incident, Recheck, RunResults } from "../../verdict/run-results.ts";
import type { Answers, SentRecord } from "../../verdict/sent-record.ts";
import { fails } from "../../verdict/tally.ts";
import { utf8 } from "../../wire/build.ts";
import { isLoopback } from "../../wire/callers.ts";
import type { Exchange, WireRequest } from "../../wire/exchange.ts";
import { isObject, parseJsonBytes } from "../../wire/json.ts";
import type { Sender } from "../../wire/send.ts";
import { judgeCassette } from "../judge/judge-cassette.ts";
import { judgeProbes } from "../judge/judge-probes.ts";
import { accepted } from "../judge/probe-outcome.ts";
import { excerptOf, incidentOf, jsonOf } from "../judge/request-failure.ts";
import type { RunOptions } from "../options.ts";
import { interfaceAt, type Recording } from "../plan/recordings.ts";
import { type Target, targetNames } from "../plan/target.ts";
import { takeOver } from "../send/captures.ts";
import { bodyFileIn } from "../send/curl.ts";
import { retarget } from "../send/retarget.ts";
import { recordOf, sendCassette } from "../send/send-cassette.ts";
import { sendProbeGroup } from "../send/send-probes.ts";
import type { RunOrder } from "../send/suite-messages.ts";

/** Requests a failing clause where they cost nothing. */
const maxFree = 40;

/** Milliseconds after which nothing more is asked again, whatever fails: a server that is slow is not asked for long. */
const maxRecheckMs = 10_000;

/** Characters of an answer that say why it is no success. */
const maxMessageLength = 2000;

/** How many requests a failing clause is asked again with; undefined `target` is the embedded reference. */
export function maxRechecks(
  { shrink = 0, maxRequests, rate, maxTokens, maxCost }: RunOptions,
  target: string | undefined,
): number {
  if (shrink !== "free") return shrink;
  const isFree = target === undefined || isLoopback(new URL(target).hostname.replace(/^\[|\]$/g, ""));
  const isBounded = [maxRequests, rate, maxTokens, maxCost].some((bound) => bound !== undefined);
  return isFree && !isBounded ? maxFree : 0;
}

/** A failure that is asked again: the first of its clause, or of requests that were not answered in the same way. */
export type Failure = Pick<Recheck, "clause" | "problem" | "source" | "exchange">;

/** Responses that say nothing about the request. They are not waited for here. */
const isRefusal = ({ kind, notOffered, expected }: Incident): boolean =>
  (kind === "refused" || kind === "server-error") && !notOffered && !expected;

/** The first failure of each failing clause and of each problem with a response. Known failures and those of the baseline are left out. */
export function firstFailures({ clauses, findings, incidents, options }: RunResults): Failure[] {
  const refusals = incidents.filter((one) => isRefusal(one) && one.explainedBy === undefined && !isInherited(one));
  const unanswered = refusals
    .filter(({ problem }, i) => refusals.findIndex((one) => one.problem === problem) === i)
    .map(({ problem, source, exchange }): Failure => ({ problem, source, exchange }));
  const failing = clauses.flatMap(({ id, verdict, expected, ...clause }) => {
    const first =
      verdict === "fail" && !expected && !isInherited(clause)
        ? findings.find(({ clause, level }) => clause === id && fails(level, options.level))
        : undefined;
    return first ? [{ clause: id, source: first.source, exchange: first.exchange }] : [];
  });
  return [...failing, ...unanswered];
}

/** A source that was asked once more. */
interface Resent {
  readonly outcome: Outcome;
  readonly recording?: Recording;
}

/**
 * Asks each failure once more, and what fails again with ever smaller requests, at most `maxRequests` for each.
 * @param level the least that fails a clause
 */
export async function recheck(
  failures: readonly Failure[],
  given: RunOrder,
  maxRequests: number,
  level: Level,
  catalogue: Catalogue,
  sender: Sender,
): Promise<Recheck[]> {
  if (maxRequests === 0) return [];
  const order = { ...given, heads: createHeadJudge(catalogue, targetNames(given.target)) };
  const until = performance.now() + maxRecheckMs;
  const isOver = (): boolean => performance.now() > until;
  const isAtFault = ({ evidence, incidents }: Outcome, { clause, exchange }: Failure): boolean =>
    clause === undefined
      ? incidents.some((one) => one.exchange === exchange)
      : evidence.some(({ findings }) => findings.some((one) => one.clause === clause && fails(one.level, level)));
  const resent = new Map<string, Resent | undefined>();
  const rechecked: Recheck[] = [];
  for (const failure of failures) {
    const key = JSON.stringify([failure.source, failure.source.startsWith("probes/") ? failure.exchange : 0]);
    if (!resent.has(key)) {
      if (isOver()) break;
      resent.set(key, await resendSource(failure, order, catalogue, sender));
    }
    const again = resent.get(key);
    if (!again) continue;
    const { outcome } = again;
    if (isAtFault(outcome, failure)) rechecked.push({ ...failure, asked: 2, failed: 2 });
    else if (isShown(outcome, failure)) rechecked.push({ ...failure, asked: 2, failed: 1 });
  }
  const whole: Recheck[] = [];
  for (const one of rechecked) {
    const again = resent.get(JSON.stringify([one.source, 0]));
    const smallest =
      one.failed === 2 && again?.recording
        ? await shrinkRequest(
            one,
            again.recording,
            again.outcome,
            order,
            level,
            maxRequests - 1,
            catalogue,
            sender,
            isOver,
          )
        : undefined;
    whole.push(smallest ? { ...one, smallest } : one);
  }
  return whole.sort(byExchange);
}

/** Whether answers say anything of what failed before. */
const isShown = ({ sent, evidence }: Outcome, { clause, exchange }: Failure): boolean =>
  clause === undefined
    ? sent.some((one) => one.exchange === exchange)
    : evidence.some(({ exercised }) => exercised.includes(clause));

/** Asks a recording, or one probe beside its twin; undefined where it cannot be asked. */
async function resendSource(
  { source, exchange }: Failure,
  order: RunOrder,
  catalogue: Catalogue,
  sender: Sender,
): Promise<Resent | undefined> {
  const recording = order.recordings.find((one) => one.source === source);
  if (recording) {
    const answers = await sendCassette(recording, { ...order, again: 0 }, sender);
    return answers.unreachable === undefined
      ? { outcome: judgeCassette(recording, answers, order, catalogue), recording }
      : undefined;
  }
  const group = order.probes.find((one) => one.source === source);
  if (!group) return undefined;
  const alone = { ...group, probes: exchange === 0 ? [] : [group.probes[exchange - 1]!] };
  const answers: Answers = await sendProbeGroup(
    alone,
    { ...order, knownModels: order.probedModels },
    catalogue,
    sender,
  );
  return answers.unreachable === undefined ? { outcome: judgeProbes(alone, answers, order, catalogue) } : undefined;
}

/** Ids, counts and times in a message differ from answer to answer. */
const withoutNumbers = (said: string): string => said.replace(/[\w-]*\d[\w-]*/g, "#");

/** The refusal in an answer: its status, and its message unless it is a success. */
const refusalIn = ({ passed, failure }: SentRecord): string =>
  !passed.response || accepted(passed)
    ? `${passed.response?.status} ${failure ?? ""}`
    : `${passed.response.status} ${withoutNumbers(excerptOf(passed.response, maxMessageLength))}`;

const strictest: Policy = { strict: "all", openEnums: false };

/** An exchange of which only the request is there. */
const unanswered: Omit<Exchange, "request"> = { origin: "", started: 0, response: null };

/** The smallest request that breaks no rule of its own and is still answered with the same fault; undefined where none is smaller. */
async function shrinkRequest(
  { clause, source, exchange }: Failure,
  recording: Recording,
  { sent }: Outcome,
  { target, policy, knownModels, heads }: RunOrder,
  level: Level,
  maxRequests: number,
  catalogue: Catalogue,
  sender: Sender,
  isOver: () => boolean,
): Promise<Recheck["smallest"]> {
  const { interface: of, bindings, violates } = recording;
  const before = sent.find((one) => one.exchange === exchange);
  const made = before && requestOf(recording, exchange, sent, target, knownModels);
  // A request that is broken on purpose stays as it is.
  if (!made || violates.length > 0) return undefined;
  const json = parseJsonBytes(made.request.body);
  if (!json.ok || !isObject(json.value)) return undefined;
  const names = targetNames(target, bindings);
  const at = { source, exchange };
  const { response: recorded } = recording.exchanges[exchange]!.exchange;
  const kindOf = ({ passed, failure }: SentRecord): string | undefined =>
    incidentOf(passed.request, passed.response, failure, recorded, false)?.kind;
  const faultsIn = ({ passed }: SentRecord): string[] =>
    judge(passed, at, catalogue, { names, policy, side: "response" })
      .findings.filter((one) => one.clause === clause && fails(one.level, level))
      .map(({ message }) => withoutNumbers(message));
  const faults = new Set(faultsIn(before));
  const isAtFault = (one: SentRecord): boolean =>
    refusalIn(one) === refusalIn(before) &&
    (clause === undefined
      ? kindOf(one) !== undefined && kindOf(one) === kindOf(before)
      : one.failure === undefined && faultsIn(one).some((fault) => faults.has(fault)));
  // One exchange alone does not show what several show together.
  if (!isAtFault(before)) return undefined;
  // Whatever any reading minds may explain an answer of its own.
  const brokenBy = (request: WireRequest): string[] =>
    judge({ ...unanswered, request }, at, catalogue, { names, policy: strictest, side: "request" })
      .findings.filter((one) => one.level !== "note")
      .map((one) => one.clause);
  const broken = new Set(brokenBy(made.request));
  const known = new Map<string, boolean>();
  let best: SentRecord | undefined;
  let requests = 0;
  const steps = smaller(
    json.value,
    new Set(catalogue.interfaces.flatMap(({ requests }) => requests?.replyBounds ?? [])),
  );
  for (let step = steps.next(); !step.done && requests < maxRequests && !isOver(); ) {
    const text = JSON.stringify(step.value);
    let serves = known.get(text);
    if (serves === undefined) {
      serves = false;
      const request = { ...made.request, body: utf8(text) };
      if (brokenBy(request).every((id) => broken.has(id))) {
        requests++;
        const sent = await sender.send(made.origin, request);
        const own = { ...at, interface: of, part: "scenario" as const };
        const tried = recordOf(sent, own, { origin: made.origin, request }, { target, heads }, bindings);
        serves = isAtFault(tried);
        if (serves) best = tried;
      }
      known.set(text, serves);
    }
    step = steps.next(serves);
  }
  // A body that is still long stands in no file.
  if (best?.curl === undefined || bodyFileIn(best.curl) !== undefined) return undefined;
  return { curl: best.curl, bytes: best.passed.request.body.length, from: made.request.body.length, requests };
}

/** A request of a recording as it is sent after these answers. */
function requestOf(
  recording: Recording,
  exchange: number,
  sent: readonly SentRecord[],
  target: Target,
  knownModels: ReadonlySet<string>,
): ReturnType<typeof retarget> | undefined {
  const { bindings, violates, exchanges } = recording;
  const of = interfaceAt(recording, exchange);
  const replies: unknown[] = [];
  for (const one of sent) replies[one.exchange] = one.passed.response && jsonOf(one.passed.response);
  const { exchange: was, bind = [] } = exchanges[exchange]!;
  const bound = takeOver(was.request, bind, replies);
  return bound.ok
    ? retarget(bound.request, { interface: of, bindings, negative: violates.length > 0 }, target, knownModels)
    : undefined;
}
