/** Sends the requests of one cassette to the target and keeps every exchange. `judge-cassette.ts` judges them. */

import { setTimeout } from "node:timers/promises";
import type { Policy } from "../../check/clause.ts";
import { byExchange, type ExchangePlace } from "../../check/finding-order.ts";
import type { ModelAction } from "../../check/interface-signs.ts";
import type { HeadJudge } from "../../check/judge-heads.ts";
import type { Answers, Part, SentRecord, Unsent } from "../../verdict/sent-record.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import type { Sender, Sent } from "../../wire/send.ts";
import { type Actions, missingActions, worthAnotherTry } from "../judge/model-behaviour.ts";
import { jsonOf } from "../judge/request-failure.ts";
import { interfaceAt, type Recording } from "../plan/recordings.ts";
import { type Target, targetNames } from "../plan/target.ts";
import { takeOver } from "./captures.ts";
import { curlOf } from "./curl.ts";
import { type AddressPlaces, fetchBeginning, fetchesFor, type Reply } from "./fetch-addresses.ts";
import { retarget } from "./retarget.ts";
import { secretsOf, withoutSecrets } from "./secrets.ts";
import { isTooSoon, soon, wavesOf } from "./send-schedule.ts";

/** The settings that all cassettes of a run share. */
export interface SendContext {
  readonly target: Target;
  readonly policy: Policy;
  /** Model ids that recordings were answered for. */
  readonly knownModels: ReadonlySet<string>;
  /** How often a request is sent again if its answer does not show what it was asked for, by the model or by its time; never by default. */
  readonly again?: number;
  /** Whether addresses that replies hand out are fetched, as far as they are the target's own; never by default. */
  readonly fetches?: AddressPlaces;
  /** What replies tell of their models; without it, no model is expected to do anything. */
  readonly actions?: Actions;
  /** Judges heads by documents of users before they are masked. A function: whoever sends creates it. */
  readonly heads?: HeadJudge | undefined;
  /** Lets milliseconds pass. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** A record of what passed, without the target's credentials, as judging and evidence read it. */
export function recordOf(
  { exchange: passed, failure, tries }: Sent,
  about: ExchangePlace & { readonly interface: string; readonly part: Part },
  { origin, request }: { readonly origin: string; readonly request: WireRequest },
  { target, heads }: Pick<SendContext, "target" | "heads">,
  bindings: Recording["bindings"] = {},
): SentRecord {
  const curl = curlOf(target.shownAs ?? origin, request, secretsOf(target));
  return {
    ...about,
    passed: withoutSecrets(passed, target, targetNames(target, bindings), heads),
    ...(failure && { failure: failure.problem }),
    ...(failure?.kind === "unsendable" && { unsendable: true }),
    ...(tries !== undefined && { tries }),
    ...(curl !== undefined && { curl }),
  };
}

/** Sends one cassette. */
export async function sendCassette(
  recording: Recording,
  { target, knownModels, heads, again = 0, fetches = {}, actions = {}, wait = setTimeout }: Omit<SendContext, "policy">,
  sender: Sender,
): Promise<Answers> {
  const { source, bindings, violates } = recording;
  const negative = violates.length > 0;
  const records: SentRecord[] = [];
  const unsent: Unsent[] = [];
  const replies: unknown[] = [];
  const handedOut: Reply[] = [];
  /** The action that the last request was to show, and the model did not do. */
  let undone: ModelAction | undefined;

  /** Sends one request, and again where the model did not play along; why the target could not be reached, where it could not. */
  async function ask(exchange: number): Promise<string | undefined> {
    const { exchange: was, bind } = recording.exchanges[exchange]!;
    const bound = takeOver(was.request, bind ?? [], replies);
    if (!bound.ok) {
      unsent.push({ exchange, why: undone ? `the model did not ${undone}` : `${bound.needs} (${source})` });
      return undefined;
    }
    const of = interfaceAt(recording, exchange);
    const made = retarget(bound.request, { interface: of, bindings, negative }, target, knownModels);
    for (let left = negative ? 0 : again; ; left--) {
      const sent = await sender.send(made.origin, made.request);
      const { response } = sent.exchange;
      if (sent.failure?.kind === "unreachable") return sent.failure.problem;
      replies[exchange] = response && jsonOf(response);
      if (response && response.status < 300)
        handedOut.push({ interface: of, origin: made.origin, json: replies[exchange] });
      records.push(
        recordOf(sent, { source, exchange, interface: of, part: "scenario" }, made, { target, heads }, bindings),
      );
      [undone] = sent.failure || negative ? [] : missingActions(response, was.response, actions[of]);
      if (left <= 0 || !worthAnotherTry(undone)) return undefined;
    }
  }

  const inFlight: number[] = [];
  async function askWave(exchanges: readonly number[], pause: number): Promise<string | undefined> {
    if (pause > 0) await wait(pause);
    const problems = await Promise.all(exchanges.map(ask));
    records.sort(byExchange);
    inFlight.push(...exchanges.filter((_, i) => problems[i] !== undefined));
    return problems.find((problem) => problem !== undefined);
  }

  for (const { exchanges, pause } of wavesOf(recording)) {
    // A run that may not send again waits for the whole pause at once.
    const shorter = again > 0 ? Math.min(pause, soon) : pause;
    let unreachable = await askWave(exchanges, shorter);
    const passed = records.map((one) => one.passed);
    const created = actions[recording.interface]?.created;
    if (unreachable === undefined && shorter < pause && created !== undefined && isTooSoon(passed, pause, created))
      unreachable = await askWave(exchanges, pause);
    if (unreachable !== undefined) return { sent: records, unsent, unreachable, inFlight };
  }
  for (const [i, fetch] of (negative ? [] : fetchesFor(handedOut, fetches)).entries()) {
    const about = { source, exchange: recording.exchanges.length + i, interface: fetch.interface };
    const sent = await fetchBeginning(fetch, sender);
    records.push(recordOf(sent, { ...about, part: "address" }, fetch, { target, heads }, bindings));
  }
  return { sent: records, unsent };
}
