/** Resends the requests that were in flight when the target stopped, one at a time, to find the one that stops it. */
import type { Catalogue } from "../../check/catalogue.ts";
import type { ExchangePlace } from "../../check/finding-order.ts";
import { UserError } from "../../user-error.ts";
import type { RunResults } from "../../verdict/run-results.ts";
import type { Sender } from "../../wire/send.ts";
import { untilListening } from "../reach/wait.ts";
import { sendCassette } from "../send/send-cassette.ts";
import { sendProbeGroup } from "../send/send-probes.ts";
import type { RunOrder } from "../send/suite-messages.ts";

type Lost = NonNullable<RunResults["lost"]>;

/** Seconds that a supervised server usually needs to restart. */
const restartSeconds = 5;

/** Maximum number of requests to resend. */
const maxSuspects = 20;

export interface Suspects {
  /** Requests whose connections were reset before the target was lost. They are not in `inFlight`. */
  readonly reset: readonly ExchangePlace[];
  readonly order: RunOrder;
  readonly catalogue: Catalogue;
  /** A sender without retries. */
  readonly sender: Sender;
  /** Seconds to wait for the target, if longer than a restart usually takes. */
  readonly wait: number | undefined;
  /** Stops the search. */
  readonly signal: AbortSignal;
}

/**
 * Waits until the target listens again and sends each request alone, after the earlier requests of its recording. Only a
 * request that stops the target twice is named.
 * @returns `lost` with `endedBy` (the request), or with `survived` if no request stops the target alone; unchanged if the
 *   target did not restart
 */
export async function findKiller(lost: Lost, suspects: Suspects): Promise<Lost> {
  const isBack = () =>
    listensWithin(suspects.order.target.url, Math.max(suspects.wait ?? 0, restartSeconds), suspects.signal);
  for (const place of [...suspects.reset, ...lost.inFlight].slice(0, maxSuspects)) {
    let ended = 0;
    while (ended < 2) {
      if (!(await isBack())) return ended > 0 ? { ...lost, endedBy: place } : lost;
      if (!(await endsTarget(place, suspects))) break;
      ended++;
    }
    if (ended === 2) return { ...lost, endedBy: place };
  }
  return (await isBack()) ? { ...lost, survived: true } : lost;
}

async function listensWithin(url: string, seconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await untilListening(url, seconds, signal);
    return !signal.aborted;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

/** Sends one request alone. @returns whether the connection was lost */
async function endsTarget(
  { source, exchange }: ExchangePlace,
  { order, catalogue, sender }: Suspects,
): Promise<boolean> {
  const recording = order.recordings.find((one) => one.source === source);
  const group = order.probes.find((one) => one.source === source);
  let isLost = false;
  const watching: Sender = {
    async send(...request) {
      const sent = await sender.send(...request);
      isLost ||= sent.failure?.kind === "reset" || sent.failure?.kind === "unreachable";
      return sent;
    },
    close: () => sender.close(),
  };
  if (recording) {
    const upToIt = { ...recording, exchanges: recording.exchanges.slice(0, exchange + 1) };
    await sendCassette(upToIt, { ...order, again: 0, fetches: {} }, watching);
  } else if (group) {
    const alone = { ...group, probes: exchange === 0 ? [] : [group.probes[exchange - 1]!] };
    await sendProbeGroup(alone, { ...order, again: 0, knownModels: order.probedModels }, catalogue, watching);
  }
  return isLost;
}
