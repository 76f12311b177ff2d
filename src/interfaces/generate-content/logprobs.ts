/** Rules of generate-content's `logprobs` section: steps of decoding, each with its candidates in order. */

import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { isObject } from "../../wire/json.ts";
import { editCandidate, type Loose } from "./examples/spoil.ts";
import { type Found, faultAt, itemsOf, objectsIn, replyOf } from "./reading/reply.ts";

type Json = Readonly<Record<string, unknown>>;

/** Results of log probabilities, with where they stand. */
function logprobsIn(subject: Subject): Found<Json>[] {
  return (replyOf(subject)?.candidates ?? []).flatMap(({ seen }) =>
    seen.flatMap(({ value, piece, pointer }) =>
      isObject(value["logprobsResult"])
        ? [{ value: value["logprobsResult"], piece, pointer: `${pointer}/logprobsResult` }]
        : [],
    ),
  );
}

const sorted: Rule = {
  clause: "generate-content.logprobs.sorted",
  applies: (subject) => logprobsIn(subject).some(({ value }) => itemsOf(value["topCandidates"]).length > 0),
  *check(subject) {
    for (const found of logprobsIn(subject))
      for (const { value, position } of objectsIn(found.value["topCandidates"])) {
        let before = Number.POSITIVE_INFINITY;
        for (const [i, token] of itemsOf(value["candidates"]).entries()) {
          const probability = isObject(token) ? token["logProbability"] : undefined;
          if (typeof probability !== "number") continue;
          if (probability > before) {
            yield {
              ...faultAt(found, `/topCandidates/${position}/candidates/${i}/logProbability`),
              expected: `at most ${before}, as before it`,
              actual: probability,
            };
            break;
          }
          before = probability;
        }
      }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ logprobsResult }) => {
      const step = logprobsResult?.topCandidates?.find(({ candidates }: Loose) => candidates?.length > 1);
      step?.candidates.reverse();
      return step !== undefined;
    }),
};

const onePerStep: Rule = {
  clause: "generate-content.logprobs.one-per-step",
  applies: (subject) =>
    logprobsIn(subject).some(
      ({ value }) => Array.isArray(value["topCandidates"]) && Array.isArray(value["chosenCandidates"]),
    ),
  *check(subject) {
    for (const found of logprobsIn(subject)) {
      const { topCandidates, chosenCandidates } = found.value;
      if (!Array.isArray(topCandidates) || !Array.isArray(chosenCandidates)) continue;
      if (topCandidates.length !== chosenCandidates.length)
        yield {
          ...faultAt(found, "/chosenCandidates"),
          expected: `${topCandidates.length} items, one for each of topCandidates`,
          actual: chosenCandidates.length,
        };
    }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ logprobsResult }) => logprobsResult?.topCandidates?.pop() !== undefined),
};

export const logprobsRules: readonly Rule[] = [sorted, onePerStep];
