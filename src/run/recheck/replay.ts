/** Asks and judges a run again, the exchanges that were kept in place of its target: what its results should say. */

import type { Catalogue } from "../../check/catalogue.ts";
import type { ExchangePlace } from "../../check/finding-order.ts";
import type { Judging } from "../../interfaces/judging.ts";
import { UserError } from "../../user-error.ts";
import type { Outcome } from "../../verdict/results.ts";
import type { EndpointOverride } from "../../verdict/run-results.ts";
import type { Answers, Part, SentRecord } from "../../verdict/sent-record.ts";
import type { Sender } from "../../wire/send.ts";
import { judgeCassette } from "../judge/judge-cassette.ts";
import { judgeProbes } from "../judge/judge-probes.ts";
import { actionsOf } from "../judge/model-behaviour.ts";
import { answeredModels } from "../plan/recording-coverage.ts";
import type { Selection } from "../plan/selection.ts";
import { isThere, recordingsToSend } from "../plan/send-order.ts";
import { type Target, targetNames } from "../plan/target.ts";
import { judgeSmokeTest, smokeTest } from "../reach/smoke-test.ts";
import { addressPlaces } from "../send/fetch-addresses.ts";
import { probedModels } from "../send/probes.ts";
import { withoutSecrets } from "../send/secrets.ts";
import { sendCassette } from "../send/send-cassette.ts";
import { sendProbeGroup } from "../send/send-probes.ts";
import { differenceFrom } from "./same-request.ts";

/** Something about the exchanges that cannot have been so in a run. */
export interface Mismatch extends ExchangePlace {
  readonly what: string;
}

export interface Replayed {
  readonly outcomes: readonly Outcome[];
  readonly mismatches: readonly Mismatch[];
  readonly overrides: Readonly<Record<string, EndpointOverride>>;
}

/** Kept exchanges that answer the requests they belong to, each once, whatever order these come in. */
function replayingSender(kept: readonly SentRecord[], target: Target) {
  const names = targetNames(target);
  const left = [...kept];
  let missed: { readonly next: SentRecord | undefined; readonly what: string } | undefined;
  const sender: Sender = {
    async send(origin, request) {
      const wanted = withoutSecrets({ origin, request, response: null }, target, names);
      const differences = left.map(({ passed }) => differenceFrom(wanted, passed));
      const at = differences.indexOf(undefined);
      if (at < 0) {
        missed ??= { next: left[0], what: differences[0] ?? "there is no such exchange" };
        return { exchange: wanted, failure: { kind: "unreachable", problem: missed.what } };
      }
      const [{ passed, failure, unsendable, tries }] = left.splice(at, 1) as [SentRecord];
      const kind = unsendable ? "unsendable" : "unanswered";
      return {
        exchange: passed,
        ...(failure !== undefined && { failure: { kind, problem: failure } }),
        ...(tries !== undefined && { tries }),
      };
    },
    close: async () => {},
  };
  return { sender, left, missed: () => missed };
}

/**
 * @param again how often the run asked again where a model did not play along
 * @param kept the exchanges of one run, or of one shard of it, by source and position
 */
export async function replay(
  selection: Selection,
  again: number,
  kept: readonly SentRecord[],
  target: Target,
  judging: Judging,
  catalogue: Catalogue,
): Promise<Replayed> {
  const { policy } = judging;
  const outcomes: Outcome[] = [];
  const mismatches: Mismatch[] = [];
  const bySource = new Map<string, SentRecord[]>();
  for (const one of kept) {
    const known = bySource.get(one.source);
    if (known) known.push(one);
    else bySource.set(one.source, [one]);
  }

  /** Gives the kept answers of a source, as sending gives them. An exchange that is missing, in another place or too much becomes a mismatch. */
  async function answersTo(
    source: string,
    parts: readonly Part[],
    ask: (sender: Sender) => Promise<Answers>,
  ): Promise<Answers> {
    const own = bySource.get(source) ?? [];
    bySource.delete(source);
    const { sender, left, missed } = replayingSender(own, target);
    const { unreachable, sent, unsent } = await ask(sender);
    const tell = (exchange: number, what: string): void => void mismatches.push({ source, exchange, what });
    if (unreachable === undefined && missed())
      tell(missed()!.next?.exchange ?? 0, `an address was not asked: ${missed()!.what}`);
    if (unreachable !== undefined) {
      const place =
        Math.max(-1, ...sent.map(({ exchange }) => exchange), ...unsent.map(({ exchange }) => exchange)) + 1;
      const { next, what } = missed()!;
      tell(place, next?.exchange === place ? `it is no answer to the request of the plan: ${what}` : "it is missing");
    }
    const used = own.filter((one) => !left.includes(one));
    for (const [i, one] of used.entries())
      if (one.exchange !== sent[i]?.exchange || !parts.includes(one.part))
        tell(one.exchange, "it stands in the place of another");
    // Behind one that is missing, nobody knows what was to come.
    for (const { exchange } of unreachable === undefined ? left : [])
      tell(exchange, "it belongs to no request of the plan, or is there twice");
    // As they were kept: taking credentials out once more adds nothing.
    return { sent: sent.map((one, i) => ({ ...one, passed: used[i]?.passed ?? one.passed })), unsent };
  }

  const { chosen, firsts } = recordingsToSend(selection);
  const knownModels = answeredModels(selection.recordings, catalogue.interfaces);
  const asking = { target, policy, knownModels, again, wait: async () => {} };
  let overrides: Replayed["overrides"] = {};
  let closed: readonly string[] = [];
  if (target.shownAs === undefined) {
    const first = kept.filter(({ part }) => part === "smoke test");
    const { sender, left, missed } = replayingSender(first, { ...target, overrides: {} });
    try {
      const order = { ...asking, target: { ...target, ways: {} }, recordings: firsts };
      ({ overrides, closed } = await smokeTest(order, catalogue, sender));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { source = "smoke-test", exchange = 0 } = missed()?.next ?? {};
      mismatches.push({
        source,
        exchange,
        what: `the first questions were not answered so: ${missed()?.what ?? error.message}`,
      });
    }
    for (const { source, exchange } of left)
      mismatches.push({ source, exchange, what: "it is no first question of the run, or is there twice" });
    for (const source of new Set(first.map((one) => one.source))) {
      outcomes.push(judgeSmokeTest(bySource.get(source)!, asking, catalogue));
      bySource.delete(source);
    }
  }
  const there = { ...asking, target: { ...target, ways: overrides } };
  const actions = actionsOf(catalogue.interfaces);
  const fetches = addressPlaces(selection.plan, catalogue.interfaces);
  for (const recording of chosen.filter((one) => isThere(one, closed))) {
    const answers = await answersTo(recording.source, ["scenario", "address"], (sender) =>
      sendCassette(recording, { ...there, fetches, actions }, sender),
    );
    outcomes.push(judgeCassette(recording, answers, asking, catalogue));
  }
  const probing = { ...there, knownModels: probedModels(selection.allProbes, catalogue.interfaces) };
  for (const group of selection.probes.filter(({ twin }) => !closed.includes(twin.interface))) {
    const answers = await answersTo(group.source, ["twin", "probe"], (sender) =>
      sendProbeGroup(group, probing, catalogue, sender),
    );
    outcomes.push(judgeProbes(group, answers, asking, catalogue));
  }
  for (const { source, exchange } of [...bySource.values()].flat())
    mismatches.push({ source, exchange, what: "the plan has no such source" });
  return { outcomes, mismatches, overrides };
}
