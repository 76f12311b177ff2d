/** Reads what a reply holds besides plain text: what shows that a feature works. */
import type { Interface } from "../check/interface.ts";
import { isObject } from "../wire/json.ts";
import { memberPaths } from "../wire/member-paths.ts";
import { itemsAt, memberOf } from "./common/members.ts";

/**
 * The signs of a reply, sorted; `calls` and `choices` stand for several of them.
 * @param values the JSON of the reply, or of each event of its stream
 */
export function replySigns({ replies = {} }: Pick<Interface, "replies">, values: readonly unknown[]): string[] {
  const { holds = [], calls = () => [], choices } = replies;
  const found = new Set<string>();
  const left = new Set(holds);
  for (const value of values)
    for (const member of memberPaths(value))
      for (const sign of left)
        if (sign[1].test(member)) {
          found.add(sign[0]);
          left.delete(sign);
        }
  if (new Set(values.flatMap(calls)).size > 1) found.add("calls");
  const indices = (value: unknown) => itemsAt(value, choices ?? "").map((one, i) => memberOf(one, "index") ?? i);
  if (choices !== undefined && new Set(values.flatMap(indices)).size > 1) found.add("choices");
  return [...found].sort();
}

/**
 * Signs that a reply shows only beside its request: `continuation` of a begun answer, `answer-to-tool-result`.
 * @param asked the JSON of the request
 * @param holds the signs of the reply by itself
 */
export function exchangeSigns(
  { replies: { answers, continues } = {} }: Pick<Interface, "replies">,
  asked: unknown,
  values: readonly unknown[],
  holds: readonly string[],
): string[] {
  const last = answers && itemsAt(asked, answers.messages).at(-1);
  const isAnswer = answers !== undefined && [...memberPaths(last)].some((member) => answers.toolResult.test(member));
  return [
    ...(isAnswer && (holds.includes("text") || holds.includes("call")) ? ["answer-to-tool-result"] : []),
    ...(continues?.(asked, values) ? ["continuation"] : []),
  ];
}

/** Whether a reply comes to an error whatever its status: a stream whose last event is one, or an error object with success. */
export function isErrorReply(values: readonly unknown[]): boolean {
  const last = values.at(-1);
  return memberOf(last, "type") === "error" || isObject(memberOf(last, "error"));
}
