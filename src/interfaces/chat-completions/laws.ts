/** Laws of chat-completions: what several exchanges show together. */

import type { ComparableReply } from "../../check/comparable-reply.ts";
import type { Law } from "../../check/law.ts";
import { remember, type Subject } from "../../check/subject.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { streamsApart } from "../common/laws/canaries.ts";
import { comparableReplyFrom, onlyTurn, sameConversation } from "../common/laws/conversation.ts";
import { canonicalText, type Facts, type PlacedValue, questionOf } from "../common/laws/facts.ts";
import { callIdsDistinct, createdMoves, replyIdsDistinct } from "../common/laws/identity.ts";
import { arrivesInPieces } from "../common/laws/incremental.ts";
import { spoilAt, spoilLast, spoilStream } from "../common/laws/spoil.ts";
import { sameText } from "../common/laws/stream-text.ts";
import { sameUsage } from "../common/laws/stream-usage.ts";
import { sameArguments, sameFinish, sameIdForm, sameSeed } from "../common/laws/twins.ts";
import { chunkChoices, editChoices, editHeads, editReply, editUsage, sayInstead } from "./examples/spoil.ts";
import { headOf, isEnded, replyOf, valueAt, within } from "./reading/reply.ts";
import { integer, type Placed, textsOf } from "./reading/reply-parts.ts";

const id = (name: string): string => `chat-completions.laws.${name}`;

const textIn = (head: Placed | undefined, member: string): PlacedValue<string> | undefined => {
  const value = head?.value[member];
  return head && typeof value === "string" ? { value, spot: within(head.spot, member) } : undefined;
};

const countIn = (head: Placed | undefined, member: string): PlacedValue<number> | undefined => {
  const value = integer(head?.value[member]);
  return head && value !== undefined ? { value, spot: within(head.spot, member) } : undefined;
};

/** Request members that say how the reply comes, not what it says. */
const ofStreams = new Set(["stream", "stream_options"]);

const questionIn = ({ requestJson }: Subject): string => questionOf(requestJson, (name) => !ofStreams.has(name));

/** The backend that says who answered a request with a seed. */
function backendOf(subject: Subject): string | undefined {
  const fingerprint = headOf(subject)?.value["system_fingerprint"];
  return typeof fingerprint === "string" && integer(subject.requestJson["seed"]) !== undefined
    ? fingerprint
    : undefined;
}

export const factsOf = remember((subject: Subject): Facts | undefined => {
  const reply = replyOf(subject);
  const head = headOf(subject);
  const first = reply?.choices.find(({ index }) => index === 0) ?? reply?.choices[0];
  if (!reply?.complete || !head || !first || subject.request.body.kind !== "json") return undefined;
  if (reply.streamed && !isEnded(subject)) return undefined;
  const usage = reply.usages.at(-1);
  const details = usage?.value["completion_tokens_details"];
  const messages = first.pieces.length > 0 ? first.pieces.map(({ delta }) => delta) : [valueAt(subject, first.message)];
  const hidden = messages.some((one) => isObject(one) && Object.keys(one).some((name) => name.startsWith("reasoning")));
  const all = reply.choices.map(({ content, refusal, calls, functionCall, finish }) => [
    content || null,
    refusal || null,
    calls.map((call) => [call.name, canonicalText(call.arguments)]),
    canonicalText(functionCall?.arguments) ?? null,
    finish,
  ]);
  return {
    streamed: reply.streamed,
    question: questionIn(subject),
    id: textIn(head, "id"),
    created: countIn(head, "created"),
    text: { value: first.content ?? "", spot: within(first.message, "content") },
    pieces: textsOf(first).flatMap(({ value, spot: { event } }) =>
      event === undefined ? [] : [{ text: value, event }],
    ),
    calls: first.calls.map((call) => ({
      id: call.id === undefined ? undefined : { value: call.id, spot: within(call.spot, "id") },
      name: call.name,
      arguments: call.arguments,
      spot: call.spot,
    })),
    finish: typeof first.finish === "string" ? { value: first.finish, spot: first.finishSpot } : undefined,
    asked: countIn(usage, "prompt_tokens"),
    generated: countIn(usage, "completion_tokens"),
    cold: subject.requestJson["temperature"] === 0,
    backend: backendOf(subject),
    thinks:
      hidden || reply.choices.length > 1 || (isObject(details) && (integer(details["reasoning_tokens"]) ?? 0) > 0),
    said: JSON.stringify(all),
  };
});

