/** Makes the document of a run against a client: a pure function of what was seen. */
import type { Catalogue } from "../check/catalogue.ts";
import type { Policy } from "../check/clause.ts";
import { compare } from "../check/finding-order.ts";
import { judge } from "../check/judge.ts";
import type { Names } from "../check/names.ts";
import { applyExpectations } from "../verdict/apply-expectations.ts";
import type { Expectation } from "../verdict/document.ts";
import type { Incident } from "../verdict/run-results.ts";
import { createTally } from "../verdict/tally.ts";
import type { Exchange } from "../wire/exchange.ts";
import { caseNamed } from "./all-cases.ts";
import { createAnswers } from "./answers.ts";
import { type CaseOutcome, type CaseResult, type ClientDocument, caseOutcomes } from "./document.ts";
import { judgeCase, profileOf, sourceOf } from "./judge/judge-case.ts";
import type { ClientFacts } from "./judge/outcome.ts";
import type { CaseObservation } from "./observation.ts";

/** The observation of a case, with its exchanges in order. */
export interface CaseEvidence {
  readonly seen: CaseObservation;
  readonly exchanges: readonly Exchange[];
}

/** The document's facts about itself. */
export type ClientTerms = Pick<ClientDocument, "client" | "versions" | "documents" | "options">;

export interface JudgeClientOptions {
  readonly names: Names;
  readonly policy: Policy;
  /** The failures that the client admits to: a case is named as a cassette, `<interface>/<case>`. */
  readonly expectations?: readonly Expectation[] | undefined;
  /** Whether all cases of its interfaces were tried, so that entries can be called stale. */
  readonly isWhole: boolean;
  /** False where the run was broken off. */
  readonly isComplete: boolean;
}

/** The client as one interface's plain answer shows it. */
function factsOf(
  answers: ReturnType<typeof createAnswers>,
  evidence: readonly CaseEvidence[],
  limit: number | null,
): ReadonlyMap<string, ClientFacts> {
  const plain = caseNamed("plain");
  return new Map(
    evidence
      .filter(({ seen }) => seen.case === plain.id)
      .map(({ seen, exchanges }) => [
        seen.interface,
        { ...profileOf(answers, plain, seen, exchanges), ...(limit !== null && { limit }) },
      ]),
  );
}

/** A failure of a case as expectations know it. */
const incidentOf = ({ interface: of, case: id, why }: CaseResult): Incident => ({
  source: sourceOf({ interface: of, case: id }),
  exchange: 0,
  interface: of,
  operation: "",
  kind: "refused",
  problem: why,
  needs: [],
});

const isAmiss = ({ level }: CaseResult): boolean => level === "error" || level === "warning";

/** @param evidence in any order; the first of several of one case counts */
export function clientDocument(
  catalogue: Catalogue,
  evidence: readonly CaseEvidence[],
  terms: ClientTerms,
  { names, policy, expectations, isWhole, isComplete }: JudgeClientOptions,
): ClientDocument {
  const answers = createAnswers(catalogue);
  const facts = factsOf(answers, evidence, terms.options.limit);
  const tally = createTally(catalogue.clauses);
  const sorted = evidence.toSorted((a, b) => compare(sourceOf(a.seen), sourceOf(b.seen)));
  const judged = sorted.map(({ seen, exchanges }): CaseResult => {
    const source = sourceOf(seen);
    for (const [exchange, one] of exchanges.entries()) {
      // A request that follows a redirect is not of the client's own making.
      if (seen.exchanges[exchange]?.origin === "other") continue;
      const place = { source, exchange };
      const judgement = judge(one, place, catalogue, { names, policy, side: "request" });
      if (judgement.operation !== null) tally.addJudgement(judgement, place);
    }
    return judgeCase(answers, caseNamed(seen.case), seen, exchanges, facts.get(seen.interface));
  });
  const { summary, clauses, ...found } = tally.document(isComplete);
  const requestClauses = new Set(catalogue.clauses.filter(({ on }) => on === "request").map(({ id }) => id));
  const amiss = judged.filter(isAmiss).map(incidentOf);
  const well = judged.filter((one) => !isAmiss(one) && one.outcome !== "not-shown").map(sourceOf);
  const own = clauses.filter(({ id }) => requestClauses.has(id));
  const applied = expectations
    ? applyExpectations(
        expectations,
        { clauses: own, incidents: amiss, seen: [] },
        new Set(well),
        terms.options.today,
        isWhole,
      )
    : { clauses: own, incidents: amiss, outcome: null };
  const admitted = new Map(applied.incidents.map(({ source, expected }) => [source, expected]));
  const cases = judged.map((one) => {
    const expected = admitted.get(sourceOf(one));
    return expected ? { ...one, expected } : one;
  });
  const outcomes = Object.fromEntries(caseOutcomes.map((outcome) => [outcome, 0])) as Record<CaseOutcome, number>;
  for (const { outcome } of cases) outcomes[outcome]++;
  const counted = (level: string): number => cases.filter((one) => one.level === level && !one.expected).length;
  return {
    ...found,
    kind: "client",
    ...terms,
    cases,
    clauses: applied.clauses,
    summary: { ...summary, outcomes, cases: { errors: counted("error"), warnings: counted("warning") } },
    ...(applied.outcome && { expectations: applied.outcome }),
  };
}
