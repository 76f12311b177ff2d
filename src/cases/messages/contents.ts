/** Cases of what a message holds: the document allows all of it. */

import type { Answer } from "../answer.ts";
import { callPart, inPieces } from "../calls.ts";
import type { Case } from "../case.ts";
import type { Good } from "../good.ts";
import type { SpeechPart } from "../speech.ts";
import type { GoodEvent, Json } from "../voice.ts";
import { cutEmoji, piecesOf } from "../words.ts";

type Own = Pick<Case, "id" | "says" | "answer"> & Partial<Case>;

const legal = (own: Own): Case => ({
  interfaces: ["messages"],
  kind: "legal",
  restsOn: ["messages.streaming.event-types", "M-PING"],
  due: "answer",
  ...own,
  id: `messages/${own.id}`,
});
const inStream = (own: Own): Case => legal({ form: "stream", ...own });
const whole = (own: Own): Case => legal({ form: "whole", restsOn: ["messages.response.content-array"], ...own });
const calling = (own: Own): Case =>
  legal({ needs: "tools", restsOn: ["messages.streaming.input-json-object"], ...own });

const text = (words: readonly string[]): SpeechPart => ({ kind: "text", pieces: piecesOf(words) });
const said = (good: Good, ...parts: readonly SpeechPart[]): Good => good.say({ parts, end: "stop" });
const calls = (good: Good, ...parts: readonly SpeechPart[]): Good => good.say({ parts, end: "calls" });

const inThreeBlocks = (good: Good): Answer => {
  const pieces = piecesOf(good.words);
  return said(
    good,
    { kind: "text", pieces: pieces.slice(0, 3) },
    { kind: "text", pieces: pieces.slice(3, 6) },
    { kind: "text", pieces: pieces.slice(6) },
  ).answer();
};

/** Changes the data of each event. */
export const changed = (good: Good, change: (data: Json, at: number) => Json): GoodEvent[] =>
  good.events.map((event, i) => ({ ...event, data: change(event.data as Json, i) }));

const named = (data: Json): GoodEvent => ({ event: String(data["type"]), data });
const ping = named({ type: "ping" });
const thought = (): SpeechPart => ({ kind: "thinking", pieces: ["Let me", " think", " about it."] });

/** One call with the given pieces of input. */
const oneCall = (good: Good, pieces: (whole: string) => readonly string[]): Good => {
  const part = callPart(good);
  return calls(good, { ...part, pieces: pieces(part.pieces.join("")) });
};

const isBegun = ({ requestJson }: Good): string | undefined => {
  const { messages } = requestJson;
  const last = Array.isArray(messages) ? (messages.at(-1) as Json | undefined) : undefined;
  return last?.["role"] === "assistant" ? undefined : "its last message is none of the assistant";
};

