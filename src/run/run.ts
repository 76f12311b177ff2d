/** Runs the suites against a target: plan, ask, judge; prints nothing and writes no file. */
import type { CassetteHeader } from "../cassette/format.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { judgingFrom } from "../interfaces/judging.ts";
import { UserError } from "../user-error.ts";
import type { Expectation } from "../verdict/document.ts";
import { withFitness } from "../verdict/fitness.ts";
import { type Outcome, resultsOf } from "../verdict/results.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { type AskedTarget, askTarget, type OnAsked, type PlannedRun } from "./execute.ts";
import { checkNumbers, type RunOptions } from "./options.ts";
import { loadFitness } from "./plan/fitness-data.ts";
import { select } from "./plan/selection.ts";
import { optionsWith, readTarget } from "./plan/target-options.ts";
import { firstFailures } from "./recheck/recheck.ts";
import { createSpending, type Prices, type Spending, type Spent } from "./send/usage-meter.ts";
import { headerOf } from "./settings.ts";
import { termsOf } from "./terms.ts";

/** A run that only has to begin. */
export interface PreparedRun {
  /** What results are as long as nothing is known. */
  readonly unfinished: RunResults;
  readonly expectationsFile: string | undefined;
  /** What a cassette of all that passes says of itself, so that others judge it by the same names. */
  readonly header: CassetteHeader;
  /**
   * Asks the target; UserError where it cannot be asked at all.
   * @param onAsked told of every request that was sent, in any order
   */
  ask(onAsked?: OnAsked): Promise<AskedRun>;
}

export interface AskedRun {
  readonly results: RunResults;
  /** What each source showed, in the order in which they ended. */
  readonly outcomes: readonly Outcome[];
  /** The target could not be reached any more, or a bound was reached: the results are incomplete. */
  readonly gone: UserError | undefined;
  /** What the answers used, where somebody gave a bound on it, or prices. */
  readonly spent: Spent | undefined;
  /** The results with other expectations. */
  resultsWith(expectations: readonly Expectation[]): RunResults;
}

/**
 * Judges an implementation.
 * @param target base URL or path of a target file; undefined is what `options.startReference` starts
 * @throws UserError for what cannot be read or reached, and where the target ends in the middle of the run
 * @example
 * const results = await run("http://127.0.0.1:8080", { interface: ["messages"] });
 * const failing = results.clauses.filter(({ verdict }) => verdict === "fail");
 */
export async function run(target: string | undefined, options: RunOptions = {}): Promise<RunResults> {
  const { results, gone } = await prepareRun(await planRun(target, options)).ask();
  if (gone) throw gone;
  return results;
}

/** Reads target and recordings, and decides what is to be sent; throws UserError. */
export async function planRun(target: string | undefined, given: RunOptions = {}): Promise<PlannedRun> {
  const file = target === undefined ? undefined : readTarget(target);
  const options = optionsWith(file, given);
  checkNumbers(options);
  const catalogue = await openCatalogue(options.documents);
  const judging = judgingFrom(options, catalogue, ...(file?.bindings ? [file.bindings] : []));
  return { options, target: file, judging, catalogue, ...(await select(options, file?.lacks ?? [], catalogue)) };
}

/** Reads keys and expectations; throws UserError, also for a plan without requests. */
export function prepareRun(planned: PlannedRun): PreparedRun {
  const { described, facts, terms, expectations, prices } = termsOf(planned);
  const { options, catalogue, recordings } = planned;
  const spending = spendingOf(planned, prices);
  const fitness = loadFitness();
  const resultsWith = ({ outcomes, ways, gone }: AskedTarget, expected: typeof expectations): RunResults => {
    const told = { ...facts, options: { ...facts.options, ways } };
    const answered = gone === undefined;
    const own = { ...terms, expectations: expected };
    return withFitness(resultsOf(told, outcomes, planned.shown, catalogue, own, answered), fitness);
  };
  const withMore = (results: RunResults, { trials, again, lost }: AskedTarget): RunResults => ({
    // What clients did stands above what was predicted of them.
    ...(trials ? withFitness({ ...results, trials }, fitness) : results),
    ...(again && again.length > 0 && { again }),
    ...(lost && { lost }),
  });
  return {
    // Made where it is asked for: it takes longer than the rest of preparing.
    get unfinished() {
      return { ...resultsWith({ outcomes: [], ways: {}, gone: undefined }, expectations), complete: false };
    },
    expectationsFile: options.expectations,
    header: headerOf(facts.target.url, recordings, described),
    async ask(onAsked = () => {}) {
      /** What it came to when failures were looked for: nothing that is asked of them changes it. */
      let known: RunResults | undefined;
      const failuresOf = (asked: AskedTarget) => firstFailures((known = resultsWith(asked, expectations)));
      const asked = await askTarget({ planned, described, onAsked, failuresOf, spending });
      const whole = asked.gone === undefined ? known : undefined;
      return {
        spent: spending?.spent(),
        results: withMore(whole ?? resultsWith(asked, expectations), asked),
        outcomes: asked.outcomes,
        gone: asked.gone,
        resultsWith: (expected) => withMore(resultsWith(asked, expected), asked),
      };
    },
  };
}

/** Adds up what answers use, where a bound or prices ask for it. What official clients and smaller requests use nobody counts. */
function spendingOf({ options, plan, probes, catalogue }: PlannedRun, prices: Prices): Spending | undefined {
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
  return createSpending(options, prices, [...new Set([...asked, ...probed])].sort(), catalogue.interfaces);
}
