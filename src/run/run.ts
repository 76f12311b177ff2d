/** Runs the suites against a target: plan, execute, judge; prints nothing and writes no file. */
import type { CassetteHeader } from "../cassette/format.ts";
import { UserError } from "../user-error.ts";
import { withBaseline } from "../verdict/baseline.ts";
import type { Expectation } from "../verdict/document.ts";
import { withFitness } from "../verdict/fitness.ts";
import { type Outcome, resultsOf as resultsOfRun } from "../verdict/results.ts";
import type { Baseline, RunResults } from "../verdict/run-results.ts";
import type { SentRecord } from "../verdict/sent-record.ts";
import { baselineError, openBaseline, upstreamBaseline } from "./baseline.ts";
import { withContext } from "./context.ts";
import { type ExecutedPlan, executePlan, type RunOutcomes } from "./execute.ts";
import type { RunOptions } from "./options.ts";
import { loadFitness } from "./plan/fitness-data.ts";
import { type PlannedRun, planRun } from "./plan-run.ts";
import { withOnlyModel } from "./reach/listed-models.ts";
import { createUsageMeter, type Prices, type Spent, type UsageMeter } from "./send/usage-meter.ts";
import { headerOf } from "./settings.ts";
import { termsOf } from "./terms.ts";

/** A run that only has to begin. */
export interface PreparedRun {
  /** The results as long as nothing is known. */
  readonly unfinished: RunResults;
  readonly expectationsFile: string | undefined;
  /** The header for a cassette of all that passes, so that others judge it by the same names. */
  readonly header: CassetteHeader;
  /**
   * Executes the plan; UserError where nothing can be sent to the target at all.
   * @param onSent handed every request that was sent, with its answer, in any order
   * @param baseline what the results are compared with
   */
  execute(onSent?: (record: SentRecord) => void, baseline?: Baseline): Promise<FinishedRun>;
}

export interface FinishedRun {
  readonly results: RunResults;
  /** The outcome of each source, in the order in which they ended. */
  readonly outcomes: readonly Outcome[];
  /** The target could not be reached any more, or a limit was reached: the results are incomplete. */
  readonly error: UserError | undefined;
  /** The usage that answers report, if somebody gave a budget, or prices. */
  readonly spent: Spent | undefined;
  /** The results with other expectations. */
  resultsWith(expectations: readonly Expectation[]): RunResults;
}

/**
 * Judges an implementation. If it rejects the recorded model and lists only one, the run uses that one.
 * @param target base URL or path of a target file; undefined is what `options.startReference` starts
 * @throws UserError for what cannot be read or reached, and where the target ends in the middle of the run
 * @example
 * const results = await run("http://127.0.0.1:8080", { interface: ["messages"] });
 * const failing = results.clauses.filter(({ verdict }) => verdict === "fail");
 */
export async function run(target: string | undefined, options: RunOptions = {}): Promise<RunResults> {
  const planned = await planRun(target, options);
  const opened = await openBaseline(planned);
  const prepared = prepareRun(planned);
  const baseline = opened?.kind === "target" ? await askUpstream(opened.planned) : opened?.baseline;
  try {
    const { results, error } = await prepared.execute(undefined, baseline);
    if (error) throw error;
    return results;
  } catch (error) {
    const again = withOnlyModel(error, options);
    if (!again) throw error;
    return run(target, again);
  }
}

/** Sends the upstream what its target is sent. */
async function askUpstream(planned: PlannedRun): Promise<Baseline> {
  const started = new Date().toISOString();
  try {
    const { results, error } = await prepareRun(planned).execute();
    if (error) throw error;
    return upstreamBaseline(results, started);
  } catch (error) {
    throw baselineError(error);
  }
}

/** Reads keys and expectations; throws UserError, also for a plan without requests. */
export function prepareRun(planned: PlannedRun): PreparedRun {
  const { described, facts, terms, expectations, prices } = termsOf(planned);
  const { options, catalogue, recordings } = planned;
  const usage = usageMeterFor(planned, prices);
  const fitness = loadFitness();
  const resultsOf = ({ outcomes, overrides, end }: RunOutcomes, expected = expectations): RunResults => {
    const told = { ...facts, options: { ...facts.options, ways: overrides } };
    const own = { ...terms, expectations: expected };
    return withFitness(resultsOfRun(told, outcomes, planned.shown, catalogue, own, end === undefined), fitness);
  };
  const withMore = (results: RunResults, { trials, again = [], end }: ExecutedPlan): RunResults => ({
    // An observation of a client outweighs a prediction.
    ...(trials ? withFitness({ ...results, trials }, fitness) : results),
    ...(again.length > 0 && { again }),
    ...(end?.lost && { lost: end.lost }),
  });
  return {
    // Made where it is asked for: it takes longer than the rest of preparing.
    get unfinished() {
      return { ...resultsOf({ outcomes: [], overrides: {} }), complete: false };
    },
    expectationsFile: options.expectations,
    header: headerOf(facts.target.url, recordings, described),
    async execute(onSent = () => {}, baseline) {
      const compared = (results: RunResults): RunResults => (baseline ? withBaseline(results, baseline) : results);
      const executed = await withContext(planned, { described, onSent, usage }, (context) =>
        executePlan(context, (soFar) => compared(resultsOf(soFar))),
      );
      return {
        spent: usage?.spent(),
        results: withMore(executed.results, executed),
        outcomes: executed.outcomes,
        error: executed.end?.error,
        resultsWith: (expected) => withMore(compared(resultsOf(executed, expected)), executed),
      };
    },
  };
}

/** Adds up what answers use, where a bound or prices ask for it. Official clients and smaller requests are not counted. */
function usageMeterFor({ options, plan, probes, catalogue }: PlannedRun, prices: Prices): UsageMeter | undefined {
  const { maxTokens, maxCost, shrink = 0, clients } = options;
  const isBounded = maxTokens !== undefined || maxCost !== undefined;
  if (!isBounded && Object.keys(prices).length === 0) return undefined;
  if (isBounded && (clients || (shrink !== "free" && shrink > 0)))
    throw new UserError(
      `what --${clients ? "clients" : "shrink"} asks is not counted against a bound on tokens or costs`,
      "Leave one of them out.",
    );
  const asked = plan.cassettes.filter(({ skipped }) => skipped === undefined).map((one) => one.interface);
  const probed = probes.map(({ twin }) => twin.interface);
  return createUsageMeter(options, prices, [...new Set([...asked, ...probed])].sort(), catalogue.interfaces);
}
