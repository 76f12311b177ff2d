/** Carries out the plan of a run: sends everything, and judges the answers. */

import type { Catalogue } from "../check/catalogue.ts";
import { byExchange, type ExchangePlace } from "../check/finding-order.ts";
import type { Judging } from "../interfaces/judging.ts";
import { UserError } from "../user-error.ts";
import type { Outcome } from "../verdict/results.ts";
import type { AskedAgain, ClientTrial, RunResults } from "../verdict/run-results.ts";
import type { Answers, SentRecord } from "../verdict/sent-record.ts";
import { defaultLimits } from "../wire/send.ts";
import { judgeCassette } from "./judge/judge-cassette.ts";
import { judgeProbes } from "./judge/judge-probes.ts";
import { actionsOf } from "./judge/model-behaviour.ts";
import type { RunOptions } from "./options.ts";
import { answeredModels } from "./plan/recording-coverage.ts";
import type { Selection } from "./plan/selection.ts";
import { isThere, questionsOf } from "./plan/send-order.ts";
import type { Target } from "./plan/target.ts";
import type { TargetFile } from "./plan/target-options.ts";
import { askFirstQuestions, type FirstLook } from "./reach/smoke-test.ts";
import { untilListening } from "./reach/wait.ts";
import { askAgain, type Failure, shrinkOf } from "./recheck/recheck.ts";
import { addressPlaces } from "./send/fetch-addresses.ts";
import { probedModels } from "./send/probes.ts";
import { paceOf } from "./send/retry.ts";
import { createStop, type Stop } from "./send/run-limits.ts";
import { endlessAnswers, type Manners, runSender } from "./send/sender.ts";
import type { RunOrder } from "./send/suite-messages.ts";
import { askAll } from "./send/suites.ts";
import type { Spending } from "./send/usage-meter.ts";
import { againOf } from "./settings.ts";

/** A run that was planned, and has sent nothing. */
export interface PlannedRun extends Selection {
  readonly options: RunOptions;
  /** Undefined where the embedded reference is to be asked. */
  readonly target: TargetFile | undefined;
  readonly judging: Judging;
  readonly catalogue: Catalogue;
}

export type OnAsked = (asked: SentRecord) => void;

/** Where `touchstone serve --listen 127.0.0.1:8080` listens: the port of a run is gone with it. */
export const servedAt = "http://127.0.0.1:8080";

/** Bytes of an answer to what a run asks: images as base64 take some ten million. */
const maxBody = 64 << 20;

/** How a target is asked. */
export function mannersOf(options: RunOptions): Manners {
  const patience = Math.round((options.timeout ?? 60) * 1000);
  return {
    ...defaultLimits,
    patience,
    longest: Math.max(60_000, 10 * patience),
    most: maxBody,
    insecure: options.insecure ?? false,
    retries: options.retries ?? 3,
    rate: options.rate,
  };
}

/** All that is planned, to be sent to a target. */
export function orderOf(planned: PlannedRun, target: Target, manners: Manners): RunOrder {
  const { options, judging, catalogue, plan, recordings, probes, allProbes } = planned;
  return {
    target,
    policy: judging.policy,
    documents: judging.documents,
    knownModels: answeredModels(recordings),
    recordings: questionsOf(planned).chosen,
    probes,
    probedModels: probedModels(allProbes),
    again: againOf(options),
    fetches: addressPlaces(plan, catalogue.interfaces),
    actions: actionsOf(catalogue.interfaces),
    manners,
  };
}

/** What asking a target came to. */
export interface AskedTarget {
  readonly outcomes: readonly Outcome[];
  readonly ways: FirstLook["ways"];
  readonly trials?: readonly ClientTrial[];
  readonly again?: readonly AskedAgain[];
  readonly gone: UserError | undefined;
  /** How the target was lost, where it was. */
  readonly lost?: NonNullable<RunResults["lost"]>;
}

/** What asking a target needs to know. */
export interface RunContext {
  readonly planned: PlannedRun;
  readonly described: Omit<Target, "url">;
  readonly onAsked: OnAsked;
  /** What failed, of what was asked so far. */
  readonly failuresOf: (asked: AskedTarget) => readonly Failure[];
  readonly spending: Spending | undefined;
}

/** Asks all that is planned, as long as no bound is reached, and judges it. */
export async function askTarget(context: RunContext): Promise<AskedTarget> {
  const stop = createStop(context.planned.options.maxTime);
  try {
    return await executePlan(context, stop);
  } finally {
    stop.close();
  }
}

