/** Rules on what a reply says as a whole, whether it came at once or as a stream. */

import type { Grade } from "../../check/clause.ts";
import { formatList, quoted } from "../../check/format-list.ts";
import type { Fault, Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { editEvents, editJson, jsonBodyOf } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { isEventStream } from "../../wire/headers.ts";
import { isObject } from "../../wire/json.ts";
import { duplicateKeys } from "../common/json.ts";
import { memberOf } from "../common/members.ts";
import { modelEcho, replyIsJson, replyMediaType, successIs200 } from "../common/response.ts";
import { endsAtStop, stopsIn } from "../common/stops.ts";
import { hasUnknownBlocks, type Reply, type Spot, toolUses } from "./reading/blocks.ts";
import { replyOf } from "./reading/reply.ts";
import { streamOf } from "./reading/stream.ts";

type Data = Record<string, unknown>;

const here = (at: Spot, expected: string, actual: unknown, reading?: Grade): Fault => ({
  side: "response",
  ...at,
  expected,
  actual,
  ...(reading && { reading }),
});

/** Changes the members of a whole reply that a stream's `message_delta` carries too, in either. */
function editEnd(exchange: Exchange, change: (end: Data) => void): Exchange {
  if (!isEventStream(exchange.response)) return editJson(exchange, "response", (body: Data) => change(body));
  return editEvents(exchange, (events) => {
    for (const { data } of events)
      if (isObject(data) && data["type"] === "message_delta" && isObject(data["delta"])) change(data["delta"]);
  });
}

/** Changes a whole reply; undefined for a stream. */
function editWhole(exchange: Exchange, change: (body: Data & { content: Data[] }) => unknown): Exchange | undefined {
  return isEventStream(exchange.response) ? undefined : editJson(exchange, "response", change as never);
}

const thinks = (subject: Subject): boolean => {
  const { thinking } = subject.requestJson;
  return isObject(thinking) && thinking["type"] !== "disabled";
};

/** Reading M-THINKING-BLOCK: enabled thinking explains a block that is not listed. */
const blockTypeValues: Rule = {
  clause: "messages.response.block-type-values",
  applies: (subject) => (replyOf(subject)?.blocks.length ?? 0) > 0,
  *check(subject) {
    for (const { type, at } of replyOf(subject)?.blocks ?? [])
      if (typeof type === "string" && type !== "text" && type !== "tool_use")
        yield here({ ...at, pointer: `${at.pointer}/type` }, 'one of "text", "tool_use"', type, {
          id: "M-THINKING-BLOCK",
          default: thinks(subject) ? "note" : "warning",
          strict: "error",
        });
  },
  spoil: (exchange) => editWhole(exchange, (body) => void body.content.push({ type: "picture" })),
};

const maxTextLength = 5_000_000;

const textMaxLength: Rule = {
  clause: "messages.response.text-max-length",
  applies: (subject) => replyOf(subject)?.blocks.some(({ text }) => text !== undefined) === true,
  *check(subject) {
    for (const { type, text, textAt: place } of replyOf(subject)?.blocks ?? []) {
      // In code points (reading X-CHARS), counted only where the text could be too long at all.
      if (type !== "text" || text === undefined || text.length <= maxTextLength) continue;
      let length = 0;
      for (const _ of text) length++;
      if (length > maxTextLength) yield here(place, `at most ${maxTextLength} characters`, length);
      else
        yield here(place, `at most ${maxTextLength} UTF-16 units`, text.length, {
          id: "X-CHARS",
          default: "note",
          strict: "error",
        });
    }
  },
  spoil: (exchange) =>
    editWhole(exchange, (body) => {
      for (const block of body.content) if (block["type"] === "text") block["text"] = "x".repeat(maxTextLength + 1);
    }),
};

const toolUseIdUnique: Rule = {
  clause: "messages.response.tool-use-id-unique",
  applies: (subject) => {
    const reply = replyOf(subject);
    return reply !== undefined && toolUses(reply).length > 0;
  },
  *check(subject) {
    const reply = replyOf(subject);
    const known = new Set<unknown>();
    for (const { id, at } of reply ? toolUses(reply) : []) {
      if (typeof id === "string" && known.has(id))
        yield here({ ...at, pointer: `${at.pointer}/id` }, "an id no other block of the reply has", id);
      known.add(id);
    }
  },
  spoil: (exchange) =>
    editWhole(exchange, (body) => {
      const use = body.content.find(({ type }) => type === "tool_use");
      return use && { ...body, content: [...body.content, use] };
    }),
};

function stoppedBy(subject: Subject, ...reasons: string[]): Reply | undefined {
  const reply = replyOf(subject);
  return reply && reasons.includes(reply.stopReason as string) ? reply : undefined;
}

const toolUseReason: Rule = {
  clause: "messages.response.tool-use-reason",
  // If the request demands a call, a reply without one breaks that as well.
  alsoBreaks: ["messages.tools.choice-any-uses-tool", "messages.tools.choice-tool-uses-named"],
  applies: (subject) => stoppedBy(subject, "tool_use") !== undefined,
  *check(subject) {
    const reply = stoppedBy(subject, "tool_use");
    if (reply && toolUses(reply).length === 0 && !hasUnknownBlocks(reply))
      yield here(reply.stopReasonAt, "a tool_use block with this stop_reason", "tool_use");
  },
  spoil: (exchange) => editWhole(exchange, (body) => void (body.content = [{ type: "text", text: "Calling." }])),
};

/** Reading M-TOOLUSE-STOP: the token limit may cut a reply off behind its tool use. */
const toolUseStops: Rule = {
  clause: "messages.response.tool-use-stops",
  applies: (subject) => {
    const reply = replyOf(subject);
    return reply !== undefined && toolUses(reply).length > 0;
  },
  *check(subject) {
    const reply = stoppedBy(subject, "end_turn", "stop_sequence");
    if (reply && toolUses(reply).length > 0)
      yield here(reply.stopReasonAt, '"tool_use" with a tool_use block', reply.stopReason, {
        id: "M-TOOLUSE-STOP",
        default: reply.stopReason === "end_turn" ? "warning" : "off",
        strict: "error",
      });
  },
  spoil: (exchange) => editEnd(exchange, (end) => void (end["stop_reason"] = "end_turn")),
};

/** The stop sequences that were asked for; undefined where that is not known. */
function sequencesOf({ request, requestJson }: Subject): readonly string[] | undefined {
  if (request.body.kind !== "json") return undefined;
  const asked = requestJson["stop_sequences"] ?? [];
  return Array.isArray(asked) && asked.every((one) => typeof one === "string") ? asked : undefined;
}

const stopSequenceMatched: Rule = {
  clause: "messages.response.stop-sequence-matched",
  applies: (subject) =>
    stoppedBy(subject, "stop_sequence")?.stopSequence !== undefined && sequencesOf(subject)?.length !== 0,
  *check(subject) {
    const reply = stoppedBy(subject, "stop_sequence");
    if (reply?.stopSequence === null) yield here(reply.stopSequenceAt, "the stop sequence that matched", null);
  },
  spoil: (exchange) => editEnd(exchange, (end) => void (end["stop_sequence"] = null)),
};

const stopSequenceRequested: Rule = {
  clause: "messages.response.stop-sequence-requested",
  applies: (subject) => subject.request.body.kind === "json" && stoppedBy(subject, "stop_sequence") !== undefined,
  *check(subject) {
    const reply = stoppedBy(subject, "stop_sequence");
    const asked = sequencesOf(subject);
    if (!reply || !asked) return;
    const { stopSequence } = reply;
    // None can have matched where none was asked for, whatever the reply says of it: the reason is wrong.
    if (asked.length === 0)
      yield here(reply.stopReasonAt, "another stop_reason, since the request has no stop_sequences", reply.stopReason);
    else if (typeof stopSequence === "string" && !asked.includes(stopSequence))
      yield here(reply.stopSequenceAt, `one of ${formatList(asked, ", ", quoted)}`, stopSequence);
  },
  spoil: (exchange) => editEnd(exchange, (end) => void (end["stop_sequence"] = "never asked for")),
};

const stopSequenceNull: Rule = {
  clause: "messages.response.stop-sequence-null",
  applies: (subject) => stoppedBy(subject, "end_turn", "max_tokens", "tool_use")?.stopSequence !== undefined,
  *check(subject) {
    const reply = stoppedBy(subject, "end_turn", "max_tokens", "tool_use");
    if (reply && typeof reply.stopSequence === "string")
      yield here(reply.stopSequenceAt, `null with stop_reason "${reply.stopReason}"`, reply.stopSequence);
  },
  spoil: (exchange) => editEnd(exchange, (end) => void (end["stop_sequence"] = "###")),
};

const stopSequenceExcluded: Rule = {
  clause: "messages.response.stop-sequence-excluded",
  applies: (subject) => typeof stoppedBy(subject, "stop_sequence")?.stopSequence === "string",
  *check(subject) {
    const reply = stoppedBy(subject, "stop_sequence");
    const sequence = reply?.stopSequence;
    const last = reply?.blocks.findLast(({ text }) => text !== undefined);
    if (last?.text && typeof sequence === "string" && sequence !== "" && last.text.endsWith(sequence))
      yield here(last.textAt, "text without the stop sequence", sequence, {
        id: "M-STOP-TEXT",
        default: "off",
        strict: "warning",
      });
  },
  spoil: (exchange) =>
    editWhole(exchange, (body) => {
      const text = body.content.findLast(({ type }) => type === "text");
      if (text) text["text"] = `${text["text"]}${body["stop_sequence"]}`;
    }),
};

const endsAtStopSequence = endsAtStop(
  "messages.response.stop-sequence-ends",
  ({ requestJson }) => stopsIn(requestJson["stop_sequences"]),
  (subject) =>
    (replyOf(subject)?.blocks ?? []).flatMap(({ type, text, textAt }) =>
      type === "text" && text !== undefined ? [{ value: text, spot: textAt }] : [],
    ),
  (exchange) =>
    editWhole(exchange, (body) => {
      const [stop] = stopsIn(memberOf(jsonBodyOf(exchange.request), "stop_sequences"));
      const text = body.content.find(({ type }) => type === "text");
      if (text) text["text"] = `${text["text"]}${stop} and so it goes on.`;
    }),
);

/** Counts may include what is not visible; that was generated all the same. */
const outputWithinMaxTokens: Rule = {
  clause: "messages.response.output-within-max-tokens",
  applies: (subject) =>
    Number.isInteger(subject.requestJson["max_tokens"]) &&
    (subject.requestJson["max_tokens"] as number) > 1 &&
    Number.isInteger(replyOf(subject)?.outputTokens),
  *check(subject) {
    const reply = replyOf(subject);
    const limit = subject.requestJson["max_tokens"] as number;
    if (reply && (reply.outputTokens as number) > limit)
      yield here(reply.outputTokensAt, `at most max_tokens (${limit})`, reply.outputTokens);
  },
  spoil: (exchange) => editWhole(exchange, (body) => void ((body["usage"] as Data)["output_tokens"] = 9_999_999)),
};

const wholeModelEcho = modelEcho("messages.response.model-echo");

/** A stream names its model in `message_start`. */
const modelEchoOfAnyForm: Rule = {
  ...wholeModelEcho,
  applies: (subject) =>
    wholeModelEcho.applies(subject) ||
    (typeof streamOf(subject)?.model?.name === "string" && typeof subject.requestJson["model"] === "string"),
  check(subject) {
    const started = streamOf(subject)?.model;
    if (!started) return wholeModelEcho.check(subject);
    const asked = subject.requestJson["model"];
    if (started.name === asked) return undefined;
    const at = { in: "stream", event: started.event, pointer: "/message/model" } as const;
    return [here(at, JSON.stringify(asked), started.name, { id: "X-MODEL-ECHO", default: "off", strict: "warning" })];
  },
};

export const responseRules: readonly Rule[] = [
  replyIsJson("messages.response.body-json"),
  replyMediaType("messages.response.media-type"),
  successIs200("messages.response.status-200"),
  duplicateKeys("messages.response.duplicate-keys", "response"),
  modelEchoOfAnyForm,
  blockTypeValues,
  textMaxLength,
  toolUseIdUnique,
  toolUseReason,
  toolUseStops,
  stopSequenceMatched,
  stopSequenceRequested,
  stopSequenceNull,
  stopSequenceExcluded,
  endsAtStopSequence,
  outputWithinMaxTokens,
];
