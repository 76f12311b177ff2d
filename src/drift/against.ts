/** Sends the requests of a recording to a target, as `run` does, to compare its responses with the recorded ones. */

import { openSource } from "../cassette/read.ts";
import { listSources } from "../cassette/sources.ts";
import type { Catalogue } from "../check/catalogue.ts";
import type { KeyPlace } from "../check/interface.ts";
import { namesFrom } from "../check/names.ts";
import { routeOfExchange } from "../check/route.ts";
import type { Judging } from "../interfaces/judging.ts";
import { redact } from "../redact/redact.ts";
import { senderSettings } from "../run/context.ts";
import { actionsOf } from "../run/judge/model-behaviour.ts";
import type { RunOptions } from "../run/options.ts";
import { answeredModels } from "../run/plan/recording-coverage.ts";
import type { Recording as Scenario } from "../run/plan/recordings.ts";
import { placesOf, type Target, targetNames } from "../run/plan/target.ts";
import { headersFrom, keysFrom, modelsFrom, type TargetFile } from "../run/plan/target-options.ts";
import { untilListening } from "../run/reach/wait.ts";
import { mayHoldKey } from "../run/send/retarget.ts";
import { sendCassette } from "../run/send/send-cassette.ts";
import { runSender } from "../run/send/sender.ts";
import { createSlots } from "../run/send/slots.ts";
import { UserError } from "../user-error.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Entry } from "./compare-recordings.ts";
import type { Unsent } from "./document.ts";
import { exchangesOf } from "./recordings.ts";

/** Options of `run` that also apply here. */
export type SendOptions = Pick<
  RunOptions,
  | "key"
  | "header"
  | "model"
  | "interface"
  | "concurrency"
  | "rate"
  | "retries"
  | "timeout"
  | "wait"
  | "insecure"
  | "maxRequests"
  | "onProgress"
>;

/** The exchanges that were sent: `before` with the recorded responses, `after` with those of the target. */
export interface SentAgainst {
  readonly before: readonly Entry[];
  readonly after: readonly Entry[];
  readonly unsent: readonly Unsent[];
}

/** A scenario, and the positions of its exchanges in the source. */
interface Sendable {
  readonly scenario: Scenario;
  readonly positions: readonly number[];
}

/** Whether the recorded response is a 401 or 403 that may depend on a redacted credential. */
function lostItsKey({ request, response }: Exchange, key: KeyPlace | undefined): boolean {
  if (response?.status !== 401 && response?.status !== 403) return false;
  return (request.redacted ?? []).some((place) => mayHoldKey(place, key));
}

/**
 * Splits the exchanges of a source into scenarios that can be sent independently. Returns a single scenario if an exchange uses
 * values from earlier responses.
 * @param unsent receives the exchanges that cannot be sent, each with the reason
 */
async function sendablesOf(
  source: string,
  catalogue: Catalogue,
  interfaces: readonly string[] | undefined,
  unsent: Unsent[],
): Promise<Sendable[]> {
  const opened = await openSource(source);
  const bindings = opened.header.bindings ?? {};
  const names = namesFrom(bindings);
  const keepHeaders = names.ownHeaders.map(({ own }) => own);
  const kept: { readonly of: string; readonly position: number; readonly recorded: Scenario["exchanges"][number] }[] =
    [];
  const placeOf = new Map<number, number>();
  for await (const { index, ...recorded } of opened) {
    const route = routeOfExchange(catalogue.interfaces, recorded.exchange);
    const of = route?.interface.name;
    if (of === undefined || (interfaces !== undefined && !interfaces.includes(of))) continue;
    // Recorded keys must not be sent to another server.
    const exchange = redact(recorded.exchange, { keepHeaders });
    const { cut, body } = exchange.request;
    if (lostItsKey(exchange, route?.interface.key) || cut) {
      const why = cut
        ? `${body.length + cut} bytes were asked with, ${body.length} recorded`
        : "its credential was taken out";
      unsent.push({ source, exchange: index, why });
      continue;
    }
    placeOf.set(index, kept.length);
    kept.push({ of, position: index, recorded: { ...recorded, exchange } });
  }
  const isBound = kept.some(({ recorded }) => recorded.bind?.length);
  const groups = isBound ? [kept] : kept.map((one) => [one]);
  return groups
    .filter((group) => group.length > 0)
    .map((group) => ({
      positions: group.map(({ position }) => position),
      scenario: {
        source,
        interface: group[0]!.of,
        section: "",
        spans: group.map(({ of }) => of),
        needs: [],
        violates: opened.header.violates ?? [],
        bindings,
        exchanges: group.map(({ recorded: { bind, ...recorded } }) => ({
          ...recorded,
          ...(bind && {
            bind: bind.map((one) => ({
              ...one,
              from: { ...one.from, exchange: placeOf.get(one.from.exchange) ?? Number.POSITIVE_INFINITY },
            })),
          }),
        })),
      },
    }));
}