export const texts: readonly Case[] = [
  inStream({
    id: "pings",
    says: "A ping comes between every two events.",
    restsOn: ["messages.streaming.event-types", "X-SSE"],
    answer: (good) => good.withEvents(good.events.flatMap((event, i) => (i === 0 ? [event] : [ping, event]))),
  }),
  inStream({
    id: "ping-first",
    says: "A ping comes before everything else.",
    restsOn: ["messages.streaming.starts-with-message-start"],
    isNeutral: true,
    answer: (good) => good.withEvents([ping, ...good.events]),
  }),
  inStream({
    id: "ping-last",
    says: "A ping follows the end of the message.",
    restsOn: ["messages.streaming.message-stop-last"],
    isNeutral: true,
    answer: (good) => good.withEvents([...good.events, ping]),
  }),
  inStream({
    id: "no-event-lines",
    says: "No event has an event line. Only its data gives its type.",
    restsOn: ["messages.streaming.event-line-present"],
    isNeutral: true,
    answer: (good) => good.withEvents(good.events.map(({ data }) => ({ data }))),
  }),
  inStream({
    id: "unknown-event",
    says: "An event of a type that the document does not list comes in the middle of the text.",
    restsOn: ["messages.streaming.event-types"],
    answer: (good) =>
      good.withEvents(
        good.events.toSpliced(5, 0, named({ type: "content_block_note", index: 0, note: { id: "4f1c" } })),
      ),
  }),
  inStream({
    id: "unknown-members",
    says: "Events, deltas and the message have members that no document lists.",
    restsOn: ["X-EXTRA"],
    answer: (good) =>
      good.withEvents(
        changed(good, (data) => ({
          ...data,
          trace: "4f1c",
          ...(typeof data["delta"] === "object" && { delta: { ...(data["delta"] as Json), citations_more: [] } }),
          ...(typeof data["message"] === "object" && { message: { ...(data["message"] as Json), container: null } }),
        })),
      ),
  }),
  inStream({
    id: "unknown-delta",
    says: "A text block has a delta of an unlisted type beside its text deltas.",
    restsOn: ["messages.streaming.delta-type"],
    kind: "odd",
    answer: (good) =>
      good.withEvents(
        good.events.toSpliced(
          5,
          0,
          named({
            type: "content_block_delta",
            index: 0,
            delta: {
              type: "citations_delta",
              citation: { type: "char_location", cited_text: "", document_index: 0 },
              text: "",
            },
          }),
        ),
      ),
  }),
  inStream({
    id: "thinking-before-text",
    says: "A thinking block comes before the text.",
    restsOn: ["messages.response.block-type-values"],
    answer: (good) => said(good, thought(), text(good.words)).answer(),
  }),
  inStream({
    id: "unknown-block",
    says: "A block of a type that the document does not list comes before the text.",
    restsOn: ["messages.response.block-type-values", "M-THINKING-BLOCK"],
    isNeutral: true,
    answer: (good) => {
      const own = said(good, thought(), text(good.words));
      const other = changed(own, (data) =>
        data["content_block"] && data["index"] === 0
          ? { ...data, content_block: { type: "server_note", id: "note_1" } }
          : data,
      );
      return own.withEvents(other.filter(({ data }) => !((data as Json)["index"] === 0 && (data as Json)["delta"])));
    },
  }),
  inStream({
    id: "several-text-blocks",
    says: "The text is spread over three blocks.",
    restsOn: ["messages.streaming.index-sequence"],
    answer: inThreeBlocks,
  }),
  inStream({
    id: "text-at-once",
    says: "One delta carries the whole text.",
    answer: (good) => said(good, { kind: "text", pieces: [good.words.join(" ")] }).answer(),
  }),
  inStream({
    id: "surrogates-split",
    says: "The two escapes of an emoji come in two deltas.",
    restsOn: ["RFC 8259 section 8.2"],
    isNeutral: true,
    answer: (good) => said(good, { kind: "text", pieces: cutEmoji(good.words) }).answer(),
  }),
  inStream({
    id: "prefill",
    says: "The message continues the last message of the assistant.",
    restsOn: ["messages.response.continues-assistant"],
    needs: isBegun,
    wants: "prefill",
    answer: (good) => good.answer(),
  }),
  inStream({
    id: "finish-by-length",
    says: "The message ends because the token limit is reached.",
    restsOn: ["messages.streaming.stop-reason-values"],
    due: "either",
    answer: (good) => good.say({ parts: [text(good.words)], end: "length" }).answer(),
  }),
  inStream({
    id: "empty-message",
    says: "The message has no block.",
    restsOn: ["messages.streaming.block-cycle"],
    due: "end",
    answer: (good) => said(good).answer(),
  }),
  inStream({
    id: "empty-block",
    says: "The message has a text block that no delta fills, and then one with text.",
    restsOn: ["messages.streaming.block-stopped"],
    isNeutral: true,
    answer: (good) => said(good, { kind: "text", pieces: [] }, text(good.words)).answer(),
  }),
  inStream({
    id: "start-with-few-members",
    says: "The message of the first event has only the members that the document lists.",
    restsOn: ["messages.streaming.start-content-present", "https://github.com/SaladDay/cc-switch-cli/pull/320"],
    isNeutral: true,
    answer: (good) =>
      good.withEvents(
        changed(good, (data) => {
          if (!data["message"]) return data;
          const { id, model, role, type } = data["message"] as Json;
          return { ...data, message: { id, model, role, type, stop_reason: null } };
        }),
      ),
  }),
  inStream({
    id: "usage-in-delta-alone",
    says: "The usage of the last event is only inside its delta, as the document describes.",
    restsOn: ["messages.streaming.usage-place"],
    isNeutral: true,
    answer: (good) =>
      good.withEvents(
        changed(good, (data) => {
          const { usage: _usage, ...rest } = data;
          return data["type"] === "message_delta" ? rest : data;
        }),
      ),
  }),
  inStream({
    id: "long-id",
    says: "The id has a thousand characters.",
    restsOn: ["messages.streaming.start-id-type"],
    answer: (good) =>
      good.withEvents(
        changed(good, (data) =>
          data["message"]
            ? { ...data, message: { ...(data["message"] as Json), id: `msg_${"i".repeat(1000)}` } }
            : data,
        ),
      ),
  }),
  whole({
    id: "whole-several-blocks",
    says: "The text is spread over three blocks.",
    answer: inThreeBlocks,
  }),
  whole({
    id: "whole-thinking",
    says: "A thinking block comes before the text.",
    restsOn: ["messages.response.block-type-values"],
    answer: (good) => said(good, thought(), text(good.words)).answer(),
  }),
  whole({
    id: "whole-unknown-block",
    says: "A block of a type that the document does not list comes before the text.",
    restsOn: ["messages.response.block-type-values", "M-THINKING-BLOCK"],
    isNeutral: true,
    answer: (good) => {
      const message = good.body as Json;
      const other = { type: "server_note", id: "note_1" };
      return good.withBody({ ...message, content: [other, ...(message["content"] as Json[])] });
    },
  }),
  whole({
    id: "whole-empty",
    says: "The message has no block.",
    restsOn: ["messages.response.content-array"],
    due: "end",
    answer: (good) => said(good).answer(),
  }),
  whole({
    id: "whole-by-length",
    says: "The message ends because the token limit is reached.",
    restsOn: ["messages.response.stop-reason-values"],
    due: "either",
    answer: (good) => good.say({ parts: [text(good.words)], end: "length" }).answer(),
  }),
  whole({
    id: "whole-unknown-members",
    says: "Message, usage and blocks have members that no document lists.",
    restsOn: ["X-EXTRA"],
    answer: (good) => {
      const message = good.body as Json;
      return good.withBody({
        ...message,
        container: null,
        usage: { ...(message["usage"] as Json), service_tier: "standard", cache_creation: { ephemeral: 1 } },
        content: (message["content"] as Json[]).map((block) => ({ ...block, citations: null })),
      });
    },
  }),
  whole({
    id: "whole-other-model",
    says: "The message names a model of another version than the request asks for.",
    restsOn: ["X-MODEL-ECHO"],
    answer: (good) => good.withBody({ ...(good.body as Json), model: "another-model-2026-01-01" }),
  }),
];

