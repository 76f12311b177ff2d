/** Laws of messages: what several exchanges show together. */

import type { ComparableReply } from "../../check/comparable-reply.ts";
import type { Law } from "../../check/law.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { utf8Text } from "../../wire/bytes.ts";
import { type EditableEvent, editEvents, editJson } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { isEventStream } from "../../wire/headers.ts";
import { isObject } from "../../wire/json.ts";
import { streamsApart } from "../common/laws/canaries.ts";
import { comparableReplyFrom, onlyTurn, sameConversation } from "../common/laws/conversation.ts";
import { canonicalJson, type Facts, type PlacedValue, questionOf } from "../common/laws/facts.ts";
import { callIdsDistinct, replyIdsDistinct } from "../common/laws/identity.ts";
import { arrivesInPieces } from "../common/laws/incremental.ts";
import { spoilAt, spoilLast, spoilStream } from "../common/laws/spoil.ts";
import { sameText } from "../common/laws/stream-text.ts";
import { sameUsage } from "../common/laws/stream-usage.ts";
import { sameFinish, sameIdForm } from "../common/laws/twins.ts";
import { headOf } from "./reading/head.ts";
import { replyOf } from "./reading/reply.ts";
import { streamOf } from "./reading/stream.ts";
import { editToolUses } from "./tools/calls.ts";

type Data = Record<string, unknown>;

const id = (name: string): string => `messages.laws.${name}`;

/** The data of a type among a stream's events: the last one's, with its position. */
function lastOf(subject: Subject, type: string): { readonly data: Data; readonly event: number } | undefined {
  const event = subject.streamEvents?.findLast(({ value }) => isObject(value) && value["type"] === type);
  return event && isObject(event.value) ? { data: event.value, event: event.position } : undefined;
}

/** Tokens of the request: those that were read anew, and those of a cache. */
function askedTokens(usage: unknown): number | undefined {
  if (!isObject(usage)) return undefined;
  const { input_tokens: fresh, cache_creation_input_tokens: created, cache_read_input_tokens: read } = usage;
  const counts = [fresh, created ?? 0, read ?? 0].filter((count) => typeof count === "number");
  return counts.length === 3 && Number.isSafeInteger(fresh) ? counts.reduce((sum, count) => sum + count, 0) : undefined;
}

/** The input tokens of a reply: in the body, or in the last event that has usage. */
function askedOf(subject: Subject): PlacedValue<number> | undefined {
  const told = (value: number | undefined, spot: PlacedValue<number>["spot"]): PlacedValue<number> | undefined =>
    value === undefined ? undefined : { value, spot };
  if (subject.replyJson)
    return told(askedTokens(subject.replyJson["usage"]), { in: "body", pointer: "/usage/input_tokens" });
  const start = lastOf(subject, "message_start");
  const message = isObject(start?.data["message"]) ? start.data["message"] : {};
  return (
    start &&
    told(askedTokens(message["usage"]), { in: "stream", event: start.event, pointer: "/message/usage/input_tokens" })
  );
}

export const factsOf = remember((subject: Subject): Facts | undefined => {
  const reply = replyOf(subject);
  if (!reply || subject.interrupted || subject.request.body.kind !== "json") return undefined;
  if (subject.streamEvents && !lastOf(subject, "message_stop")) return undefined;
  const texts = reply.blocks.filter(({ type, text }) => type === "text" && text !== undefined);
  const uses = reply.blocks.filter(({ type }) => type === "tool_use");
  const generated = reply.outputTokens;
  const text = texts.map((block) => block.text).join("");
  return {
    streamed: subject.streamEvents !== undefined,
    question: questionOf(subject.requestJson, (name) => name !== "stream"),
    id: headOf(subject),
    created: undefined,
    text: { value: text, spot: texts.at(-1)?.textAt ?? reply.stopReasonAt },
    pieces: (streamOf(subject)?.textDeltas ?? []).flatMap(({ delta: { text: piece }, event }) =>
      typeof piece === "string" ? [{ text: piece, event }] : [],
    ),
    calls: uses.map(({ id: own, name, input, at, inputAt: { piece: _piece, ...inputAt } }) => ({
      id: typeof own === "string" ? { value: own, spot: { ...at, pointer: `${at.pointer}/id` } } : undefined,
      name: typeof name === "string" ? name : undefined,
      arguments: input === undefined ? undefined : JSON.stringify(input),
      spot: inputAt,
    })),
    finish: typeof reply.stopReason === "string" ? { value: reply.stopReason, spot: reply.stopReasonAt } : undefined,
    asked: askedOf(subject),
    generated: Number.isSafeInteger(generated) ? { value: generated as number, spot: reply.outputTokensAt } : undefined,
    cold: isCold(subject.requestJson["temperature"]),
    thinks: reply.blocks.length > texts.length + uses.length,
    said: canonicalJson([text, uses.map(({ name, input }) => [name, input]), reply.stopReason]),
  };
});

