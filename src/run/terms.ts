/** Reads what a run must know before it sends anything: credentials and names of the target, facts for its results, known failures. */
import { sourceNamed } from "../cassette/sources.ts";
import { version } from "../home.ts";
import { UserError } from "../user-error.ts";
import type { RunFacts, Terms } from "../verdict/results.ts";
import { type KnownNames, readExpectationsFile } from "./plan/expectations-file.ts";
import { placesOf, type Target } from "./plan/target.ts";
import { headersFrom, keysFrom, modelsFrom } from "./plan/target-options.ts";
import type { PlannedRun } from "./plan-run.ts";
import { smokeTestSource } from "./reach/reach.ts";
import { groupSource } from "./send/probes.ts";
import { type Prices, pricesFrom } from "./send/usage-meter.ts";
import { settingsOf } from "./settings.ts";

export interface RunTerms {
  readonly described: Omit<Target, "url">;
  readonly facts: RunFacts;
  /** The other terms of verdicts. */
  readonly terms: Omit<Terms, "expectations">;
  /** Undefined where no file was named. */
  readonly expectations: Terms["expectations"];
  readonly prices: Prices;
}

/** Reads keys and expectations; throws UserError, also for a plan without requests. */
export function termsOf(planned: PlannedRun): RunTerms {
  const { options, target: file, judging, catalogue, plan, shard } = planned;
  refuseEmpty(planned);
  const expectations = expectationsOf(planned);
  const interfaces = catalogue.interfaces.map(({ name }) => name);
  const prices = pricesFrom(options.price ?? [], file?.prices, interfaces);
  const described = {
    ...keysFrom(options.key ?? [], file?.keys, interfaces, process.env, planned.isUpstream ? [] : undefined),
    bindings: judging.bindings,
    models: modelsFrom(options.model ?? [], file?.models),
    headers: headersFrom(options.header ?? [], file?.headers),
    lacks: plan.lacks,
    places: placesOf(catalogue.interfaces),
  };
  const facts: RunFacts = {
    target: {
      kind: file ? "url" : "reference",
      ...(options.name !== undefined && { name: options.name }),
      url: file?.url ?? null,
      bindings: Object.assign({}, ...judging.bindings.map((layer) => layer.names ?? {})),
    },
    plan,
    shard,
    // The embedded reference is sent no key.
    options: settingsOf(options, judging, file ? described : { ...described, keys: {} }, planned, planned.started),
    versions: { touchstone: version(), node: process.versions.node },
    documents: catalogue.digests(),
  };
  const { level: failsAt, today } = facts.options;
  return { described, facts, terms: { failsAt, diverges: judging.diverges, today }, expectations, prices };
}

/** A shard may be empty where there are more shards than recordings; a whole run that asks nothing shows nothing. */
function refuseEmpty({ plan, probes, shard }: PlannedRun): void {
  if (plan.exchanges > 0 || probes.length > 0 || (shard !== null && shard.index !== 1)) return;
  throw new UserError(
    plan.cassettes.length > 0
      ? "nothing is left to send: the target lacks it all"
      : "no recording and no probe fits these filters",
    "touchstone run --dry-run shows the plan; --interface, --section, --clause, --lacks and --max-requests shape it.",
  );
}

function expectationsOf({ options, catalogue, recordings, allProbes }: PlannedRun): Terms["expectations"] {
  const file = options.expectations;
  if (options.updateExpectations && file === undefined)
    throw new UserError("--update-expectations needs a file to update", "Name it with --expectations FILE.");
  if (file === undefined) return undefined;
  const sources = new Set([
    ...recordings.map(({ source }) => source),
    ...allProbes.twins.map(groupSource),
    ...catalogue.interfaces.map(({ name }) => smokeTestSource(name)),
  ]);
  const known: KnownNames = {
    clauses: new Set(catalogue.clauses.map(({ id }) => id)),
    cassette: (name) => sourceNamed(name, sources),
  };
  return readExpectationsFile(file, known, options.updateExpectations === true);
}
