/** The evidence of a run as it comes in: judged at once, and kept once it counts. A failing case is tried again first. */

import { caseNamed } from "../all-cases.ts";
import type { createAnswers } from "../answers.ts";
import type { CaseEvidence } from "../client-document.ts";
import type { CaseResult } from "../document.ts";
import { everyInterface, type InterfaceName } from "../interface-names.ts";
import { judgeCase, profileOf, sourceOf } from "../judge/judge-case.ts";
import type { ClientFacts } from "../judge/outcome.ts";
import type { Planned } from "./run-cases.ts";

export interface Ledger {
  /** Interfaces whose plain answer came out. */
  readonly plain: () => readonly InterfaceName[];
  readonly has: (planned: Planned) => boolean;
  readonly judged: (evidence: CaseEvidence) => CaseResult;
  /** Keeps evidence that counts. */
  keep(evidence: CaseEvidence): void;
  /** Takes the evidence of a first try, which counts unless the case fails. */
  tried(evidence: CaseEvidence): CaseResult;
  /** The cases of a plan that failed and are to be tried again. A client that does not end is not waited for more than a few times. */
  failed(plan: readonly Planned[]): readonly Planned[];
  /** Takes the evidence of a second try: nothing is held against a client that happens only once. */
  retried(evidence: CaseEvidence): void;
  /** Keeps what failed and was not tried again. */
  finish(): void;
  /** All evidence of these cases, and that of the plain answer. */
  of(plan: readonly Planned[], names: readonly InterfaceName[]): readonly CaseEvidence[];
}

export interface LedgerOptions {
  /** The evidence of an earlier run. */
  readonly known?: readonly CaseEvidence[] | undefined;
  /** Told of the evidence of each case that counts, once. */
  readonly keep?: ((evidence: CaseEvidence) => void) | undefined;
  /** Milliseconds after which the client gives up by itself. */
  readonly limit?: number | undefined;
}

/** Cases whose client does not end and that are tried once more; a client that fails to end more often does so by itself. */
const maxEndlessAgain = 8;

const isAmiss = ({ level }: CaseResult): boolean => level === "error" || level === "warning";

export const sourceOfPlanned = ({ one, interface: of }: Planned): string => sourceOf({ interface: of, case: one.id });

export function createLedger(
  answers: ReturnType<typeof createAnswers>,
  { known = [], keep: tell, limit }: LedgerOptions,
): Ledger {
  const plain = caseNamed("plain");
  const found = new Map<string, CaseEvidence>();
  const facts = new Map<string, ClientFacts>();
  const judged = ({ seen, exchanges }: CaseEvidence): CaseResult =>
    judgeCase(answers, caseNamed(seen.case), seen, exchanges, facts.get(seen.interface));
  function take(evidence: CaseEvidence): void {
    const { seen, exchanges } = evidence;
    found.set(sourceOf(seen), evidence);
    if (seen.case === plain.id) facts.set(seen.interface, { ...profileOf(answers, plain, seen, exchanges), limit });
  }
  /** Sources of what failed at first. */
  const doubtful = new Set<string>();
  function keep(evidence: CaseEvidence): void {
    take(evidence);
    doubtful.delete(sourceOf(evidence.seen));
    tell?.(evidence);
  }
  known.forEach(take);
  return {
    plain: () => everyInterface.filter((name) => found.has(sourceOf({ interface: name, case: plain.id }))),
    has: (planned) => found.has(sourceOfPlanned(planned)),
    judged,
    keep,
    tried(evidence) {
      const result = judged(evidence);
      if (isAmiss(result)) {
        take(evidence);
        doubtful.add(sourceOf(evidence.seen));
      } else keep(evidence);
      return result;
    },
    failed(plan) {
      const failing = plan.flatMap((planned) => {
        const evidence = found.get(sourceOfPlanned(planned));
        const result = evidence && judged(evidence);
        return result && isAmiss(result) ? [{ planned, isEndless: evidence.seen.handed.end === "killed" }] : [];
      });
      const isSure = failing.filter(({ isEndless }) => isEndless).length > maxEndlessAgain;
      return failing.filter(({ isEndless }) => !isEndless || !isSure).map(({ planned }) => planned);
    },
    retried(evidence) {
      keep(isAmiss(judged(evidence)) ? found.get(sourceOf(evidence.seen))! : evidence);
    },
    finish() {
      for (const source of doubtful) keep(found.get(source)!);
    },
    of(plan, names) {
      const wanted = new Set([
        ...plan.map(sourceOfPlanned),
        ...names.map((name) => sourceOf({ interface: name, case: plain.id })),
      ]);
      return [...found.values()].filter(({ seen }) => wanted.has(sourceOf(seen)));
    },
  };
}
