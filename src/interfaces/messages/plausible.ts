/** Rules on values of a message that cannot be right, though their types are. */

import { warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import { inWords } from "../../check/unquoted.ts";
import { editEvents, editJson } from "../../wire/edit.ts";
import { isEventStream } from "../../wire/headers.ts";
import { isObject, parseJsonBytes } from "../../wire/json.ts";
import { idsNotEmpty } from "../common/plausible.ts";
import { toolUses } from "./reading/blocks.ts";
import { headOf } from "./reading/head.ts";
import { replyOf } from "./reading/reply.ts";
import { editToolUses } from "./tools/calls.ts";

/** Characters from which on a text that comes again is no chance. */
const shortestRepeat = 16;

/** The text of the caller's that a reply goes on from; undefined where there is none, or hardly any. */
function begunText(request: unknown): string | undefined {
  const messages = isObject(request) ? request["messages"] : undefined;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (!isObject(last) || last["role"] !== "assistant") return undefined;
  const { content } = last;
  const block: unknown = Array.isArray(content) ? content.at(-1) : content;
  const text = isObject(block) ? block["text"] : block;
  return typeof text === "string" && text.trim().length >= shortestRepeat ? text.trim() : undefined;
}

const begunTextNotRepeated: Rule = {
  clause: "messages.plausible.begun-text-not-repeated",
  applies: (subject) => begunText(subject.requestJson) !== undefined && replyOf(subject)?.blocks[0]?.text !== undefined,
  *check(subject) {
    const begun = begunText(subject.requestJson);
    const [first] = replyOf(subject)?.blocks ?? [];
    if (begun !== undefined && first?.text?.trimStart().startsWith(begun))
      yield {
        side: "response",
        ...first.textAt,
        expected: "text that goes on where the last message of the request ends",
        actual: inWords("all of that message's text again"),
        reading: warns("X-PLAUSIBLE"),
      };
  },
  spoil: (exchange) => {
    const request = parseJsonBytes(exchange.request.body);
    const begun = request.ok ? begunText(request.value) : undefined;
    if (begun === undefined || isEventStream(exchange.response)) return undefined;
    return editJson(exchange, "response", (body: { content: Record<string, unknown>[] }) => {
      const [first] = body.content;
      if (first) first["text"] = `${begun}${first["text"]}`;
    });
  },
};

export const rules: readonly Rule[] = [
  begunTextNotRepeated,
  idsNotEmpty(
    "messages.plausible.id-not-empty",
    (subject) => [headOf(subject) ?? []].flat(),
    (exchange) =>
      isEventStream(exchange.response)
        ? editEvents(exchange, (events) => {
            for (const { data } of events) if (isObject(data) && isObject(data["message"])) data["message"]["id"] = "";
          })
        : editJson(exchange, "response", (body: Record<string, unknown>) => void (body["id"] = "")),
  ),
  idsNotEmpty(
    "messages.plausible.tool-use-id-not-empty",
    (subject) => {
      const reply = replyOf(subject);
      return (reply ? toolUses(reply) : []).flatMap(({ id, at }) =>
        typeof id === "string" ? [{ value: id, spot: { ...at, pointer: `${at.pointer}/id` } }] : [],
      );
    },
    (exchange) => editToolUses(exchange, (block) => void (block["id"] = "")),
  ),
];