export const toolCalls: readonly Case[] = [
  calling({
    id: "call",
    says: "The model calls one tool.",
    answer: (good) => oneCall(good, (given) => inPieces(given, 9)).answer(),
  }),
  calling({
    id: "call-and-text",
    says: "The model says something and calls a tool.",
    answer: (good) => calls(good, text(good.words), callPart(good)).answer(),
  }),
  calling({
    id: "thinking-and-call",
    says: "The model thinks and calls a tool.",
    answer: (good) => calls(good, thought(), callPart(good)).answer(),
  }),
  calling({
    id: "parallel-calls",
    says: "The model calls two tools.",
    answer: (good) => calls(good, callPart(good, 0), callPart(good, 1)).answer(),
  }),
  calling({
    id: "call-before-text",
    says: "The model calls a tool and then says something.",
    isNeutral: true,
    answer: (good) => calls(good, callPart(good), text(good.words)).answer(),
  }),
  calling({
    id: "input-by-letter",
    says: "The input of a call comes one character at a time.",
    form: "stream",
    answer: (good) => oneCall(good, (given) => inPieces(given, 1)).answer(),
  }),
  calling({
    id: "input-at-once",
    says: "One delta carries the whole input of a call.",
    form: "stream",
    answer: (good) => oneCall(good, (given) => [given]).answer(),
  }),
  calling({
    id: "empty-pieces",
    says: "Empty pieces of input come between the others.",
    form: "stream",
    answer: (good) => oneCall(good, (given) => inPieces(given, 5).flatMap((piece) => ["", piece, ""])).answer(),
  }),
  calling({
    id: "no-input-delta",
    says: "A call without arguments has no input delta at all.",
    restsOn: ["messages.streaming.block-stopped"],
    form: "stream",
    isNeutral: true,
    answer: (good) => emptied(oneCall(good, () => [])),
  }),
  calling({
    id: "empty-input-delta",
    says: "The only input delta of a call without arguments is an empty string.",
    restsOn: ["messages.streaming.input-json-string"],
    form: "stream",
    answer: (good) => emptied(oneCall(good, () => [""])),
  }),
  calling({
    id: "empty-object",
    says: "The input of a call is an empty object.",
    answer: (good) => oneCall(good, () => ["{}"]).answer(),
  }),
  calling({
    id: "input-with-blanks",
    says: "The JSON of the input has spaces and line breaks.",
    form: "stream",
    answer: (good) => oneCall(good, (given) => inPieces(JSON.stringify(JSON.parse(given), undefined, 2), 9)).answer(),
  }),
  calling({
    id: "input-escaped",
    says: "The input escapes every non-ASCII character, and pieces split these escapes.",
    form: "stream",
    answer: (good) =>
      oneCall(good, (given) =>
        inPieces(
          given.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
          2,
        ),
      ).answer(),
  }),
  calling({
    id: "pings-in-input",
    says: "Pings come between the pieces of the input of a call.",
    form: "stream",
    answer: (good) => {
      const own = oneCall(good, (given) => inPieces(given, 7));
      return own.withEvents(own.events.flatMap((event, i) => (i === 0 ? [event] : [ping, event])));
    },
  }),
];

/** Without any input, a call has an empty object as its arguments. */
function emptied(good: Good) {
  const answer = good.answer();
  return {
    ...answer,
    said: { ...answer.said, calls: answer.said.calls.map(({ name }) => ({ name, arguments: "{}" })) },
  };
}
