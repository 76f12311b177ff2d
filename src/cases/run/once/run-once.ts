/** A run against a program that is started once: it goes through cases by name, or each case has its time. */
import type { Catalogue } from "../../../check/catalogue.ts";
import { UserError } from "../../../user-error.ts";
import { caseNamed, casesOf } from "../../all-cases.ts";
import { createAnswers } from "../../answers.ts";
import type { CaseEvidence } from "../../client-document.ts";
import type { CaseResult } from "../../document.ts";
import { everyInterface, type InterfaceName } from "../../interface-names.ts";
import { createLedger } from "../ledger.ts";
import type { Planned } from "../run-cases.ts";
import { type ClientRun, type RunClientOptions, useless } from "../run-client.ts";
import { type Besides, evidenceOf, type OnceContext, trialFor, tryByName } from "./by-name.ts";
import { tryByTime } from "./by-time.ts";

export interface RunOnceOptions extends Omit<RunClientOptions, "concurrency"> {
  /** Milliseconds for which a case answers everything; without it, requests name their case. */
  readonly every?: number | undefined;
  /** Milliseconds after which the program gives up by itself. */
  readonly limit?: number | undefined;
  /** Receives a sentence about a program that had to be ended. */
  readonly note?: ((sentence: string) => void) | undefined;
}

/** Cases of one id together. */
function byCase(plan: readonly Planned[]): Iterable<readonly Planned[]> {
  const turns = new Map<string, Planned[]>();
  for (const planned of plan) {
    const turn = turns.get(planned.one.id);
    if (turn) turn.push(planned);
    else turns.set(planned.one.id, [planned]);
  }
  return turns.values();
}

/**
 * Tries a program with all cases. Throws UserError where it does not work with the plain answer.
 * @param command the program and its arguments
 */
export async function runOnce(
  catalogue: Catalogue,
  command: readonly string[],
  options: RunOnceOptions,
): Promise<ClientRun> {
  const { cases: patterns = [], interfaces: wanted, timeout, every, signal, progress } = options;
  const answers = createAnswers(catalogue);
  const ledger = createLedger(answers, options);
  const plain = caseNamed("plain");
  const besides: Besides = { strangers: [], hasReported: false, printed: {} };
  const failures: CaseResult[] = [];
  const planFor = (names: readonly InterfaceName[]): readonly Planned[] => [
    ...names.map((name) => ({ one: plain, interface: name })),
    ...names.flatMap((name) =>
      casesOf(name, patterns)
        .filter((one) => one !== plain)
        .map((one): Planned => ({ one, interface: name })),
    ),
  ];

  let count = 0;
  let total = 0;
  function firstTry(evidence: CaseEvidence): boolean {
    const result = ledger.judged(evidence);
    if (result.case === plain.id && result.outcome !== "works" && result.outcome !== "not-shown") {
      failures.push(result);
      return false;
    }
    ledger.tried(evidence);
    progress?.(++count, total, result);
    return true;
  }
  function secondTry(evidence: CaseEvidence): boolean {
    ledger.retried(evidence);
    return true;
  }
  const isNew = (planned: Planned): boolean => !ledger.has(planned);
  const isPlain = ({ one }: Planned): boolean => one === plain;
  const spoken = (): readonly InterfaceName[] => {
    const known = ledger.plain();
    return wanted ?? (known.length > 0 ? known : everyInterface);
  };

  /** The turns of cases; the plain answer comes first, and shows which interfaces the program speaks. */
  function* turns(switchTo: (tried: OnceContext["tried"]) => void): Generator<readonly Planned[]> {
    const first = planFor(spoken()).filter(isPlain).filter(isNew);
    total = 1;
    if (first.length > 0) yield first;
    if (ledger.plain().length === 0) return;
    const all = planFor(spoken());
    const rest = all.filter(isNew);
    total = count + rest.length;
    yield* byCase(rest);
    switchTo(secondTry);
    yield* byCase(ledger.failed(rest));
  }

  const context = { catalogue, answers, command, timeout, signal };
  if (every === undefined) {
    const all = planFor(spoken());
    const rest = all.filter(isNew);
    total = rest.length;
    const bound =
      (await tryByName({ ...context, tried: firstTry }, rest, besides)) ??
      (failures.length === 0
        ? await tryByName({ ...context, tried: secondTry }, ledger.failed(rest), besides)
        : undefined);
    if (bound !== undefined)
      options.note?.(
        `The program was ended: it was still running after ${bound / 1000} seconds, twice --timeout for each case.`,
      );
  } else {
    let tried: OnceContext["tried"] = firstTry;
    const all = turns((next) => void (tried = next));
    await tryByTime({ ...context, every, tried: (evidence) => tried(evidence) }, all, besides);
  }
  if (signal?.aborted) return { interfaces: wanted ?? [], evidence: [], isComplete: false };
  const names = wanted ?? everyInterface.filter((name) => planFor([name]).some(ledger.has));
  const isAsked = planFor(names).some(ledger.has);
  if (failures.length > 0 || !isAsked) {
    const { strangers, printed } = besides;
    const name = command.join(" ");
    if (failures.length === 0 && every === undefined && strangers.length > 0)
      throw new UserError(
        `${name} named no case: it asked ${strangers.join(", ")}`,
        "GET {base_url}/cases lists the cases with their models; --every SECONDS takes one case after another instead.",
      );
    const handed = { ...printed, end: "unseen" as const, after: 0 };
    throw useless(name, { handed, asked: isAsked ? ["it"] : strangers, wanted: undefined, results: failures });
  }
  ledger.finish();
  const plan = planFor(names);
  // Cases that nobody asked for show nothing.
  for (const planned of plan.filter(isNew))
    ledger.keep(evidenceOf(trialFor({ answers }, planned), { end: "unseen" }, 0));
  return { interfaces: names, evidence: ledger.of(plan, names), isComplete: plan.every(ledger.has) };
}
