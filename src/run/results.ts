/** Puts together what `run --format json` prints: verdicts, and what the run was. */

import type { Catalogue } from "../check/catalogue.ts";
import type { Divergence, Level } from "../check/clause.ts";
import { byExchange } from "../check/order.ts";
import { differencesOf, explainedDocument } from "../verdict/divergence.ts";
import type { Expectation, Plan, RunResults } from "../verdict/document.ts";
import { missedEvidence } from "../verdict/evidence.ts";
import { holdExpectations } from "../verdict/expectations.ts";
import { createTally } from "../verdict/tally.ts";
import type { Outcome } from "./ask.ts";
import { clausesShown, onAnswers } from "./recorded.ts";
import type { Recording } from "./recordings.ts";

/** What is known before anything is sent. */
export type RunFacts = Pick<RunResults, "target" | "plan" | "shard" | "versions" | "documents">;

export interface Given {
  readonly expectations: readonly Expectation[] | undefined;
  readonly failsAt: Level;
  readonly diverges: readonly Divergence[];
  /** `YYYY-MM-DD` */
  readonly today: string;
}

/** Results of a run. Pure: outcomes in any order give the same document. */
export function resultsOf(
  facts: RunFacts,
  outcomes: readonly Outcome[],
  recordings: readonly Recording[],
  catalogue: Catalogue,
  { expectations, failsAt, diverges, today }: Given,
  complete: boolean,
): RunResults {
  const { plan } = facts;
  const tally = createTally(clausesInScope(plan, outcomes, catalogue), failsAt);
  for (const { evidence } of outcomes) for (const one of evidence) tally.add(one);
  const bySource = new Map(recordings.map((recording) => [recording.source, recording]));
  for (const { source, skipped } of plan.cassettes) {
    const recording = bySource.get(source);
    if (skipped === undefined || !recording) continue;
    for (const position of recording.exchanges.keys())
      tally.add(
        missedEvidence({ clauses: clausesShown(recording, position, catalogue), verdict: "skipped", why: skipped }),
      );
  }
  const incidents = outcomes.flatMap((outcome) => outcome.incidents).sort(byExchange);
  const document = explainedDocument(tally.document(complete), differencesOf(diverges));
  const failed = new Set(incidents.map(({ source }) => source));
  const answered = new Set(outcomes.map(({ source }) => source).filter((source) => !failed.has(source)));
  const whole = complete && facts.shard === null && plan.sections.length === 0 && plan.limit === null;
  const held =
    expectations && holdExpectations(expectations, { clauses: document.clauses, incidents }, answered, today, whole);
  return {
    complete,
    summary: document.summary,
    target: facts.target,
    plan,
    shard: facts.shard,
    findings: document.findings,
    groups: document.groups,
    unjudged: document.unjudged,
    incidents: held?.incidents ?? incidents,
    clauses: held?.clauses ?? document.clauses,
    expectations: held?.outcome ?? null,
    reproduce: outcomes.flatMap((outcome) => outcome.reproduce).sort(byExchange),
    versions: facts.versions,
    documents: facts.documents,
  };
}

/** Clauses that answers can decide, within the filters, and whatever else was seen along the way. */
function clausesInScope(plan: Plan, outcomes: readonly Outcome[], catalogue: Catalogue): Catalogue["clauses"] {
  const decidable = onAnswers(catalogue);
  const seen = new Set(
    outcomes.flatMap(({ evidence }) =>
      evidence.flatMap(({ exercised, groups }) => [...exercised, ...groups.map(({ clause }) => clause)]),
    ),
  );
  return catalogue.clauses.filter(({ id, interface: of, section }) => {
    if (plan.clauses.length > 0) return plan.clauses.includes(id);
    if (plan.interfaces.length > 0 && !plan.interfaces.includes(of)) return false;
    const inSection =
      plan.sections.length === 0 || plan.sections.includes(section) || plan.sections.includes(`${of}/${section}`);
    return seen.has(id) || (inSection && decidable.has(id));
  });
}
