/** Cases of what a chat completion holds: the documents allow all of it. */
import { isObject } from "../../wire/json.ts";
import { callPart, inPieces } from "../calls.ts";
import type { Case } from "../case.ts";
import type { Good } from "../good.ts";
import type { Speech, SpeechPart } from "../speech.ts";
import type { GoodEvent, Json } from "../voice.ts";
import { cutEmoji, piecesOf } from "../words.ts";
import { callId } from "./voice.ts";

type Own = Pick<Case, "id" | "says" | "answer"> & Partial<Case>;

const legal = (own: Own): Case => ({
  interfaces: ["chat-completions"],
  kind: "legal",
  restsOn: ["chat-completions.streaming.event-is-chunk"],
  due: "answer",
  ...own,
  id: `chat-completions/${own.id}`,
});
const inStream = (own: Own): Case => legal({ form: "stream", ...own });
const whole = (own: Own): Case => legal({ form: "whole", restsOn: ["chat-completions.response.message-type"], ...own });
const calling = (own: Own): Case =>
  legal({ needs: "tools", restsOn: ["chat-completions.streaming.delta-tool-call-arguments-type"], ...own });

/** Changes the JSON of each chunk; what is left out stays. */
export const chunks = (good: Good, change: (chunk: Json, at: number) => Json): GoodEvent[] =>
  good.events.map((event, i) => (isObject(event.data) ? { ...event, data: change(event.data, i) } : event));

/** Changes the first choice of each chunk. */
export const choices = (good: Good, change: (choice: Json, at: number) => Json): GoodEvent[] =>
  chunks(good, (chunk, i) => {
    const [first, ...others] = chunk["choices"] as Json[];
    return first ? { ...chunk, choices: [change(first, i), ...others] } : chunk;
  });

/** Changes the message of a whole reply. */
export const message = (good: Good, change: (message: Json) => Json, more: Json = {}): unknown => {
  const reply = good.body as Json;
  const [first, ...others] = reply["choices"] as Json[];
  return { ...reply, choices: [{ ...first, message: change(first!["message"] as Json), ...more }, ...others] };
};

const text = (words: readonly string[]): SpeechPart => ({ kind: "text", pieces: piecesOf(words) });
const said = (good: Good, ...parts: readonly SpeechPart[]): Good => good.say({ parts, end: "stop" });
const calls = (good: Good, ...parts: readonly SpeechPart[]): Good => good.say({ parts, end: "calls" });

/** The chunk of one delta, made of another chunk. */
export const deltaLike = (like: GoodEvent, delta: Json): GoodEvent => {
  const chunk = like.data as Json;
  return { data: { ...chunk, choices: [{ ...(chunk["choices"] as Json[])[0], delta, finish_reason: null }] } };
};

/** A stream of calls whose pieces come in turn. */
function interleaved(good: Good): GoodEvent[] {
  const parts = [callPart(good, 0), callPart(good, 1)];
  const [first, second] = good.events as [GoodEvent, GoodEvent];
  const last = good.say({ parts: [], end: "calls" }).events.slice(1);
  const opened = parts.map((part, index) =>
    deltaLike(second, {
      tool_calls: [
        {
          index,
          id: callId(part, index),
          type: "function",
          function: { name: part.kind === "call" ? part.name : "", arguments: "" },
        },
      ],
    }),
  );
  const length = Math.max(...parts.map(({ pieces }) => pieces.length));
  const turns = Array.from({ length }, (_, turn) =>
    parts.flatMap(({ pieces }, index) =>
      pieces[turn] === undefined
        ? []
        : [deltaLike(second, { tool_calls: [{ index, function: { arguments: pieces[turn] } }] })],
    ),
  ).flat();
  return [first, ...opened, ...turns, ...last];
}

/** One call with the given pieces of arguments. */
const oneCall = (good: Good, pieces: (whole: string) => readonly string[]): Good => {
  const part = callPart(good);
  return calls(good, { ...part, pieces: pieces(part.pieces.join("")) });
};

/** Whether the request lets the model call several tools at once. */
const parallel = (good: Good): string | undefined =>
  good.tools.length === 0
    ? "it offers no tools"
    : good.requestJson["parallel_tool_calls"] === false
      ? "it allows one call at a time"
      : undefined;

