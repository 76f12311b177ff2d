/** The state that the phases of a run share: the plan, the order for its target, how requests are sent, and when the run ends. */
import { UserError } from "../user-error.ts";
import type { Outcome } from "../verdict/results.ts";
import type { SentRecord } from "../verdict/sent-record.ts";
import { defaultLimits, type Sender } from "../wire/send.ts";
import { actionsOf } from "./judge/model-behaviour.ts";
import type { RunOptions } from "./options.ts";
import { answeredModels } from "./plan/recording-coverage.ts";
import { recordingsToSend } from "./plan/send-order.ts";
import type { Target } from "./plan/target.ts";
import type { PlannedRun } from "./plan-run.ts";
import { addressPlaces } from "./send/fetch-addresses.ts";
import { probedModels } from "./send/probes.ts";
import { createRunLimits, type RunLimits } from "./send/run-limits.ts";
import { runSender, type SenderSettings } from "./send/sender.ts";
import type { RunOrder } from "./send/suite-messages.ts";
import type { UsageMeter } from "./send/usage-meter.ts";
import { againOf } from "./settings.ts";

export interface RunContext {
  readonly planned: PlannedRun;
  /** All that is planned, for this target. */
  readonly order: RunOrder;
  /** Whether the target is the embedded reference, started for this run. */
  readonly isReference: boolean;
  readonly sender: Sender;
  readonly limits: RunLimits;
  /** The outcome of each source so far. Its records are empty: `onSent` was handed them. */
  readonly outcomes: readonly Outcome[];
  /** Keeps an outcome, and ends the run where its answers used up a budget. */
  keep(outcome: Outcome): void;
}

/** The surroundings of a run. */
export interface RunInputs {
  /** The target but for its address. */
  readonly described: Omit<Target, "url">;
  /** Handed every request that was sent, with its answer, in any order. */
  readonly onSent: (record: SentRecord) => void;
  /** Absent where nobody gave a budget or prices. */
  readonly usage: UsageMeter | undefined;
}

/** The port of a run is gone with it, so commands name where `touchstone serve --listen 127.0.0.1:8080` listens. */
export const servedAt = "http://127.0.0.1:8080";

/** Bytes of an answer to what a run asks: images as base64 take some ten million. */
const maxBodyBytes = 64 << 20;

/** How requests are sent to a target. */
export function senderSettings(options: RunOptions): SenderSettings {
  const maxIdleMs = Math.round((options.timeout ?? 60) * 1000);
  return {
    ...defaultLimits,
    maxIdleMs,
    maxTimeMs: Math.max(60_000, 10 * maxIdleMs),
    maxBodyBytes,
    insecure: options.insecure ?? false,
    retries: options.retries ?? 3,
    rate: options.rate,
  };
}

/** All that is planned, to be sent to a target. */
export function orderFor(target: Target, planned: PlannedRun): RunOrder {
  const { options, judging, catalogue, runsCode, plan, recordings, probes, allProbes } = planned;
  return {
    target,
    policy: judging.policy,
    documents: judging.documents,
    runsCode,
    knownModels: answeredModels(recordings, catalogue.interfaces),
    recordings: recordingsToSend(planned).chosen,
    probes,
    probedModels: probedModels(allProbes, catalogue.interfaces),
    again: againOf(options),
    fetches: addressPlaces(plan, catalogue.interfaces),
    actions: actionsOf(catalogue.interfaces),
    settings: senderSettings(options),
  };
}

/**
 * Opens what a run needs, works with it, and closes it: the sender, the limits, and the embedded reference where no target is named.
 * @throws UserError where there is no target at all
 */
export async function withContext<T>(
  planned: PlannedRun,
  { described, onSent, usage }: RunInputs,
  work: (context: RunContext) => Promise<T>,
): Promise<T> {
  const { options, target: file, judging, catalogue } = planned;
  const limits = createRunLimits(options.maxTime);
  const outcomes: Outcome[] = [];
  try {
    const reference = file ? undefined : await options.startReference?.(catalogue, judging.names);
    const url = file?.url ?? reference?.url;
    if (url === undefined)
      throw new UserError("no target is named", "Give its base URL, or the path of a target file.");
    const sender = runSender(senderSettings(options), false, limits.signal);
    try {
      const target: Target = { ...described, url, ...(reference && { keys: {}, shownAs: servedAt }) };
      return await work({
        planned,
        order: orderFor(target, planned),
        isReference: reference !== undefined,
        sender,
        limits,
        outcomes,
        keep(outcome) {
          for (const record of outcome.sent) onSent(record);
          usage?.add(outcome.sent);
          const why = usage?.reached();
          if (why !== undefined) limits.stop(why);
          // Judged; whoever wants the bodies has them now.
          outcomes.push({ ...outcome, sent: [] });
        },
      });
    } finally {
      await sender.close();
      await reference?.close();
    }
  } finally {
    limits.close();
  }
}