const endings = { max_tokens: "at the token bound", end_turn: "by itself", tool_use: "by itself" } as const;

export function comparableReply(subject: Subject): ComparableReply | undefined {
  const facts = factsOf(subject);
  const { messages, max_tokens: maxTokens, tools } = subject.requestJson;
  return facts && comparableReplyFrom(facts, { content: onlyTurn(messages)["content"], maxTokens, tools }, endings);
}

/** A range that is also stated as more than 0 is cold just above it (reading M-TEMP). */
const isCold = (temperature: unknown): boolean => typeof temperature === "number" && temperature <= 0.01;

/** Changes a whole message, or every event of a stream. */
function editParts(exchange: Exchange, whole: (body: Data) => void, event: (data: Data) => void): Exchange {
  if (!isEventStream(exchange.response)) return editJson(exchange, "response", (body: Data) => void whole(body));
  return editEvents(exchange, (events) => {
    for (const { data } of events) if (isObject(data)) event(data);
  });
}

const editId = (exchange: Exchange, own: string): Exchange =>
  editParts(
    exchange,
    (body) => void (body["id"] = own),
    ({ message }) => {
      if (isObject(message)) message["id"] = own;
    },
  );

/** Lets every text say something else. */
const sayInstead = (exchange: Exchange, text: string): Exchange =>
  editParts(
    exchange,
    ({ content }) => {
      if (Array.isArray(content)) for (const block of content) if (block.type === "text") block.text = text;
    },
    ({ delta }) => {
      if (isObject(delta) && typeof delta["text"] === "string") delta["text"] = text;
    },
  );

/** Lets a whole message stop for another reason. */
const editStop = (exchange: Exchange, reason: string): Exchange =>
  editJson(exchange, "response", (body: Data) => void (body["stop_reason"] = reason));

function idOf(exchange: Exchange): string {
  const [, literal] = /"id":\s*("[^"]*")/.exec(utf8Text(exchange.response?.body ?? Buffer.of())) ?? [];
  return literal === undefined ? "" : JSON.parse(literal);
}

/** Changes the data of one type of event. */
const editType = (exchange: Exchange, type: string, change: (data: Data) => void): Exchange =>
  editEvents(exchange, (events: EditableEvent[]) => {
    for (const { data } of events) if (isObject(data) && data["type"] === type) change(data);
  });

export const laws: readonly Law[] = [
  replyIdsDistinct(
    "messages.response.id-unique",
    factsOf,
    spoilLast((last, first) => editId(last, idOf(first))),
  ),
  callIdsDistinct(
    id("tool-use-id-unique"),
    factsOf,
    spoilLast((last) => editToolUses(last, (block) => void (block["id"] = "toolu_01"))),
  ),
  sameFinish(
    id("stream-stop-reason"),
    factsOf,
    { calling: ["tool_use", "max_tokens"], talking: ["end_turn", "max_tokens", "stop_sequence"] },
    spoilStream((stream) =>
      editType(stream, "message_delta", ({ delta }) => {
        if (isObject(delta)) delta["stop_reason"] = "max_tokens";
      }),
    ),
  ),
  sameIdForm(
    id("stream-id-form"),
    factsOf,
    spoilStream((stream) => editId(stream, "3f2b8c")),
  ),
  sameUsage(
    id("stream-usage"),
    factsOf,
    spoilStream((stream) =>
      editType(stream, "message_start", ({ message }) => {
        if (isObject(message) && isObject(message["usage"])) message["usage"]["input_tokens"] = 999;
      }),
    ),
  ),
  arrivesInPieces(id("stream-incremental"), factsOf),
  sameText(
    id("stream-text"),
    factsOf,
    spoilStream((stream) => sayInstead(stream, "Other words.")),
  ),
  streamsApart(id("streams-apart"), factsOf, sayInstead),
  // A clause of its own holds lost arguments against a reply.
  sameConversation(
    "messages",
    false,
    spoilAt("/messages", (one) => editStop(one, "end_turn")),
  ),
];
