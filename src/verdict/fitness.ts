/** Decides what a target is good for: features, and the clients that need them. A pure function of the results. */
import type { Client } from "./client.ts";
import { clientEvidence, clientOutcome } from "./client-outcome.ts";
import { type Feature, featureOutcome, isGood, type Shown } from "./feature-outcome.ts";
import { explained } from "./offered.ts";
import type { FeatureOutcome, RunResults } from "./run-results.ts";
import { violationsIn } from "./violations.ts";

export interface FitnessData {
  readonly features: readonly Feature[];
  readonly clients: readonly Client[];
}

/**
 * The results with what they say the target is good for, and which refusals that explains. They include what clients did
 * themselves, if they were tried.
 */
export function withFitness(results: RunResults, { features, clients }: FitnessData): RunResults {
  const violations = violationsIn(results);
  const { answers = [] } = results;
  const answering = new Set(answers.filter(isGood).map((answer) => answer.interface));
  const shown: Shown = { ...results, answers, answering, violations };
  const outcomesOf = (run: Shown): Map<string, FeatureOutcome> =>
    new Map(features.map((feature) => [feature.name, featureOutcome(feature, run)]));
  const incidents = explained(results.incidents, shown, features, outcomesOf(shown));
  // A missing feature is no fault of the other features that a request asks for.
  const byName = outcomesOf({ ...shown, incidents });
  const evidence = clientEvidence(results, violations, features, byName);
  return {
    ...results,
    incidents,
    features: [...byName.values()],
    clients: clients.map((client) => clientOutcome(client, evidence)),
  };
}
