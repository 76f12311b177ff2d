/** Executes the plan of a run in four phases: reach the target, send suites and probes, recheck failures, drive clients. */
import { byExchange, type ExchangePlace } from "../check/finding-order.ts";
import { UserError } from "../user-error.ts";
import type { Outcome } from "../verdict/results.ts";
import type { ClientTrial, Recheck, RunResults } from "../verdict/run-results.ts";
import type { Answers } from "../verdict/sent-record.ts";
import type { RunContext } from "./context.ts";
import { judgeCassette } from "./judge/judge-cassette.ts";
import { judgeProbes } from "./judge/judge-probes.ts";
import { isThere, recordingsToSend } from "./plan/send-order.ts";
import { type SmokeTest, smokeTest } from "./reach/smoke-test.ts";
import { untilListening } from "./reach/wait.ts";
import { findKiller } from "./recheck/find-killer.ts";
import { firstFailures, maxRechecks, recheck } from "./recheck/recheck.ts";
import { paceOf } from "./send/retry.ts";
import { endlessAnswers, runSender } from "./send/sender.ts";
import type { RunOrder } from "./send/suite-messages.ts";
import { sendOrder } from "./send/suites.ts";

/** Why a run ended before all of its plan was sent. */
export interface EarlyEnd {
  /** The message for whoever started it. */
  readonly error: UserError;
  /** How the target was lost; absent where a limit of the run was reached. */
  readonly lost?: Lost;
}

type Lost = NonNullable<RunResults["lost"]>;

/** The target's answers, judged. */
export interface RunOutcomes {
  /** The outcome of each source, in the order in which they ended. */
  readonly outcomes: readonly Outcome[];
  readonly overrides: SmokeTest["overrides"];
  /** Absent where all was sent. */
  readonly end?: EarlyEnd;
}

/** The result of executing a plan. */
export interface ExecutedPlan extends RunOutcomes {
  /** The results that follow from the outcomes alone. */
  readonly results: RunResults;
  readonly again?: readonly Recheck[];
  /** Absent where no client was driven. */
  readonly trials?: readonly ClientTrial[];
}

/**
 * Sends all that is planned, as long as no limit is reached, and judges it.
 * @param resultsOf what outcomes come to; which failures are rechecked follows from it
 */
export async function executePlan(
  context: RunContext,
  resultsOf: (soFar: RunOutcomes) => RunResults,
): Promise<ExecutedPlan> {
  const { outcomes } = context;
  const endedEarly = (overrides: SmokeTest["overrides"], end: EarlyEnd): ExecutedPlan => {
    const soFar = { outcomes, overrides, end };
    return { ...soFar, results: resultsOf(soFar) };
  };
  const found = await reachTarget(context);
  if (!found) return endedEarly({}, stopped(context, 0, sourcesIn(context.order)));
  const { overrides } = found;
  const order = orderAfter(found, context.order);
  const end = await sendAll(context, order);
  if (end) return endedEarly(overrides, end);
  const results = resultsOf({ outcomes, overrides });
  const again = await recheckFailures(context, order, results);
  if (!drivesClients(context)) return { outcomes, overrides, results, again };
  const trials = await driveInstalledClients(context, order);
  const all = sourcesIn(order);
  return trials ? { outcomes, overrides, results, again, trials } : endedEarly(overrides, stopped(context, all, all));
}

/** Recordings and groups of probes. */
const sourcesIn = ({ recordings, probes }: RunOrder): number => recordings.length + probes.length;

const stopped = ({ limits }: RunContext, done: number, all: number): EarlyEnd => ({
  error: limits.stoppedAfter(done, all),
});

/** Phase 1: waits for the target, and asks each interface a first question. Undefined where a limit was reached meanwhile. */
async function reachTarget({ planned, order, isReference, sender, limits, keep }: RunContext) {
  if (isReference) return { overrides: {}, closed: [], outcomes: [] } satisfies SmokeTest;
  const { options, catalogue } = planned;
  if (options.wait)
    await untilListening(order.target.url, Math.min(options.wait, options.maxTime ?? Number.POSITIVE_INFINITY));
  const { firsts } = recordingsToSend(planned);
  const found = await limits.within(() => smokeTest({ ...order, recordings: firsts }, catalogue, sender));
  for (const outcome of found?.outcomes ?? []) keep(outcome);
  return found;
}

/** The order after first questions: interfaces as they are reached, without those of which nothing more is asked. */
function orderAfter({ overrides, closed }: SmokeTest, order: RunOrder): RunOrder {
  return {
    ...order,
    target: { ...order.target, overrides },
    recordings: order.recordings.filter((recording) => isThere(recording, closed)),
    probes: order.probes.filter(({ twin }) => !closed.includes(twin.interface)),
  };
}

