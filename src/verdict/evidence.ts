/** What one exchange showed, as plain data that crosses workers: the input of every tally. */
import type { Finding } from "../check/clause.ts";
import type { Catalogue, Judgement } from "../check/judge.ts";

/** Clauses an exchange was to show and could not. */
export interface Missed {
  readonly clauses: readonly string[];
  readonly verdict: "skipped" | "no-verdict" | "broken";
  /** What would decide them, what the target lacks, or how we failed. */
  readonly why: string;
}

export interface Evidence {
  /** False where there was nothing to judge: not sent, or not answered. */
  readonly judged: boolean;
  readonly findings: readonly Finding[];
  /** Clause ids. */
  readonly exercised: readonly string[];
  readonly undecided: readonly { readonly clause: string; readonly needs: string }[];
  readonly missed: readonly Missed[];
}

/** The clauses a judgement exercised, as ids. */
export function exercisedIn(judgement: Judgement, catalogue: Pick<Catalogue, "clauses">): string[] {
  const { exercised } = judgement;
  const ids: string[] = [];
  for (let index = 0; index < exercised.length; index++)
    if (exercised[index] === 1) ids.push(catalogue.clauses[index]!.id);
  return ids;
}

/** A judgement as evidence. */
export function evidenceOf(judgement: Judgement, catalogue: Pick<Catalogue, "clauses">): Evidence {
  return {
    judged: true,
    findings: judgement.findings,
    exercised: exercisedIn(judgement, catalogue),
    undecided: judgement.undecided,
    missed: [],
  };
}

/** Evidence of an exchange that could not be judged. */
export function missedEvidence(missed: Missed): Evidence {
  return { judged: false, findings: [], exercised: [], undecided: [], missed: [missed] };
}