/**
 * Sends the recorded requests and returns both sides. Throws UserError if no request can be sent, or if the target is unreachable
 * or sends no complete response.
 */
export async function askAgainst(
  path: string,
  file: TargetFile,
  catalogue: Catalogue,
  judging: Judging,
  options: SendOptions,
): Promise<SentAgainst> {
  const interfaces = catalogue.interfaces.map(({ name }) => name);
  const target: Target = {
    url: file.url,
    ...keysFrom(options.key ?? [], file.keys, interfaces, process.env),
    bindings: judging.bindings,
    models: modelsFrom(options.model ?? [], file.models),
    headers: headersFrom(options.header ?? [], file.headers),
    lacks: [],
    places: placesOf(catalogue.interfaces),
  };
  const unsent: Unsent[] = [];
  const all: Sendable[] = [];
  for (const source of await listSources([exchangesOf(path)]))
    all.push(...(await sendablesOf(source, catalogue, options.interface, unsent)));
  const maxRequests = options.maxRequests ?? Number.POSITIVE_INFINITY;
  const sendables: Sendable[] = [];
  let requests = 0;
  for (const one of all) {
    requests += one.positions.length;
    if (requests <= maxRequests) sendables.push(one);
    else
      for (const exchange of one.positions)
        unsent.push({ source: one.scenario.source, exchange, why: `no more than ${maxRequests} requests are sent` });
  }
  if (sendables.length === 0)
    throw new UserError(
      `${path}: nothing of it can be sent: no exchange is of a documented operation`,
      "Give a recording of the interfaces that touchstone knows; --interface and --max-requests shape what is sent.",
    );
  if (options.wait) await untilListening(file.url, options.wait);
  const knownModels = answeredModels(
    sendables.map(({ scenario }) => scenario),
    catalogue.interfaces,
  );
  const sender = runSender(senderSettings(options));
  const slots = createSlots(options.concurrency ?? 4);
  const [before, after]: [Entry[], Entry[]] = [[], []];
  let gone: string | undefined;
  let failure: string | undefined;
  let hasWhole = false;
  let done = 0;
  const actions = actionsOf(catalogue.interfaces);
  const askOne = async ({ scenario, positions }: Sendable): Promise<void> => {
    if (gone !== undefined) return;
    const { source, exchanges, bindings } = scenario;
    const answers = await sendCassette(scenario, { target, knownModels, actions }, sender);
    gone ??= answers.unreachable;
    for (const { exchange, why } of answers.unsent) unsent.push({ source, exchange: positions[exchange]!, why });
    const [recordedNames, names] = [namesFrom(bindings, ...judging.bindings), targetNames(target, bindings)];
    for (const { exchange, passed, failure: why } of answers.sent) {
      if (why === undefined) hasWhole = true;
      else failure ??= why;
      const at = { source, position: positions[exchange]!, asks: `${source} ${positions[exchange]}` };
      before.push({ ...at, exchange: exchanges[exchange]!.exchange, names: recordedNames });
      after.push({ ...at, exchange: passed, names });
    }
    options.onProgress?.(++done, sendables.length);
  };
  try {
    await Promise.all(sendables.map((one) => slots.within(() => askOne(one))));
  } finally {
    await sender.close();
  }
  if (gone !== undefined)
    throw new UserError(`${file.url} cannot be reached: ${gone}`, "Look whether it listens there, and compare again.");
  if (failure !== undefined && !hasWhole)
    throw new UserError(
      `${file.url} sent no whole response: ${failure}`,
      "Look why, and compare again; --timeout SECONDS waits longer.",
    );
  const byPlace = (a: Entry, b: Entry): number =>
    a.source < b.source ? -1 : a.source > b.source ? 1 : a.position - b.position;
  const inOrder = (a: Unsent, b: Unsent): number =>
    a.source < b.source ? -1 : a.source > b.source ? 1 : a.exchange - b.exchange;
  before.sort(byPlace);
  after.sort(byPlace);
  return {
    before,
    after,
    unsent: unsent.sort(inOrder),
  };
}
