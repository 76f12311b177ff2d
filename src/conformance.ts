/** Declares the suites in the vitest of others: a test for each recording, which sends it and fails with what is found in the answers. */
import { setTimeout as sleep } from "node:timers/promises";
import { suiteFor } from "../suites/suites.ts";
import { createHeadJudge } from "./check/judge-heads.ts";
import { plural } from "./report/plural.ts";
import { formatFailures } from "./report/text.ts";
import { orderFor, senderSettings } from "./run/context.ts";
import { judgeCassette } from "./run/judge/judge-cassette.ts";
import { judgeProbes, type ProbeGroup } from "./run/judge/judge-probes.ts";
import type { RunOptions } from "./run/options.ts";
import { interfacesOf, type Recording } from "./run/plan/recordings.ts";
import { recordingsToSend } from "./run/plan/send-order.ts";
import { targetNames } from "./run/plan/target.ts";
import { baseUrl } from "./run/plan/target-options.ts";
import { type PlannedRun, planRun } from "./run/plan-run.ts";
import { smokeTest } from "./run/reach/smoke-test.ts";
import { untilListening } from "./run/reach/wait.ts";
import { sendCassette } from "./run/send/send-cassette.ts";
import { sendProbeGroup } from "./run/send/send-probes.ts";
import { runSender } from "./run/send/sender.ts";
import type { RunOrder } from "./run/send/suite-messages.ts";
import { type RunTerms, termsOf } from "./run/terms.ts";
import { UserError } from "./user-error.ts";
import { redsOf } from "./verdict/outcome.ts";
import { type Outcome, resultsOf } from "./verdict/results.ts";
import type { RunResults } from "./verdict/run-results.ts";
import type { Answers } from "./verdict/sent-record.ts";
import type { Sender } from "./wire/send.ts";

/** How a target is asked and judged, as `touchstone run` takes it. */
export interface ConformanceOptions
  extends Pick<
    RunOptions,
    | "allowCode"
    | "bind"
    | "clause"
    | "documents"
    | "enforcement"
    | "expectations"
    | "header"
    | "insecure"
    | "interface"
    | "key"
    | "lacks"
    | "level"
    | "model"
    | "preset"
    | "rate"
    | "reading"
    | "recordings"
    | "retries"
    | "scenario"
    | "section"
    | "timeout"
    | "wait"
  > {
  /** Only these interfaces: another name of `interface`. */
  readonly interfaces?: readonly string[] | undefined;
  /** Requests made from clauses, a test for each group: `cheap`, or `all`. None unless said. */
  readonly probes?: RunOptions["probes"];
}

/** Base URL, or path of a target file; or a function that gives the base URL once hooks before it have started the server. */
export type ConformanceTarget = string | (() => string | Promise<string>);

/** The object that a test receives. */
interface Running {
  /** Ends the test as a skipped one. */
  skip(note?: string): never;
  expect?(value: unknown): { toBe(expected: unknown): void };
}

type Block = (title: string, declare: () => void | Promise<void>) => void;

/** The parts of vitest that are used, whatever its version. */
export interface TestRunner {
  readonly describe: Block & { readonly concurrent: Block };
  readonly test: {
    concurrent(title: string, options: { readonly timeout: number }, run: (running: Running) => Promise<void>): void;
  };
  beforeAll(run: () => Promise<void>, timeout: number): void;
  afterAll(run: () => Promise<void>, timeout: number): void;
}

/** Requests have bounds of their own, which say more. */
const unbounded = 0;

/** A target that was found, and how it is asked. */
interface Session {
  readonly planned: PlannedRun;
  readonly terms: RunTerms;
  readonly order: RunOrder;
  readonly sender: Sender;
  /** Interfaces that receive no requests, each with the reason: it is absent, or only answers 429 or 503. */
  readonly closed: ReadonlyMap<string, { readonly why: string; readonly isAbsent: boolean }>;
}

