/** Runs the suites against a target: plan, ask, judge; prints nothing and writes no file. */
import type { CassetteHeader } from "../cassette/format.ts";
import type { Catalogue } from "../check/catalogue.ts";
import { joinBindings } from "../check/names.ts";
import { version } from "../home.ts";
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { type Judging, judgingFrom } from "../interfaces/judging.ts";
import { UserError } from "../user-error.ts";
import type { Asked } from "../verdict/asked.ts";
import type { Expectation } from "../verdict/document.ts";
import { withFitness } from "../verdict/fitness.ts";
import { type Outcome, type RunFacts, resultsOf } from "../verdict/results.ts";
import type { AskedAgain, ClientTrial, RunResults } from "../verdict/run-results.ts";
import { defaultLimits } from "../wire/send.ts";
import { askAgain, type Failure, firstFailures, shrinkOf } from "./again.ts";
import { documentHashes } from "./document-hashes.ts";
import { type KnownNames, readExpectationsFile } from "./expectations-file.ts";
import { loadFitness } from "./fitness-data.ts";
import { judgeCassette } from "./judge-cassette.ts";
import { judgeProbes } from "./judge-probes.ts";
import { checkNumbers, type RunOptions } from "./options.ts";
import { groupSource, loadProbes, probedModels } from "./probes.ts";
import { isThere, questionsOf } from "./questions.ts";
import { answeredModels } from "./recorded.ts";
import { paceOf } from "./retry.ts";
import { type Selection, select } from "./selection.ts";
import { runSender } from "./sender.ts";
import { againOf, settingsOf } from "./settings.ts";
import { askFirstQuestions, type FirstLook, firstQuestionsOf } from "./smoke-test.ts";
import type { RunOrder } from "./suite.ts";
import { askAll } from "./suites.ts";
import { bindingsOf, type Target } from "./target.ts";
import { headersFrom, keysFrom, modelsFrom, optionsWith, readTarget, type TargetFile } from "./target-options.ts";
import { untilListening } from "./wait.ts";

/** A run that was planned, and has sent nothing. */
export interface PlannedRun extends Selection {
  readonly options: RunOptions;
  /** Undefined where the embedded reference is to be asked. */
  readonly target: TargetFile | undefined;
  readonly judging: Judging;
  readonly catalogue: Catalogue;
}

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

export type OnAsked = (asked: Asked) => void;

export interface AskedRun {
  readonly results: RunResults;
  /** What each source showed, in the order in which they ended. */
  readonly outcomes: readonly Outcome[];
  /** The target could not be reached any more: the results are incomplete. */
  readonly gone: UserError | undefined;
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
  const judging = judgingFrom(options, ...(file?.bindings ? [file.bindings] : []));
  const catalogue = await loadCatalogue();
  return { options, target: file, judging, catalogue, ...(await select(options, file?.lacks ?? [], catalogue)) };
}

/** Reads keys and expectations; throws UserError, also for a plan without requests. */
export function prepareRun(planned: PlannedRun): PreparedRun {
  const { options, target: file, judging, catalogue, plan, shard, recordings } = planned;
  // A shard may be empty where there are more shards than recordings; a whole run that asks nothing shows nothing.
  if (plan.exchanges === 0 && planned.probes.length === 0 && (shard === null || shard.index === 1))
    throw new UserError(
      plan.cassettes.length > 0
        ? "nothing is left to send: the target lacks it all"
        : "no recording and no probe fits these filters",
      "touchstone run --dry-run shows the plan; --interface, --section, --clause, --lacks and --max-requests shape it.",
    );
  const expectationsFile = options.expectations;
  if (options.updateExpectations && expectationsFile === undefined)
    throw new UserError("--update-expectations needs a file to update", "Name it with --expectations FILE.");
  const clauses = new Set(catalogue.clauses.map(({ id }) => id));
  const sources = new Set([
    ...recordings.map(({ source }) => source),
    ...loadProbes().twins.map(groupSource),
    ...catalogue.interfaces.map(({ name }) => firstQuestionsOf(name)),
  ]);
  const known: KnownNames = {
    clause: (id) => clauses.has(id),
    cassette: (source) => sources.has(source),
  };
  const expectations =
    expectationsFile === undefined
      ? undefined
      : readExpectationsFile(expectationsFile, known, options.updateExpectations === true);
  const interfaces = catalogue.interfaces.map(({ name }) => name);
  const described = {
    keys: keysFrom(options.key ?? [], file?.keys, interfaces, process.env),
    bindings: judging.bindings,
    models: modelsFrom(options.model ?? [], file?.models),
    headers: headersFrom(options.header ?? [], file?.headers),
    lacks: plan.lacks,
  };
  const facts: RunFacts = {
    target: {
      kind: file ? "url" : "reference",
      url: file?.url ?? null,
      bindings: Object.assign({}, ...judging.bindings.map((layer) => layer.names ?? {})),
    },
    plan,
    shard,
    // The embedded reference is sent no key.
    options: settingsOf(options, judging, file ? described : { ...described, keys: {} }, planned),
    versions: { touchstone: version(), node: process.versions.node },
    documents: documentHashes(catalogue.interfaces),
  };
  const { level: failsAt, today } = facts.options;
  const terms = { failsAt, diverges: judging.diverges, today };
  const fitness = loadFitness();
  const resultsNow = ({ outcomes, ways, gone, trials, again }: AskedTarget, expected = expectations): RunResults => {
    const told = { ...facts, options: { ...facts.options, ways } };
    const answered = gone === undefined;
    const own = { ...terms, expectations: expected };
    const results = withFitness(resultsOf(told, outcomes, planned.shown, catalogue, own, answered), fitness);
    return { ...results, ...(trials && { trials }), ...(again && again.length > 0 && { again }) };
  };
  return {
    unfinished: { ...resultsNow({ outcomes: [], ways: {}, gone: undefined }), complete: false },
    expectationsFile,
    header: {
      title: `touchstone run of ${facts.target.url ?? "the embedded reference implementation"}`,
      bindings: {
        ...joinBindings([
          ...recordings.map((recording) => ({ models: recording.bindings.models ?? {} })),
          ...bindingsOf(described),
        ]),
      },
    },
    async ask(onAsked = () => {}) {
      const failuresOf = (asked: AskedTarget) => firstFailures(resultsNow(asked));
      const asked = await askTarget(planned, described, onAsked, failuresOf);
      return {
        results: resultsNow(asked),
        outcomes: asked.outcomes,
        gone: asked.gone,
        resultsWith: (expected) => resultsNow(asked, expected),
      };
    },
  };
}