const manyChoices = ({ requestJson }: Good): string | undefined =>
  Number(requestJson["n"] ?? 1) > 1 ? undefined : "it asks for one choice";

const usageAsked = ({ requestJson }: Good): string | undefined =>
  isObject(requestJson["stream_options"]) && requestJson["stream_options"]["include_usage"] === true
    ? undefined
    : "it does not ask for the usage";

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

export const texts: readonly Case[] = [
  inStream({
    id: "role-alone",
    says: "The first chunk carries the role and no content.",
    restsOn: ["chat-completions.streaming.first-chunk-role"],
    answer: (good) =>
      good.withEvents(choices(good, (choice, i) => (i === 0 ? { ...choice, delta: { role: "assistant" } } : choice))),
  }),
  inStream({
    id: "empty-deltas",
    says: "Chunks with empty text come between the others.",
    restsOn: ["chat-completions.streaming.delta-content-type"],
    answer: (good) =>
      good.withEvents(
        good.events.flatMap((event, i) =>
          i > 0 && i < 5 ? [deltaLike(good.events[1]!, { content: "" }), event] : [event],
        ),
      ),
  }),
  inStream({
    id: "usage-chunk",
    says: "The usage comes in a separate chunk without choices, as the request asks.",
    restsOn: ["chat-completions.streaming.usage-chunk-choices-empty", "https://github.com/cline/cline/pull/8518"],
    needs: usageAsked,
    wants: "usage",
    answer: (good) => good.answer(),
  }),
  inStream({
    id: "no-usage-chunk",
    says: "No usage comes although the request asks for it, as after an interrupted stream.",
    restsOn: ["chat-completions.streaming.usage-chunk-sent"],
    kind: "odd",
    needs: usageAsked,
    wants: "usage",
    answer: (good) => good.withEvents(good.events.filter(({ data }) => !isObject(data) || !isObject(data["usage"]))),
  }),
  inStream({
    id: "two-choices",
    says: "The chunks of several choices alternate.",
    restsOn: ["chat-completions.response.choices-type"],
    needs: manyChoices,
    wants: "choices",
    answer: (good) => {
      const isOther = ({ data }: GoodEvent): boolean =>
        isObject(data) && ((data["choices"] as Json[])[0]?.["index"] ?? 0) !== 0;
      const own = good.events.filter((event) => !isOther(event));
      const others = good.events.filter(isOther);
      const mixed = own.slice(0, -1).flatMap((event, i) => [event, ...others.slice(i, i + 1)]);
      return good.withEvents([...mixed, ...others.slice(own.length - 1), ...own.slice(-1)]);
    },
  }),
  inStream({
    id: "unknown-members",
    says: "Chunks, choices and deltas have members that no document lists.",
    restsOn: ["X-EXTRA"],
    answer: (good) =>
      good.withEvents(
        chunks(good, (chunk) => ({
          ...chunk,
          provider: "other",
          x_trace: { id: "4f1c", at: [1, 2] },
          choices: (chunk["choices"] as Json[]).map((choice) => ({
            ...choice,
            native_finish: null,
            delta: { ...(choice["delta"] as Json), annotations_more: [] },
          })),
        })),
      ),
  }),
  inStream({
    id: "thinking-before-text",
    says: "Chunks with thinking, in a member of their own, come before the text.",
    restsOn: ["X-EXTRA"],
    answer: (good) =>
      said(good, { kind: "thinking", pieces: ["Let", " me", " think", "."] }, text(good.words)).answer(),
  }),
  inStream({
    id: "fingerprint-changes",
    says: "The system fingerprint differs from chunk to chunk.",
    restsOn: ["chat-completions.streaming.system-fingerprint-type"],
    isNeutral: true,
    answer: (good) => good.withEvents(chunks(good, (chunk, i) => ({ ...chunk, system_fingerprint: `fp_${i}` }))),
  }),
  inStream({
    id: "long-id",
    says: "The id has a thousand characters.",
    restsOn: ["chat-completions.streaming.id-type"],
    answer: (good) => good.withEvents(chunks(good, (chunk) => ({ ...chunk, id: `chatcmpl-${"i".repeat(1000)}` }))),
  }),
  inStream({
    id: "surrogates-split",
    says: "The two escapes of an emoji come in two chunks.",
    restsOn: ["RFC 8259 section 8.2"],
    isNeutral: true,
    answer: (good) => said(good, { kind: "text", pieces: cutEmoji(good.words) }).answer(),
  }),
  inStream({
    id: "finish-by-length",
    says: "The stream ends because the token limit is reached.",
    restsOn: ["chat-completions.streaming.finish-reason-values"],
    due: "either",
    answer: (good) => good.say({ parts: [text(good.words)], end: "length" }).answer(),
  }),
  inStream({
    id: "finish-by-filter",
    says: "The stream ends because a filter removed content.",
    restsOn: ["chat-completions.streaming.finish-reason-values"],
    due: "either",
    answer: (good) => good.say({ parts: [text(good.words)], end: "filter" }).answer(),
  }),
  inStream({
    id: "refusal-in-stream",
    says: "The model refuses: chunks carry a refusal instead of text.",
    restsOn: ["chat-completions.streaming.delta-refusal-type"],
    due: "end",
    answer: (good) => said(good, { kind: "refusal", pieces: piecesOf(good.words) }).answer(),
  }),
  inStream({
    id: "empty-stream",
    says: "The reply is empty: no chunk carries text.",
    restsOn: ["chat-completions.streaming.finish-reason-in-last-chunk"],
    due: "end",
    answer: (good) => said(good).answer(),
  }),
  inStream({
    id: "logprobs-null-left",
    says: "Every choice has logprobs and finish_reason, as null.",
    restsOn: ["chat-completions.streaming.logprobs-type"],
    answer: (good) => good.answer(),
  }),
  whole({
    id: "whole-null-refusal",
    says: "The message has a null refusal and no further members.",
    restsOn: ["chat-completions.response.message-type"],
    answer: (good) => good.withBody(message(good, ({ role, content }) => ({ role, content, refusal: null }))),
  }),
  whole({
    id: "whole-unknown-members",
    says: "Reply, choice and message have members that no document lists.",
    restsOn: ["X-EXTRA"],
    answer: (good) =>
      good.withBody({
        ...(message(good, (own) => ({ ...own, reasoning_content: "Let me think.", audio_more: null })) as Json),
        provider: "other",
        x_trace: { id: "4f1c" },
      }),
  }),
  whole({
    id: "whole-content-null",
    says: "The model refuses: content is null, and the refusal is a string.",
    restsOn: ["chat-completions.response.content-type"],
    due: "end",
    answer: (good) => said(good, { kind: "refusal", pieces: piecesOf(good.words) }).answer(),
  }),
  whole({
    id: "whole-empty",
    says: "The content is an empty string.",
    restsOn: ["chat-completions.response.content-type"],
    due: "end",
    answer: (good) => said(good, { kind: "text", pieces: [""] }).answer(),
  }),
  whole({
    id: "whole-no-usage",
    says: "The reply has no usage and no system fingerprint.",
    restsOn: ["X-PRESENCE"],
    answer: (good) => {
      const { usage: _usage, system_fingerprint: _print, ...reply } = good.body as Json;
      return good.withBody(reply);
    },
  }),
  whole({
    id: "whole-short-usage",
    says: "The usage has no details.",
    restsOn: ["chat-completions.response.usage-type"],
    answer: (good) => good.withBody({ ...(good.body as Json), usage }),
  }),
  whole({
    id: "whole-by-length",
    says: "The reply ends because the token limit is reached.",
    restsOn: ["chat-completions.response.finish-reason-values"],
    due: "either",
    answer: (good) => good.say({ parts: [text(good.words)], end: "length" }).answer(),
  }),
  whole({
    id: "whole-by-filter",
    says: "The reply ends because a filter removed content.",
    restsOn: ["chat-completions.response.finish-reason-values"],
    due: "either",
    answer: (good) => good.say({ parts: [text(good.words)], end: "filter" }).answer(),
  }),
  whole({
    id: "whole-other-model",
    says: "The reply names a model of another version than the request asks for.",
    restsOn: ["X-MODEL-ECHO"],
    answer: (good) => good.withBody({ ...(good.body as Json), model: "another-model-2026-01-01" }),
  }),
];

