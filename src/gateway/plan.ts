/** Plans what a gateway is asked: reads the target, checks the route, chooses the questions. Sends nothing. */
import { excerpt } from "../check/excerpt.ts";
import { type Interface, interfaceNamed } from "../check/interface.ts";
import { didYouMean } from "../check/suggest.ts";
import type { RunOptions } from "../run/options.ts";
import type { Selection } from "../run/plan/selection.ts";
import type { Target } from "../run/plan/target.ts";
import { type PlannedRun, planRun } from "../run/plan-run.ts";
import { groupSource } from "../run/send/probes.ts";
import { termsOf } from "../run/terms.ts";
import { UserError } from "../user-error.ts";
import { libraryNamed } from "./library/find.ts";
import { namedFacts } from "./named-facts.ts";
import { type AskedTarget, type Question, type Questions, questionsFor } from "./questions.ts";
import type { Route } from "./trip.ts";

export interface GatewayOptions
  extends Pick<
    RunOptions,
    | "documents"
    | "allowCode"
    | "onNote"
    | "preset"
    | "bind"
    | "reading"
    | "name"
    | "lacks"
    | "header"
    | "model"
    | "key"
    | "concurrency"
    | "retries"
    | "rate"
    | "wait"
    | "insecure"
    | "timeout"
    | "level"
    | "onProgress"
  > {
  /** The interface that clients speak to the gateway. */
  readonly from?: string | undefined;
  /** The interface that the gateway speaks to its upstream. */
  readonly to?: string | undefined;
  /** A client library that is asked in the place of a gateway: `NAME` or `NAME@VERSION`. */
  readonly client?: string | undefined;
  /** The address at which the upstream listens: `HOST:PORT`. A free port where the gateway is started by `start`. */
  readonly upstream?: string | undefined;
  /**
   * Starts the gateway once the upstream listens; `{upstream}` stands for its address. That of a target file needs `allowCode`.
   */
  readonly start?: string | undefined;
  /** Whether lost facts are errors. */
  readonly gate?: "fidelity" | undefined;
  /** Facts whose loss is an error. */
  readonly keep?: readonly string[] | undefined;
  /** Whether fair conversions count as changes. */
  readonly strict?: boolean | undefined;
}

/** The questions for a gateway. */
export interface PlannedGateway {
  readonly options: GatewayOptions;
  readonly route: Route;
  readonly planned: PlannedRun;
  readonly described: Omit<Target, "url">;
  readonly questions: Questions;
  /** The number of trips. */
  readonly count: number;
}

function known(option: string, value: string | undefined, what: string, names: readonly string[]): string {
  if (value === undefined)
    throw new UserError(`--${option} names no ${what}`, `Name one of ${names.join(", ")}: --${option} ${names[0]}`);
  if (names.includes(value)) return value;
  throw new UserError(
    `--${option} ${value}: there is no such ${what}`,
    `${didYouMean(value, names)}There are: ${names.join(", ")}.`,
  );
}

/** Whether questions of an interface can be asked as streams, so that it can be translated into another one that can. */
const isText = ({ operations }: Interface): boolean => operations.some(({ schemas }) => schemas.event !== undefined);

/** The route that options name; UserError for interfaces that nobody knows, and for those between which nothing translates. */
function routeFrom({ from, to }: GatewayOptions, interfaces: readonly Interface[]): Route {
  const names = interfaces.filter(({ forms }) => forms).map(({ name }) => name);
  const route = { from: known("from", from, "interface", names), to: known("to", to, "interface", names) };
  const [one, other] = [route.from, route.to].map((name) => interfaceNamed(interfaces, name)!) as [
    Interface,
    Interface,
  ];
  if (one !== other && !(isText(one) && isText(other)))
    throw new UserError(
      `--from ${route.from} --to ${route.to}: no gateway translates between these`,
      `${isText(one) ? route.to : route.from} is passed on as it is: give it for both.`,
    );
  return route;
}

