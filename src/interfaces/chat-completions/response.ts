/** Rules on what a chat reply holds, whole or put together from its chunks. */

import { warns } from "../../check/clause.ts";
import type { Fault, Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { isEventStream } from "../../wire/headers.ts";
import { duplicateKeys } from "../common/json.ts";
import { modelEcho, replyIsJson, replyMediaType, successIs200 } from "../common/response.ts";
import { askedIn, chunkChoices, editChoices, editReply, sayInstead } from "./examples/spoil.ts";
import { perChoice } from "./reading/choice-rule.ts";
import { askedOf, faultAt, type Reply, replyOf, valueAt, within } from "./reading/reply.ts";
import { textsOf } from "./reading/reply-parts.ts";
import { rules as extras } from "./response/extras.ts";
import { rules as logprobs } from "./response/logprobs.ts";
import { rules as usage } from "./response/usage.ts";

/** Reading C-INDEX: any order of 0..n-1 is fine, though out of order it warns. */
const indexPosition: Rule = {
  clause: "chat-completions.response.index-position",
  applies: (subject) => {
    const choices = replyOf(subject)?.choices ?? [];
    return choices.length > 0 && choices.every(({ index }) => index !== undefined);
  },
  check(subject) {
    const reply = replyOf(subject);
    if (!reply) return undefined;
    // One choice at position 0: the usual reply.
    if (reply.choices.length === 1 && reply.choices[0]!.index === 0) return undefined;
    return misplaced(subject, reply, askedOf(subject)?.["n"]);
  },
  spoil: (exchange) => editChoices(exchange, (choice) => void (choice.index += 9)),
};

function* misplaced(subject: Subject, reply: Reply, asked: unknown): Iterable<Fault> {
  // A choice that is missing is the count's fault, not its successors'.
  const count = Math.max(reply.choices.length, Number.isSafeInteger(asked) ? Number(asked) : 1);
  const seen = new Set<number | undefined>();
  let moved = false;
  for (const [i, { index = -1, spot }] of reply.choices.entries()) {
    const where = within(spot, "index");
    if (index < 0 || index >= count) {
      // A stream that broke off may have had more choices to come.
      if (index < 0 || !reply.streamed || reply.complete)
        yield faultAt(where, `a position from 0 to ${count - 1}`, valueAt(subject, where));
    } else if (seen.has(index)) yield faultAt(where, "an index no other choice has", index);
    else if (!reply.streamed && index !== i && !moved && count === reply.choices.length) {
      moved = true;
      yield faultAt(where, String(i), index, { reading: warns("C-INDEX") });
    }
    seen.add(index);
  }
}

const toolCallsGiven = perChoice(
  "finish-reason-tool-calls",
  ({ finish }) => finish === "tool_calls",
  function* ({ calls, message }) {
    if (calls.length === 0)
      yield faultAt(within(message, "tool_calls"), "a tool call, since the choice finished with tool_calls", undefined);
  },
  (exchange) => sayInstead(exchange, "No call at all."),
);

/** Only `stop` and `function_call` contradict calls: the other reasons say that the reply was cut short. */
const toolCallsFinish = perChoice(
  "tool-calls-finish-reason",
  ({ calls, finish }) => calls.length > 0 && typeof finish === "string",
  function* ({ finish, finishSpot }) {
    if (finish === "stop" || finish === "function_call")
      yield faultAt(finishSpot, `"tool_calls" beside tool calls`, finish, {
        reading: warns("C-FINISH-TOOLS", "X-CLIENTS"),
      });
  },
  (exchange) =>
    editChoices(exchange, (choice) => {
      if (choice.finish_reason) choice.finish_reason = "stop";
    }),
);

const functionCallGiven = perChoice(
  "finish-reason-function-call",
  ({ finish }) => finish === "function_call",
  function* ({ functionCall, calls, message }) {
    if (!functionCall && calls.length === 0)
      yield faultAt(
        within(message, "function_call"),
        "a function call, since the choice finished with function_call",
        undefined,
      );
  },
  (exchange) => sayInstead(exchange, "No call at all."),
);

const contentNull = perChoice(
  "content-null-with-tool-calls",
  ({ calls, content }) => calls.length > 0 && content !== undefined,
  function* (choice) {
    const texts = textsOf(choice);
    // A stream's first chunk carries empty content by another clause.
    const said = choice.pieces.length > 0 ? texts.find(({ value }) => value !== "") : texts[0];
    if (said) yield faultAt(said.spot, "null beside tool calls", said.value, { reading: warns("C-CONTENT-NULL") });
  },
  (exchange) =>
    editReply(
      exchange,
      (body) => {
        for (const { message } of body.choices) message.content = "Calling.";
      },
      (events) => {
        for (const { delta } of chunkChoices(events)) if (delta.tool_calls) delta.content = "Calling.";
      },
    ),
);

const functionCallDeprecated = perChoice(
  "function-call-deprecated",
  () => true,
  ({ functionCall }) => functionCall && [faultAt(functionCall.spot, "tool_calls instead", "function_call")],
  (exchange) =>
    isEventStream(exchange.response) || !askedIn(exchange).functions
      ? undefined
      : editReply(
          exchange,
          (body) => {
            const { name } = askedIn(exchange).functions[0];
            for (const { message } of body.choices) message.function_call = { name, arguments: "{}" };
          },
          undefined,
        ),
);

const finishDeprecated = perChoice(
  "finish-reason-function-call-deprecated",
  ({ finish }) => typeof finish === "string",
  ({ finish, finishSpot }) =>
    finish === "function_call" ? [faultAt(finishSpot, "tool_calls instead", finish)] : undefined,
  (exchange) =>
    editChoices(exchange, (choice) => {
      if (choice.finish_reason) choice.finish_reason = "function_call";
    }),
);

export const rules: readonly Rule[] = [
  replyIsJson("chat-completions.response.body-is-json"),
  replyMediaType("chat-completions.response.media-type"),
  successIs200("chat-completions.response.status"),
  duplicateKeys("chat-completions.response.duplicate-keys", "response"),
  modelEcho("chat-completions.response.model-echo"),
  indexPosition,
  toolCallsGiven,
  toolCallsFinish,
  functionCallGiven,
  contentNull,
  functionCallDeprecated,
  finishDeprecated,
  ...extras,
  ...logprobs,
  ...usage,
];