/** Phase 2: sends suites and probes, and judges answers as they come. Undefined where all was sent. */
async function sendAll(context: RunContext, order: RunOrder): Promise<EarlyEnd | undefined> {
  const { planned, limits, keep } = context;
  const { options, catalogue } = planned;
  const recordings = new Map(order.recordings.map((recording) => [recording.source, recording]));
  const groups = new Map(order.probes.map((group) => [group.source, group]));
  const all = recordings.size + groups.size;
  let done = 0;
  let problem: string | undefined;
  const inFlight: ExchangePlace[] = [];
  const reset: ExchangePlace[] = [];
  const receive = (source: string, answers: Answers): void => {
    const recording = recordings.get(source);
    problem ??= answers.unreachable;
    inFlight.push(...(answers.inFlight ?? []).map((exchange) => ({ source, exchange })));
    reset.push(
      ...answers.sent.flatMap(({ failure, passed, exchange }) =>
        failure !== undefined && passed.response === null ? [{ source, exchange }] : [],
      ),
    );
    keep(
      recording
        ? judgeCassette(recording, answers, order, catalogue)
        : judgeProbes(groups.get(source)!, answers, order, catalogue),
    );
    done++;
    options.onProgress?.(done, all);
  };
  await sendOrder(order, options.concurrency ?? 4, receive, limits.signal);
  if (problem !== undefined) {
    const lost = await explainLoss({ problem, inFlight: inFlight.sort(byExchange) }, reset, context, order);
    return { error: lostTarget(order.target.url, lost), lost };
  }
  return done < all ? { error: limits.stoppedAfter(done, all) } : undefined;
}

/** Finds the request that stopped the target, unless the user limited the number of requests. */
async function explainLoss(
  lost: Lost,
  reset: readonly ExchangePlace[],
  { planned, limits }: RunContext,
  order: RunOrder,
): Promise<Lost> {
  const { options, catalogue } = planned;
  const isBounded = [options.maxRequests, options.maxTokens, options.maxCost].some((bound) => bound !== undefined);
  if (isBounded || lost.problem.startsWith(endlessAnswers)) return lost;
  const sender = runSender({ ...order.settings, retries: 0 }, false, limits.signal);
  const suspects = { reset, order, catalogue, sender, wait: options.wait, signal: limits.signal };
  try {
    return (await limits.within(() => findKiller(lost, suspects))) ?? lost;
  } finally {
    await sender.close();
  }
}

/** Phase 3: sends again what failed, ever smaller. None where a limit is reached meanwhile. */
async function recheckFailures(
  { planned, sender, limits }: RunContext,
  order: RunOrder,
  results: RunResults,
): Promise<readonly Recheck[]> {
  const { options, target, catalogue } = planned;
  const max = maxRechecks(options, target?.url);
  if (max === 0) return [];
  const failures = firstFailures(results);
  const level = options.level ?? "error";
  return (await limits.within(() => recheck(failures, order, max, level, catalogue, sender))) ?? [];
}

/** Whether clients are driven at all: of several shards the first has them, as one run would. */
const drivesClients = ({ planned: { options, shard } }: RunContext): boolean =>
  options.clients === true && (shard === null || shard.index === 1);

/** Phase 4: has the clients that are installed use the target. Undefined where a limit was reached meanwhile. */
async function driveInstalledClients({ limits }: RunContext, order: RunOrder): Promise<ClientTrial[] | undefined> {
  const { target, knownModels, recordings, settings } = order;
  const { maxIdleMs, insecure, rate } = settings;
  const { driveClients } = await import("./clients/drive.ts");
  const interfaces = [...new Set(recordings.map((recording) => recording.interface))];
  const turn = rate === undefined ? undefined : paceOf(rate);
  return limits.within(() => driveClients(interfaces, { target, knownModels, maxIdleMs, insecure, turn }));
}

/** The error of a run that lost its target. */
function lostTarget(url: string, lost: Lost): UserError {
  const { problem, inFlight, endedBy } = lost;
  if (endedBy)
    return new UserError(
      `${url} stops when it receives ${placeText(endedBy)}, also when that is sent alone: ${problem}`,
      `See its log, and repeat the request with --scenario ${endedBy.source.replace(/\.jsonl?$/, "")}. The results so far decide nothing.`,
    );
  const where = `(in flight: ${inFlight.map(placeText).join(", ")}${lost.survived ? "; it answers each of these when sent alone" : ""})`;
  return problem.startsWith(endlessAnswers)
    ? new UserError(
        `${url} is asked no more ${where}: ${problem}`,
        "Look why they do not end, or ask for less, for example with --lacks streaming. The results so far decide nothing.",
      )
    : new UserError(
        `${url} cannot be reached any more ${where}: ${problem}`,
        "Look why the target ended, and run again. The results so far decide nothing.",
      );
}

const placeText = ({ source, exchange }: ExchangePlace): string => `${source} #${exchange}`;
