/** Asks a gateway all that is planned: opens the upstream, has the gateway started, makes the trips and the document. Writes no file. */
import { setTimeout as sleep } from "node:timers/promises";
import { orderFor, senderSettings } from "../run/context.ts";
import { answeredModels } from "../run/plan/recording-coverage.ts";
import { recordingsToSend } from "../run/plan/send-order.ts";
import { type Target, targetNames } from "../run/plan/target.ts";
import type { PlannedRun } from "../run/plan-run.ts";
import { smokeTest } from "../run/reach/smoke-test.ts";
import { untilListening } from "../run/reach/wait.ts";
import { probedModels } from "../run/send/probes.ts";
import { runSender } from "../run/send/sender.ts";
import { termsOf } from "../run/terms.ts";
import { UserError } from "../user-error.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import { type DocumentTerms, gatewayDocument } from "./build-document.ts";
import { compareTrip } from "./compare.ts";
import type { GatewayDocument, GatewayFacts } from "./document.ts";
import { findLibrary, libraryNamed } from "./library/find.ts";
import { namedFacts } from "./named-facts.ts";
import type { PlannedGateway } from "./plan.ts";
import { type Lost, sendTrips } from "./send-trips.ts";
import { type Started, startGateway, withUpstream } from "./start.ts";
import type { Route, Trip } from "./trip.ts";
import { type GatewayUpstream, openUpstream } from "./upstream.ts";

export interface AskedGateway {
  readonly document: GatewayDocument;
  /** The gateway could not be reached any more; the document is incomplete. */
  readonly gone: UserError | undefined;
}

/** Milliseconds in which the end of a process is heard of. */
const aMoment = 500;

/** Milliseconds within which a stream has to be seen while it comes, and a disconnect has to reach the upstream. */
const patience = 5000;

/** Seconds that a gateway that was started gets until it listens. */
const startTime = 60;

/**
 * The document's part about a plan.
 * @param upstream the address at which the upstream listens
 * @param version the packages of a client library, with their versions
 */