/** An error that is its message: frames of ours say nothing about a target. */
function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}`;
  return error;
}

/** Failures that people can mend, as vitest shows them: with what to do. */
async function inPlainWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UserError ? plainError(`${error.message}\n${error.remedy}`) : error;
  }
}

/** Declares the tests; `target` is asked nothing before one of them runs. */
export function declareConformance(
  { describe, test, beforeAll, afterAll }: TestRunner,
  target: ConformanceTarget,
  { interfaces, ...given }: ConformanceOptions = {},
): void {
  const isNamed = typeof target === "string";
  const options: RunOptions = {
    probes: false,
    ...given,
    ...(interfaces && { interface: [...(given.interface ?? []), ...interfaces] }),
  };
  describe(isNamed ? `conformance of ${target}` : "conformance", async () => {
    const planned = await inPlainWords(() => planRun(isNamed ? target : undefined, options));
    const { plan, recordings, probes } = planned;
    const skipped = new Map(plan.cassettes.map((cassette) => [cassette.source, cassette.skipped]));
    const chosen = recordings.filter(({ source }) => skipped.has(source));
    if (chosen.length === 0 && probes.length === 0)
      throw plainError(
        "no recording and no probe fits these filters\nLook at interfaces, section, clause and scenario.",
      );

    let session: Session | undefined;
    beforeAll(async () => {
      session = await inPlainWords(async () => {
        const url = isNamed ? planned.target!.url : baseUrl(await target(), "conformance");
        return open({ ...planned, target: { ...planned.target, url } });
      });
    }, unbounded);
    afterAll(async () => session?.sender.close(), unbounded);

    /** Declares a test that sends something and judges what comes. */
    const declare = (
      title: string,
      names: readonly string[],
      lacked: string | undefined,
      run: (session: Session) => Promise<{ readonly outcome: Outcome; readonly answers: Answers }>,
    ): void =>
      test.concurrent(title, { timeout: unbounded }, async (running) => {
        if (lacked !== undefined) running.skip(`the target lacks ${lacked}`);
        for (const name of names) {
          const closed = session!.closed.get(name);
          if (closed?.isAbsent) running.skip(closed.why);
          if (closed) throw plainError(closed.why);
        }
        const { outcome, answers } = await run(session!);
        if (answers.unreachable !== undefined)
          throw plainError(`the target cannot be reached any more: ${answers.unreachable}`);
        conclude(outcome, session!, running);
      });

    for (const name of new Set([...chosen, ...probes.map(({ twin }) => twin)].map((one) => one.interface)))
      describe.concurrent(name, () => {
        suiteFor(name).declare(chosen, {
          describe: describe.concurrent,
          test: (title, recording) =>
            declare(title, interfacesOf(recording), skipped.get(recording.source), (now) =>
              sendRecording(recording, now),
            ),
        });
        const groups = probes.filter(({ twin }) => twin.interface === name);
        if (groups.length > 0)
          describe.concurrent("probes", () => {
            for (const group of groups)
              declare(group.twin.name.replaceAll("-", " "), [name], undefined, (now) => sendGroup(group, now));
          });
      });
  });
}

/** Finds out how the target is reached; throws UserError where it is not. */
async function open(planned: PlannedRun & { readonly target: object }): Promise<Session> {
  const { options, catalogue, target } = planned;
  const terms = termsOf(planned);
  if (options.wait) await untilListening(target.url, options.wait);
  const sender = runSender(senderSettings(options), true);
  const order = orderFor({ ...terms.described, url: target.url }, planned);
  try {
    const { firsts } = recordingsToSend(planned);
    const { overrides, closed, outcomes } = await smokeTest({ ...order, recordings: firsts }, catalogue, sender);
    const incidents = outcomes.flatMap((outcome) => outcome.incidents);
    const reasons = closed.map((name) => {
      const { kind, problem } = incidents.find((incident) => incident.interface === name)!;
      return [name, { why: `${name}: ${problem}`, isAbsent: kind === "absent" }] as const;
    });
    return {
      planned,
      terms: { ...terms, facts: { ...terms.facts, options: { ...terms.facts.options, ways: overrides } } },
      order: {
        ...order,
        target: { ...order.target, overrides },
        heads: createHeadJudge(planned.catalogue, targetNames(order.target)),
        wait: sleep,
      },
      sender,
      closed: new Map(reasons),
    };
  } catch (error) {
    await sender.close();
    throw error;
  }
}

async function sendRecording(recording: Recording, { planned, order, sender }: Session) {
  const answers = await sendCassette(recording, order, sender);
  return { answers, outcome: judgeCassette(recording, answers, order, planned.catalogue) };
}

async function sendGroup(group: ProbeGroup, { planned, order, sender }: Session) {
  const { catalogue } = planned;
  const answers = await sendProbeGroup(group, { ...order, knownModels: order.probedModels }, catalogue, sender);
  return { answers, outcome: judgeProbes(group, answers, order, catalogue) };
}

/** The results that a run of this source alone would give. */
function resultsFor(outcome: Outcome, { planned, terms: { facts, terms, expectations } }: Session): RunResults {
  const { plan, shown, catalogue } = planned;
  const own = { ...plan, cassettes: plan.cassettes.filter(({ source }) => source === outcome.source) };
  return resultsOf({ ...facts, plan: own }, [outcome], shown, catalogue, { ...terms, expectations }, true);
}

/** Why something showed nothing that was to show it; undefined where it did. */
function reasonMissing({ unshown, evidence }: Outcome): string | undefined {
  const [first] = unshown;
  if (first) return first.why;
  // One probe that showed something is enough.
  return evidence.some(({ exercised }) => exercised.length > 0)
    ? undefined
    : evidence.flatMap(({ missed }) => missed)[0]?.why;
}

/** Fails with what was found, skips where nothing is shown, and passes otherwise. */
function conclude(outcome: Outcome, session: Session, { skip, expect }: Running): void {
  const results = resultsFor(outcome, session);
  const { failing, incidents, limited, broken } = redsOf(results);
  const missing = reasonMissing(outcome);
  const problems = [
    failing.length > 0 && `${plural(failing.length, "clause")} ${failing.length === 1 ? "fails" : "fail"}`,
    incidents.length > 0 && `${plural(incidents.length, "request")} not answered as recorded`,
    limited.length > 0 && `${plural(limited.length, "request")} only answered "later"`,
    broken.length > 0 && missing,
  ].filter((problem) => typeof problem === "string");
  if (problems.length > 0) {
    const found = formatFailures(results, { clauses: session.planned.catalogue.clauses });
    throw plainError(`${outcome.source}: ${problems.join(", ")}\n\n${found}`.trimEnd());
  }
  const known = [...results.clauses, ...results.incidents].find((one) => one.expected)?.expected;
  if (known) skip(`known failure: ${known.reason}`);
  if (missing !== undefined) skip(`no verdict: ${missing}`);
  // Some have vitest demand an assertion of every test.
  expect?.(problems.length).toBe(0);
}