const endings = { length: "at the token bound", stop: "by itself", tool_calls: "by itself" } as const;

export function comparableReply(subject: Subject): ComparableReply | undefined {
  const facts = factsOf(subject);
  const { messages, max_completion_tokens: maxTokens, max_tokens: formerly, tools } = subject.requestJson;
  const asked = { content: onlyTurn(messages)["content"], maxTokens: maxTokens ?? formerly, tools };
  return facts && comparableReplyFrom(facts, asked, endings);
}

const replyIn = (exchange: Exchange): { id: string; created: number } =>
  JSON.parse(
    Buffer.from(exchange.response?.body ?? [])
      .toString("utf8")
      .replace(/^data: (.*)[\s\S]*/, "$1"),
  );

export const laws: readonly Law[] = [
  replyIdsDistinct(
    "chat-completions.response.id-unique",
    factsOf,
    spoilLast((last, first) => editHeads(last, (head) => void (head.id = replyIn(first).id))),
  ),
  callIdsDistinct(
    id("tool-call-id-unique"),
    factsOf,
    spoilLast((last) =>
      editReply(
        last,
        (body) => {
          for (const { message } of body.choices) for (const call of message.tool_calls ?? []) call.id = "call_1";
        },
        (events) => {
          for (const { delta } of chunkChoices(events))
            for (const call of delta.tool_calls ?? []) if (call.id) call.id = "call_1";
        },
      ),
    ),
  ),
  createdMoves(
    id("created-moves"),
    factsOf,
    spoilLast((last, first) => editHeads(last, (head) => void (head.created = replyIn(first).created))),
  ),
  sameFinish(
    id("stream-finish"),
    factsOf,
    { calling: ["tool_calls", "length", "content_filter"], talking: ["stop", "length", "content_filter"] },
    spoilStream((stream) =>
      editChoices(stream, (choice) => {
        if (choice.finish_reason) choice.finish_reason = "content_filter";
      }),
    ),
  ),
  sameArguments(
    id("stream-arguments"),
    factsOf,
    spoilStream((stream) =>
      editReply(stream, undefined, (events) => {
        const pieces = chunkChoices(events).flatMap(({ delta }) => delta.tool_calls ?? []);
        const last = pieces.findLast((call) => call.function?.arguments);
        if (last) last.function.arguments = "";
      }),
    ),
  ),
  sameIdForm(
    id("stream-id-form"),
    factsOf,
    spoilStream((stream) => editHeads(stream, (head) => void (head.id = "3f2b8c"))),
  ),
  sameUsage(
    id("stream-usage"),
    factsOf,
    spoilStream((stream) =>
      editUsage(stream, (usage) => {
        usage.prompt_tokens += 7;
        usage.total_tokens += 7;
      }),
    ),
  ),
  arrivesInPieces(id("stream-incremental"), factsOf),
  sameText(
    id("stream-text"),
    factsOf,
    spoilStream((stream) => sayInstead(stream, "Other words.")),
  ),
  sameSeed(
    "chat-completions.exchange.seed-deterministic",
    factsOf,
    spoilLast((last) => sayInstead(last, "Other words.")),
  ),
  streamsApart(id("streams-apart"), factsOf, sayInstead),
  sameConversation(
    "chat-completions",
    true,
    spoilAt("/chat/completions", (one) => editChoices(one, (choice) => void (choice.finish_reason = "stop"))),
  ),
];