function factsOf(plan: PlannedGateway, upstream: string, version?: string): GatewayFacts {
  const { planned, options, route, count } = plan;
  const { facts } = termsOf(planned);
  const library = options.client === undefined ? undefined : libraryNamed(options.client).library;
  const { level, readings, preset, bindings, models, headers, keys, unsetKeys } = facts.options;
  return {
    target: library
      ? { ...facts.target, kind: "url", name: `${library.name} ${version ?? ""}`.trim(), url: null }
      : facts.target,
    route,
    options: {
      level,
      readings,
      preset,
      bindings,
      models,
      headers,
      keys,
      ...(unsetKeys && { unsetKeys }),
      ways: {},
      gate: options.gate ?? null,
      keep: [...new Set(options.keep)].sort(),
      strict: options.strict ?? false,
      ...(library && { client: library.name }),
      lacks: planned.plan.lacks,
      upstream: upstream.replace(/^https?:\/\//, ""),
    },
    versions: facts.versions,
    documents: facts.documents,
    planned: count,
  };
}

/** Everything that judging the trips of a plan takes. */
export function documentTerms(
  { catalogue, judging }: Pick<PlannedRun, "catalogue" | "judging">,
  { route, options: { level, strict, client } }: Pick<GatewayFacts, "route" | "options">,
  target: Pick<Target, "bindings" | "models">,
): DocumentTerms {
  const names = targetNames(target);
  const library = client === undefined ? undefined : libraryNamed(client).library;
  return {
    catalogue,
    names,
    policy: judging.policy,
    level,
    judgesAnswers: library === undefined,
    facts: namedFacts(route),
    compare: (trip) => compareTrip(trip, route, { strict, catalogue, names, library }),
  };
}

/** A document of nothing, for a folder that a killed process leaves. */
export function unfinishedDocument(plan: PlannedGateway): GatewayDocument {
  const facts = factsOf(plan, plan.options.upstream ?? "");
  return gatewayDocument(facts, [], documentTerms(plan.planned, facts, plan.described), false);
}

/** Headers with the upstream's address where they have its stand-in, by which some gateways choose it. */
const headersWith = (headers: HeaderPairs, upstream: string): HeaderPairs =>
  headers.map(([name, value]) => [name, withUpstream(value, upstream)]);

/** A reason to print beside the fact that nothing arrived. */
const beside = ({ message, remedy }: UserError, { url }: GatewayUpstream): UserError =>
  new UserError(message, `${remedy} Nothing arrived at the upstream, which listens on ${url}.`);

/** The gateway was asked, and its upstream was not. */
function silentUpstream(
  url: string,
  { url: upstream }: GatewayUpstream,
  started: Started | undefined,
  client: string | undefined,
): UserError {
  if (client !== undefined)
    return new UserError(
      `${client} gave an error, and nothing arrived at the upstream: it listens on ${upstream}`,
      "See that its packages fit each other, and that --upstream is an address that it may call.",
    );
  const ended = started?.ended();
  if (ended !== undefined) return new UserError(`the gateway ${ended}`, "Look why it ended, and run again.");
  return new UserError(
    `${url} answered, and nothing arrived at the upstream: it listens on ${upstream}`,
    `Tell the gateway that its upstream is ${upstream}, perhaps followed by /v1 or /v1beta, by its settings, a --header or a --model.`,
  );
}

/** The other interface that everything that arrived spoke. */
function otherThan({ to }: Route, { spoken }: GatewayUpstream): UserError | undefined {
  const others = [...spoken];
  if (others.includes(to)) return undefined;
  const [other] = others.filter((one) => one !== undefined);
  return other === undefined
    ? new UserError(
        "what arrived at the upstream is no operation of any interface",
        `Tell the gateway an address that its paths of ${to} fit behind, for example with /v1 or without.`,
      )
    : new UserError(`the gateway calls its upstream as ${other}, not as ${to}`, `Give --to ${other}.`);
}

/**
 * Opens the upstream, has the gateway started where a command does that, sends all questions and makes the document.
 * @param onTrip told of every trip that was made, in any order
 * @throws UserError for a gateway that cannot be asked at all
 */
export async function askGateway(plan: PlannedGateway, onTrip: (trip: Trip) => void = () => {}): Promise<AskedGateway> {
  const { options, planned, route, described, questions, count } = plan;
  const { catalogue, target: file, judging, recordings, allProbes } = planned;
  const library = options.client === undefined ? undefined : await findLibrary(options.client, route);
  const upstream = await openUpstream(catalogue, options.upstream ?? "127.0.0.1:0");
  let url = file?.url ?? "";
  let version: string | undefined;
  let started: Started | undefined;
  async function begin(): Promise<Started> {
    if (!library) return startGateway(options.start!, upstream.url, url, options.wait ?? startTime);
    const one = await library.start(upstream.url, url === "" ? undefined : new URL(url).host);
    url = one.url;
    version = one.version;
    return one;
  }
  const deaths: Promise<string>[] = [];
  /** It is heard of the end of a process a moment after its connections broke. */
  async function restart(count: number): Promise<string | undefined> {
    if (deaths.length > count) return deaths[count];
    await Promise.race([started!.over, sleep(aMoment)]);
    if (deaths.length > count) return deaths[count];
    const how = started!.ended();
    if (how === undefined) return undefined;
    const again = begin().then((one) => {
      started = one;
      return how;
    });
    deaths.push(again);
    return again;
  }
  const settings = senderSettings(planned.options);
  const sender = runSender({ ...settings, retries: options.retries ?? 1 }, true);
  const plainSender = runSender({ ...settings, retries: 0 });
  try {
    if (library || options.start !== undefined) started = await begin();
    else if (options.wait) await untilListening(url, options.wait);
    const headers = headersWith(described.headers, upstream.url);
    const target: Target = { ...described, headers, url };
    const firsts = { ...orderFor(target, planned), recordings: recordingsToSend(planned).firsts };
    const { overrides } = await smokeTest(firsts, catalogue, sender).catch((error: unknown) => {
      throw error instanceof UserError && upstream.count === 0 ? beside(error, upstream) : error;
    });
    if (upstream.count === 0) throw silentUpstream(url, upstream, started, options.client);
    const wrong = otherThan(route, upstream);
    if (wrong) throw wrong;
    const facts = factsOf(plan, upstream.url, version);
    const told = { ways: overrides, headers: headersWith(facts.options.headers, upstream.url) };
    const known: GatewayFacts = { ...facts, options: { ...facts.options, ...told } };
    const trips: Trip[] = [];
    const unreached = await sendTrips(questions, {
      route,
      target: { ...target, overrides },
      knownModels: new Set([
        ...answeredModels(recordings, catalogue.interfaces),
        ...probedModels(allProbes, catalogue.interfaces),
      ]),
      interfaces: catalogue.interfaces,
      upstream,
      sender,
      plainSender,
      concurrency: options.concurrency ?? 8,
      patience,
      ...(started && {
        restarts: {
          get count() {
            return deaths.length;
          },
          after: restart,
        },
      }),
      onTrip(trip) {
        trips.push(trip);
        onTrip(trip);
        options.onProgress?.(trips.length, count);
      },
    });
    const lost = unreached ?? (await lostAtLast(url, trips));
    const terms = documentTerms({ catalogue, judging }, known, target);
    return {
      document: gatewayDocument(known, trips, terms, lost === undefined),
      gone: lost && leftUs(url, lost, started),
    };
  } finally {
    await Promise.all([sender.close(), plainSender.close()]);
    await started?.end();
    await upstream.close();
    library?.remove();
  }
}

/** A gateway that ended while the last requests were under way: none was left to find nothing there. */
async function lostAtLast(url: string, trips: readonly Trip[]): Promise<Lost | undefined> {
  const unanswered = trips.filter(({ client }) => client.response === null && client.aborted !== "client");
  if (unanswered.length === 0) return undefined;
  const isThere = await untilListening(url, 0).then(
    () => true,
    () => false,
  );
  return isThere ? undefined : { problem: "nothing listens there", inFlight: unanswered.map(({ id }) => id) };
}

function leftUs(url: string, { problem, inFlight }: Lost, started: Started | undefined): UserError {
  const how = started?.ended();
  return new UserError(
    `${url} cannot be reached any more (in flight: ${inFlight.slice(0, 3).join(", ")}): ${how === undefined ? problem : `the gateway ${how}`}`,
    "Look why the gateway ended, and run again; what was seen so far decides nothing.",
  );
}