const speechOfBoth = (good: Good): Speech => ({ parts: [text(good.words), callPart(good)], end: "calls" });

export const toolCalls: readonly Case[] = [
  calling({
    id: "call",
    says: "The model calls one tool.",
    answer: (good) => oneCall(good, (given) => inPieces(given, 9)).answer(),
  }),
  calling({
    id: "call-and-text",
    says: "The model says something and calls a tool.",
    answer: (good) => good.say(speechOfBoth(good)).answer(),
  }),
  calling({
    id: "parallel-calls",
    says: "The model calls two tools, one after the other.",
    needs: parallel,
    offersTools: true,
    answer: (good) => calls(good, callPart(good, 0), callPart(good, 1)).answer(),
  }),
  calling({
    id: "calls-in-turn",
    says: "The model calls two tools, and the pieces of their arguments alternate.",
    restsOn: ["chat-completions.streaming.delta-tool-call-index-required"],
    needs: parallel,
    offersTools: true,
    form: "stream",
    answer: (good) => {
      const both = calls(good, callPart(good, 0), callPart(good, 1));
      return both.withEvents(interleaved(good));
    },
  }),
  calling({
    id: "arguments-by-letter",
    says: "The arguments of a call come one character at a time.",
    form: "stream",
    answer: (good) => oneCall(good, (given) => inPieces(given, 1)).answer(),
  }),
  calling({
    id: "arguments-at-once",
    says: "The arguments of a call come in the same chunk as its name.",
    form: "stream",
    answer: (good) => {
      const own = oneCall(good, (given) => [given]);
      const part = own.speech.parts[0]!;
      const first = own.events[0]!;
      const given = part.kind === "call" ? { name: part.name, arguments: part.pieces.join("") } : {};
      const call = { index: 0, id: callId(part, 0), type: "function", function: given };
      return own.withEvents([first, deltaLike(first, { tool_calls: [call] }), ...own.events.slice(3)]);
    },
  }),
  calling({
    id: "empty-pieces",
    says: "Empty pieces of arguments come between the others.",
    form: "stream",
    answer: (good) => oneCall(good, (given) => inPieces(given, 5).flatMap((piece) => ["", piece, ""])).answer(),
  }),
  calling({
    id: "no-arguments",
    says: "The arguments of a call are an empty object.",
    answer: (good) => oneCall(good, () => ["{}"]).answer(),
  }),
  calling({
    id: "empty-arguments",
    says: "The arguments of a call are an empty string, which is not JSON.",
    restsOn: ["chat-completions.response.tool-call-arguments-json"],
    due: "end",
    answer: (good) => oneCall(good, () => [""]).answer(),
  }),
  calling({
    id: "arguments-no-json",
    says: "The model writes arguments that are not JSON, as the document says it may.",
    restsOn: ["chat-completions.response.tool-call-arguments-json"],
    due: "end",
    answer: (good) => oneCall(good, (given) => inPieces(given.slice(0, -1), 9)).answer(),
  }),
  calling({
    id: "arguments-with-blanks",
    says: "The JSON of the arguments has spaces and line breaks.",
    answer: (good) => oneCall(good, (given) => inPieces(JSON.stringify(JSON.parse(given), undefined, 2), 9)).answer(),
  }),
  calling({
    id: "arguments-escaped",
    says: "The arguments escape every non-ASCII character, and pieces split these escapes.",
    answer: (good) =>
      oneCall(good, (given) =>
        inPieces(
          given.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
          2,
        ),
      ).answer(),
  }),
  calling({
    id: "unknown-arguments",
    says: "The arguments have a member that the tool does not declare.",
    restsOn: ["chat-completions.response.tool-call-arguments-json"],
    answer: (good) =>
      oneCall(good, (given) => inPieces(JSON.stringify({ ...JSON.parse(given), surprise: true }), 9)).answer(),
  }),
  calling({
    id: "long-call-id",
    says: "The id of a call has 300 characters.",
    answer: (good) => {
      const part = callPart(good);
      return calls(good, part.kind === "call" ? { ...part, id: `call_${"i".repeat(295)}` } : part).answer();
    },
  }),
];