/** A problem of a run's interfaces under the name of the option that names them here. */
function withOwnName(error: UserError, from: string): UserError {
  const theirs = `--interface ${from}:`;
  const { message, remedy } = error;
  return message.startsWith(theirs) ? new UserError(`--from ${from}:${message.slice(theirs.length)}`, remedy) : error;
}

/**
 * The options for a client library: its provider's interface also says the requests, and its headers are those of the vendors.
 * UserError for options that a library cannot be asked with.
 */
function forLibrary(url: string | undefined, { client, ...given }: GatewayOptions): GatewayOptions {
  const { library } = libraryNamed(client!);
  const other = url ?? given.start;
  if (other !== undefined)
    throw new UserError(
      `--client ${client}: there is a gateway beside it, ${other}`,
      "Ask one of them: a gateway by its address or --start, or a library by --client.",
    );
  const { to, from = to, preset = "vendors" } = given;
  known("to", to, "interface of a provider", Object.keys(library.packages));
  return { ...given, client, from, preset };
}

/**
 * Reads the target and all that is to be asked; throws UserError.
 * @param url the gateway, or a target file; undefined for a client library
 */
export async function planGateway(url: string | undefined, options: GatewayOptions): Promise<PlannedGateway> {
  if (url === undefined && options.client === undefined)
    throw new UserError("nothing says which gateway to ask", "Give its address, or a library: --client ai.");
  return planFor(url, options.client === undefined ? options : forLibrary(url, options));
}

async function planFor(url: string | undefined, given: GatewayOptions): Promise<PlannedGateway> {
  const { from, to, client, upstream, start, gate, keep, strict, ...others } = given;
  const planned = await planRun(url, {
    ...others,
    ...(from !== undefined && { interface: [from] }),
    probes: "all",
  }).catch((error: unknown) => {
    throw from !== undefined && error instanceof UserError ? withOwnName(error, from) : error;
  });
  const { target: file, catalogue } = planned;
  const { gateway = {} } = file ?? {};
  if (gateway.start !== undefined && start === undefined && given.allowCode !== true)
    throw new UserError(
      `${url} names a command that starts the gateway, which needs --allow-code: ${excerpt(gateway.start)}`,
      "Read the command. Then add --allow-code, or give a command of your own by --start.",
    );
  const own = Object.entries(given).filter(([, value]) => value !== undefined);
  const options: GatewayOptions = { ...planned.options, ...gateway, ...Object.fromEntries(own) };
  const route = routeFrom(options, catalogue.interfaces);
  if (options.upstream === undefined && options.start === undefined && client === undefined)
    throw new UserError(
      "no --upstream says where the gateway finds its upstream",
      "Give the HOST:PORT that the gateway is told to call: --upstream 127.0.0.1:4500. Or have it started: --start 'COMMAND {upstream}'.",
    );
  const facts = namedFacts().map(({ name }) => name);
  for (const name of options.keep ?? []) known("keep", name, "fact", [...new Set(facts)]);
  const { described } = termsOf(planned);
  const questions = selectedQuestions(planned, interfaceNamed(catalogue.interfaces, route.from)!, described);
  return {
    options,
    route,
    planned,
    described,
    questions,
    count: allOf(questions).length,
  };
}

/** The selected questions for one interface of a gateway. */
export function selectedQuestions(
  { recordings, plan, probes, allProbes }: Pick<Selection, "recordings" | "plan" | "probes" | "allProbes">,
  described: Interface,
  target: AskedTarget,
): Questions {
  const chosen = new Set(plan.cassettes.filter(({ skipped }) => skipped === undefined).map(({ source }) => source));
  return questionsFor(
    described,
    recordings.filter(({ source }) => chosen.has(source)),
    allProbes,
    new Set(probes.map(({ twin }) => groupSource(twin))),
    target,
  );
}

/** Every question once. */
export const allOf = ({ atOnce, conversations, breaking }: Questions): Question[] => [
  ...atOnce,
  ...conversations.flatMap(({ steps }) => steps.flat()),
  ...breaking,
];
