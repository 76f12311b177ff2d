/** The evidence of one exchange, as plain data that crosses workers: the input of every tally. */
import { tooMuchToJudge } from "../check/budget.ts";
import type { Catalogue } from "../check/catalogue.ts";
import type { Finding } from "../check/clause.ts";
import type { ExchangePlace } from "../check/finding-order.ts";
import type { GroupCount } from "../check/groups.ts";
import type { Judgement, Undecision } from "../check/judge.ts";
import type { Unjudged } from "./document.ts";

/** Clauses an exchange was to show and could not. */
export interface Missed {
  readonly clauses: readonly string[];
  readonly verdict: "skipped" | "no-verdict" | "broken";
  /** The evidence that would decide them, the feature that the target lacks, or how we failed. */
  readonly why: string;
}

export interface Evidence {
  /** The exchange, or the last of several that show it together; absent where nothing was shown. */
  readonly at?: ExchangePlace;
  /** False where there was nothing to judge: not sent, or not answered. */
  readonly judged: boolean;
  /** At most a hundred of a group. */
  readonly findings: readonly Finding[];
  /** All of them, counted. */
  readonly groups: readonly GroupCount[];
  /** Clause ids. */
  readonly exercised: readonly string[];
  readonly undecided: readonly Undecision[];
  readonly missed: readonly Missed[];
  /** Neutral names that the exchange bound by itself, and to what. */
  readonly inferred?: Readonly<Record<string, string>>;
  /** The exchange, where at least a part of it was not judged. */
  readonly unjudged?: Unjudged;
}

/** The clauses a judgement exercised, as ids. */
export function exercisedIn(judgement: Judgement, catalogue: Pick<Catalogue, "clauses">): string[] {
  const { exercised } = judgement;
  const ids: string[] = [];
  for (let index = 0; index < exercised.length; index++)
    if (exercised[index] === 1) ids.push(catalogue.clauses[index]!.id);
  return ids;
}

/** The note of a document on an exchange that was not judged as a whole; undefined if it was. */
export function unjudgedOf(judgement: Judgement, { source, exchange }: ExchangePlace): Unjudged | undefined {
  const { operation } = judgement;
  return judgement.tooMuch ? { source, exchange, operation, why: tooMuchToJudge } : undefined;
}

/** A judgement as evidence. */
export function evidenceOf(judgement: Judgement, at: ExchangePlace, catalogue: Pick<Catalogue, "clauses">): Evidence {
  const unjudged = unjudgedOf(judgement, at);
  return {
    at,
    judged: true,
    findings: judgement.findings,
    groups: judgement.groups,
    exercised: exercisedIn(judgement, catalogue),
    undecided: judgement.undecided,
    missed: [],
    ...(judgement.inferred && { inferred: judgement.inferred }),
    ...(unjudged && { unjudged }),
  };
}

/** Evidence of an exchange that could not be judged. */
export function missedEvidence(missed: Missed): Evidence {
  return { judged: false, findings: [], groups: [], exercised: [], undecided: [], missed: [missed] };
}
