/** Rules on the token counts of a chat reply, of a stream and of listed completions. */

import type { Fault, Rule } from "../../../check/rule.ts";
import { remember, type Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import { editUsage } from "../examples/spoil.ts";
import { faultAt, type Placed, replyOf, within } from "../reading/reply.ts";

/** Usage of the reply, or of every completion of a list. */
function readUsages(subject: Subject): readonly Placed[] {
  const reply = replyOf(subject);
  if (reply) return reply.usages;
  const data = subject.replyJson?.["data"];
  if (!Array.isArray(data)) return [];
  return data.flatMap((entry: unknown, i): Placed[] =>
    isObject(entry) && isObject(entry["usage"])
      ? [{ value: entry["usage"], spot: { in: "body", pointer: `/data/${i}/usage` } }]
      : [],
  );
}

const usagesOf = remember(readUsages);

const counts = ({ value }: Placed): { prompt: number; completion: number; total: number } | undefined => {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = value;
  return Number.isSafeInteger(prompt) && Number.isSafeInteger(completion) && Number.isSafeInteger(total)
    ? { prompt: prompt as number, completion: completion as number, total: total as number }
    : undefined;
};

const totalSum: Rule = {
  clause: "chat-completions.response.total-tokens-sum",
  applies: (subject) => usagesOf(subject).some(counts),
  check(subject) {
    let faults: Fault[] | undefined;
    for (const usage of usagesOf(subject)) {
      const sum = counts(usage);
      if (!sum || sum.total === sum.prompt + sum.completion) continue;
      const expected = `${sum.prompt} + ${sum.completion} = ${sum.prompt + sum.completion}`;
      (faults ??= []).push(faultAt(within(usage.spot, "total_tokens"), expected, sum.total));
    }
    return faults;
  },
  spoil: (exchange) => editUsage(exchange, (usage) => void (usage.total_tokens += 1)),
};

const rejected = ({ value }: Placed): { rejected: number; completion: number } | undefined => {
  const details = value["completion_tokens_details"];
  const count = isObject(details) ? details["rejected_prediction_tokens"] : undefined;
  const completion = value["completion_tokens"];
  return Number.isSafeInteger(count) && Number.isSafeInteger(completion)
    ? { rejected: count as number, completion: completion as number }
    : undefined;
};

const rejectedCounted: Rule = {
  clause: "chat-completions.response.rejected-prediction-tokens-counted",
  applies: (subject) => usagesOf(subject).some(rejected),
  check(subject) {
    let faults: Fault[] | undefined;
    for (const usage of usagesOf(subject)) {
      const known = rejected(usage);
      if (!known || known.rejected <= known.completion) continue;
      const where = within(usage.spot, "completion_tokens_details/rejected_prediction_tokens");
      (faults ??= []).push(faultAt(where, `at most ${known.completion}, the completion tokens`, known.rejected));
    }
    return faults;
  },
  spoil: (exchange) =>
    editUsage(exchange, (usage) => {
      usage.completion_tokens_details.rejected_prediction_tokens = usage.completion_tokens + 1;
    }),
};

export const rules: readonly Rule[] = [totalSum, rejectedCounted];
