/** Rules of generate-content's `generation-config` section on the log probabilities that replies owe to it. */

import { notes } from "../../../check/clause.ts";
import type { Rule } from "../../../check/rule.ts";
import { inWords } from "../../../check/unquoted.ts";
import { isObject } from "../../../wire/json.ts";
import { editAllPieces, editCandidate, type Loose } from "../examples/spoil.ts";
import { configOf, id, isCount } from "../generation-config.ts";
import { type Candidate, faultAt, finished, itemsOf, memberOf, objectsIn, replyOf } from "../reading/reply.ts";

const hasLogprobs = ({ seen }: Candidate): boolean =>
  seen.some(({ value }) => isObject(value["logprobsResult"]) || typeof value["avgLogprobs"] === "number");

const logprobsReported: Rule = {
  clause: id("logprobs-reported"),
  applies: (subject) => {
    const reply = replyOf(subject);
    return (
      configOf(subject)["responseLogprobs"] === true && reply?.complete === true && reply.candidates.some(finished)
    );
  },
  *check(subject) {
    for (const candidate of replyOf(subject)!.candidates)
      if (finished(candidate) && !hasLogprobs(candidate))
        yield {
          ...faultAt(candidate.seen.at(-1)!),
          expected: "logprobsResult",
          actual: inWords("none"),
          reading: notes("G-LOGPROBS"),
        };
  },
  spoil: (exchange) =>
    editAllPieces(exchange, ({ candidates }) => {
      let changed = false;
      for (const candidate of itemsOf(candidates) as Loose[]) {
        changed ||= candidate?.logprobsResult !== undefined;
        delete candidate?.logprobsResult;
        delete candidate?.avgLogprobs;
      }
      return changed;
    }),
};

const logprobsCount: Rule = {
  clause: id("logprobs-count"),
  applies: (subject) =>
    isCount(configOf(subject)["logprobs"], 0) && replyOf(subject)?.candidates.some(hasLogprobs) === true,
  *check(subject) {
    const max = configOf(subject)["logprobs"] as number;
    for (const { seen } of replyOf(subject)!.candidates)
      for (const found of seen)
        for (const { value, position } of objectsIn(memberOf(found.value, "logprobsResult")["topCandidates"])) {
          const listed = value["candidates"];
          if (!Array.isArray(listed) || listed.length === max) continue;
          yield {
            ...faultAt(found, `/logprobsResult/topCandidates/${position}/candidates`),
            expected: `${max} top candidates`,
            actual: listed.length,
            reading: { id: "G-LOGPROBS", default: listed.length > max ? "error" : "off", strict: "error" },
          };
        }
  },
  spoil: (exchange) =>
    editCandidate(exchange, ({ logprobsResult }) => {
      const step = logprobsResult?.topCandidates?.[0]?.candidates;
      for (let i = 0; step && i < 30; i++) step.push({ ...step.at(-1) });
      return step !== undefined;
    }),
};

export const configLogprobsRules: readonly Rule[] = [logprobsReported, logprobsCount];