/** Where `touchstone serve --listen 127.0.0.1:8080` listens: the port of a run is gone with it. */
export const servedAt = "http://127.0.0.1:8080";

/** What asking a target came to. */
interface AskedTarget {
  readonly outcomes: readonly Outcome[];
  readonly ways: FirstLook["ways"];
  readonly trials?: readonly ClientTrial[];
  readonly again?: readonly AskedAgain[];
  readonly gone: UserError | undefined;
}

async function askTarget(
  planned: PlannedRun,
  described: Omit<Target, "url">,
  onAsked: OnAsked,
  failuresOf: (asked: AskedTarget) => readonly Failure[],
): Promise<AskedTarget> {
  const { options, target: file, judging, catalogue, recordings } = planned;
  const reference = file ? undefined : await options.startReference?.(catalogue, judging.names);
  const url = file?.url ?? reference?.url;
  if (url === undefined) throw new UserError("no target is named", "Give its base URL, or the path of a target file.");
  const manners = {
    ...defaultLimits,
    patience: Math.round((options.timeout ?? 60) * 1000),
    insecure: options.insecure ?? false,
    retries: options.retries ?? 3,
    rate: options.rate,
  };
  const sender = runSender(manners);
  try {
    if (!reference && options.wait) await untilListening(url, options.wait);
    const target: Target = { ...described, url, ...(reference && { keys: {}, shownAs: servedAt }) };
    const { chosen, firsts } = questionsOf(planned);
    const order: RunOrder = {
      target,
      policy: judging.policy,
      knownModels: answeredModels(recordings),
      recordings: chosen,
      probes: planned.probes,
      probedModels: probedModels(loadProbes()),
      again: againOf(options),
      manners,
    };
    const {
      ways,
      absent,
      outcomes: first,
    }: FirstLook = reference
      ? { ways: {}, absent: [], outcomes: [] }
      : await askFirstQuestions({ ...order, recordings: firsts }, catalogue, sender);
    const outcomes: Outcome[] = [];
    function keep(outcome: Outcome): void {
      for (const one of outcome.asked) onAsked(one);
      // Judged; whoever wants the bodies has them now.
      outcomes.push({ ...outcome, asked: [] });
    }
    for (const outcome of first) keep(outcome);
    const asked: RunOrder = {
      ...order,
      target: { ...target, ways },
      recordings: chosen.filter((one) => isThere(one, absent)),
      probes: planned.probes.filter(({ twin }) => !absent.includes(twin.interface)),
    };
    const cassettes = new Map(asked.recordings.map((recording) => [recording.source, recording]));
    const groups = new Map(asked.probes.map((group) => [group.source, group]));
    let done = 0;
    let gone: { readonly source: string; readonly problem: string } | undefined;
    await askAll(asked, options.concurrency ?? 4, (source, answers) => {
      const recording = cassettes.get(source);
      if (answers.gone !== undefined) gone ??= { source, problem: answers.gone };
      keep(
        recording
          ? judgeCassette(recording, answers, asked, catalogue)
          : judgeProbes(groups.get(source)!, answers, asked, catalogue),
      );
      options.onProgress?.(++done, cassettes.size + groups.size);
    });
    if (gone) return { outcomes, ways, gone: leftUs(url, gone) };
    const most = shrinkOf(options, file?.url);
    const failures = most > 0 ? failuresOf({ outcomes, ways, gone: undefined }) : [];
    const again = await askAgain(failures, asked, most, options.level ?? "error", catalogue, sender);
    // One shard has the clients, as one run would.
    const isTheirs = planned.shard === null || planned.shard.index === 1;
    if (!options.clients || !isTheirs) return { outcomes, ways, again, gone: undefined };
    const { driveClients } = await import("./clients/drive.ts");
    const interfaces = [...new Set(asked.recordings.map((recording) => recording.interface))];
    const { knownModels } = asked;
    const { patience, insecure, rate } = manners;
    const turn = rate === undefined ? undefined : paceOf(rate);
    const trials = await driveClients(interfaces, { target: asked.target, knownModels, patience, insecure, turn });
    return { outcomes, ways, trials, again, gone: undefined };
  } finally {
    await sender.close();
    await reference?.close();
  }
}

const leftUs = (url: string, { source, problem }: { readonly source: string; readonly problem: string }): UserError =>
  new UserError(
    `${url} cannot be reached any more (at ${source}): ${problem}`,
    "Look why the target ended, and run again; what was judged so far does not count.",
  );