async function executePlan(context: RunContext, stop: Stop): Promise<AskedTarget> {
  const { planned, described, onAsked, failuresOf, spending } = context;
  const { options, target: file, judging, catalogue } = planned;
  const reference = file ? undefined : await options.startReference?.(catalogue, judging.names);
  const url = file?.url ?? reference?.url;
  if (url === undefined) throw new UserError("no target is named", "Give its base URL, or the path of a target file.");
  const manners = mannersOf(options);
  const sender = runSender(manners, false, stop.signal);
  try {
    if (!reference && options.wait)
      await untilListening(url, Math.min(options.wait, options.maxTime ?? Number.POSITIVE_INFINITY));
    const target: Target = { ...described, url, ...(reference && { keys: {}, shownAs: servedAt }) };
    const { chosen, firsts } = questionsOf(planned);
    const order = orderOf(planned, target, manners);
    const look: FirstLook | undefined = reference
      ? { ways: {}, closed: [], outcomes: [] }
      : await stop.within(() => askFirstQuestions({ ...order, recordings: firsts }, catalogue, sender));
    const outcomes: Outcome[] = [];
    if (!look) return { outcomes, ways: {}, gone: stop.told(0, chosen.length + planned.probes.length) };
    const { ways, closed, outcomes: first } = look;
    function keep(outcome: Outcome): void {
      for (const one of outcome.asked) onAsked(one);
      spending?.add(outcome.asked);
      const why = spending?.reached();
      if (why !== undefined) stop.end(why);
      // Judged; whoever wants the bodies has them now.
      outcomes.push({ ...outcome, asked: [] });
    }
    for (const outcome of first) keep(outcome);
    const asked: RunOrder = {
      ...order,
      target: { ...target, ways },
      recordings: chosen.filter((one) => isThere(one, closed)),
      probes: planned.probes.filter(({ twin }) => !closed.includes(twin.interface)),
    };
    const cassettes = new Map(asked.recordings.map((recording) => [recording.source, recording]));
    const groups = new Map(asked.probes.map((group) => [group.source, group]));
    let done = 0;
    let problem: string | undefined;
    const inFlight: ExchangePlace[] = [];
    const all = cassettes.size + groups.size;
    const answered = (source: string, answers: Answers): void => {
      const recording = cassettes.get(source);
      problem ??= answers.gone;
      inFlight.push(...(answers.inFlight ?? []).map((exchange) => ({ source, exchange })));
      keep(
        recording
          ? judgeCassette(recording, answers, asked, catalogue)
          : judgeProbes(groups.get(source)!, answers, asked, catalogue),
      );
      done++;
      options.onProgress?.(done, all);
    };
    await askAll(asked, options.concurrency ?? 4, answered, stop.signal);
    if (problem !== undefined) {
      const lost = { problem, inFlight: inFlight.sort(byExchange) };
      return { outcomes, ways, gone: leftUs(url, lost), lost };
    }
    if (done < all) return { outcomes, ways, gone: stop.told(done, all) };
    const most = shrinkOf(options, file?.url);
    const failures = most > 0 ? failuresOf({ outcomes, ways, gone: undefined }) : [];
    const again =
      (await stop.within(() => askAgain(failures, asked, most, options.level ?? "error", catalogue, sender))) ?? [];
    // One shard has the clients, as one run would.
    const isTheirs = planned.shard === null || planned.shard.index === 1;
    if (!options.clients || !isTheirs) return { outcomes, ways, again, gone: undefined };
    const { driveClients } = await import("./clients/drive.ts");
    const interfaces = [...new Set(asked.recordings.map((recording) => recording.interface))];
    const { knownModels } = asked;
    const { patience, insecure, rate } = manners;
    const turn = rate === undefined ? undefined : paceOf(rate);
    const using = { target: asked.target, knownModels, patience, insecure, turn };
    const trials = await stop.within(() => driveClients(interfaces, using));
    if (!trials) return { outcomes, ways, gone: stop.told(done, all) };
    return { outcomes, ways, trials, again, gone: undefined };
  } finally {
    await sender.close();
    await reference?.close();
  }
}

function leftUs(url: string, { problem, inFlight }: NonNullable<RunResults["lost"]>): UserError {
  const where = `(in flight: ${inFlight.map(placeText).join(", ")})`;
  return problem.startsWith(endlessAnswers)
    ? new UserError(
        `${url} is asked no more ${where}: ${problem}`,
        "Look why they do not end, or ask for less, for example with --lacks streaming; what was judged so far decides nothing.",
      )
    : new UserError(
        `${url} cannot be reached any more ${where}: ${problem}`,
        "Look why the target ended, and run again; what was judged so far decides nothing.",
      );
}

const placeText = ({ source, exchange }: ExchangePlace): string => `${source} #${exchange}`;
