/** Cases of what generated content holds: the document allows all of it. */
import { callPart } from "../calls.ts";
import type { Case } from "../case.ts";
import type { Good } from "../good.ts";
import type { SpeechPart } from "../speech.ts";
import type { GoodEvent, Json } from "../voice.ts";
import { piecesOf } from "../words.ts";

type Own = Pick<Case, "id" | "says" | "answer"> & Partial<Case>;

const legal = (own: Own): Case => ({
  interfaces: ["generate-content"],
  kind: "legal",
  restsOn: ["generate-content.streaming.event-object", "G-STREAM-PAYLOAD"],
  due: "answer",
  ...own,
  id: `generate-content/${own.id}`,
});
const inStream = (own: Own): Case => legal({ form: "stream", ...own });
const whole = (own: Own): Case =>
  legal({ form: "whole", restsOn: ["generate-content.response.candidates-type"], ...own });
const calling = (own: Own): Case =>
  legal({ needs: "tools", restsOn: ["generate-content.reply-content.function-call-args-type"], ...own });

const text = (words: readonly string[]): SpeechPart => ({ kind: "text", pieces: piecesOf(words) });
const said = (good: Good, ...parts: readonly SpeechPart[]): Good => good.say({ parts, end: "stop" });
const thought = (): SpeechPart => ({ kind: "thinking", pieces: ["Let me", " think."] });

/** Changes the data of each event. */
export const changed = (good: Good, change: (data: Json, at: number, count: number) => Json): GoodEvent[] =>
  good.events.map((event, i) => ({ ...event, data: change(event.data as Json, i, good.events.length) }));

/** Changes the first candidate of a reply or event. */
export const candidate = (data: Json, change: (own: Json) => Json): Json => {
  const [first, ...others] = (data["candidates"] ?? []) as Json[];
  return first ? { ...data, candidates: [change(first), ...others] } : data;
};

/** The content of a candidate with other parts. */
export const withParts = (own: Json, change: (parts: readonly Json[]) => readonly Json[]): Json => {
  const content = own["content"] as Json | undefined;
  return content ? { ...own, content: { ...content, parts: change((content["parts"] ?? []) as Json[]) } } : own;
};

const usage = { promptTokenCount: 4, totalTokenCount: 4 };

export const texts: readonly Case[] = [
  inStream({
    id: "several-parts",
    says: "One event carries several parts of text.",
    answer: (good) => {
      const own = said(good, { kind: "text", pieces: [good.words.slice(0, 1).join("")] });
      const pieces = piecesOf(good.words);
      const spread = good.say({ parts: [{ kind: "text", pieces }], end: "stop" });
      const data = candidate(own.events[0]!.data as Json, (one) =>
        withParts(one, () => pieces.map((word) => ({ text: word }))),
      );
      return { ...spread.withEvents([{ data }]) };
    },
  }),
  inStream({
    id: "finish-alone",
    says: "The last event has a finish reason and no content.",
    restsOn: ["generate-content.streaming.finish-reason-last", "https://github.com/neuron-core/neuron-ai/pull/447"],
    answer: (good) => {
      const own = good.events.at(-1)!.data as Json;
      const before = { candidates: [{ content: ((own["candidates"] as Json[])[0] as Json)["content"], index: 0 }] };
      const { modelVersion, responseId } = own;
      const last = candidate(own, ({ content: _content, ...rest }) => rest);
      return good.withEvents([
        ...good.events.slice(0, -1),
        { data: { ...before, modelVersion, responseId } },
        { data: last },
      ]);
    },
  }),
  inStream({
    id: "empty-last-text",
    says: "The last event carries an empty text and the finish reason.",
    answer: (good) => said(good, { kind: "text", pieces: [...piecesOf(good.words), ""] }).answer(),
  }),
  inStream({
    id: "no-role",
    says: "Contents have no role.",
    restsOn: ["generate-content.reply-content.role-type"],
    isNeutral: true,
    answer: (good) =>
      good.withEvents(
        changed(good, (data) =>
          candidate(data, (own) => ({ ...own, content: { parts: (own["content"] as Json)["parts"] } })),
        ),
      ),
  }),
  inStream({
    id: "no-index",
    says: "Candidates have no index.",
    restsOn: ["generate-content.response.candidates-type"],
    answer: (good) => good.withEvents(changed(good, (data) => candidate(data, ({ index: _index, ...own }) => own))),
  }),
  inStream({
    id: "usage-in-every-event",
    says: "Every event carries the usage so far.",
    answer: (good) => good.withEvents(changed(good, (data) => ({ usageMetadata: usage, ...data }))),
  }),
  inStream({
    id: "no-usage",
    says: "No event carries the usage.",
    isNeutral: true,
    answer: (good) => good.withEvents(changed(good, ({ usageMetadata: _usage, ...data }) => data)),
  }),
  inStream({
    id: "usage-event-last",
    says: "The usage comes in a separate event without candidates.",
    isNeutral: true,
    answer: (good) => {
      const { usageMetadata, ...last } = good.events.at(-1)!.data as Json;
      const { modelVersion, responseId } = last;
      return good.withEvents([
        ...good.events.slice(0, -1),
        { data: last },
        { data: { usageMetadata, modelVersion, responseId } },
      ]);
    },
  }),
  inStream({
    id: "no-ids",
    says: "Events have no response id and no model version.",
    isNeutral: true,
    answer: (good) => good.withEvents(changed(good, ({ responseId: _id, modelVersion: _version, ...data }) => data)),
  }),
  inStream({
    id: "thoughts",
    says: "Thought parts come before the text.",
    restsOn: ["G-THOUGHT"],
    answer: (good) => said(good, thought(), text(good.words)).answer(),
  }),
  inStream({
    id: "signature-part",
    says: "The last event has an empty text with a thought signature.",
    restsOn: ["G-THOUGHT"],
    answer: (good) => {
      const own = said(good, { kind: "text", pieces: [...piecesOf(good.words), ""] });
      return own.withEvents(
        changed(own, (data, i, count) =>
          i < count - 1
            ? data
            : candidate(data, (one) =>
                withParts(one, (parts) => parts.map((part) => ({ ...part, thoughtSignature: "c2lnbmVk" }))),
              ),
        ),
      );
    },
  }),
  inStream({
    id: "safety-in-every-event",
    says: "Every event has the safety ratings of the candidate.",
    answer: (good) =>
      good.withEvents(
        changed(good, (data) =>
          candidate(data, (own) => ({
            ...own,
            safetyRatings: [{ category: "HARM_CATEGORY_HARASSMENT", probability: "NEGLIGIBLE", blocked: false }],
          })),
        ),
      ),
  }),
  inStream({
    id: "unknown-members",
    says: "Events, candidates and parts have members that no document lists.",
    restsOn: ["X-EXTRA"],
    answer: (good) =>
      good.withEvents(
        changed(good, (data) => ({
          ...candidate(data, (own) => ({
            ...withParts(own, (parts) => parts.map((part) => ({ ...part, partMetadata: { id: "4f1c" } }))),
            finishMessage: "none",
          })),
          trace: "4f1c",
        })),
      ),
  }),
  inStream({
    id: "blocked-prompt",
    says: "The prompt is blocked: the stream has no candidates.",
    restsOn: ["generate-content.response.block-reason-values"],
    due: "end",
    answer: (good) => blocked(good),
  }),
  inStream({
    id: "finish-by-length",
    says: "The stream ends because the token limit is reached.",
    restsOn: ["generate-content.response.finish-reason-values"],
    due: "either",
    answer: (good) => good.say({ parts: [text(good.words)], end: "length" }).answer(),
  }),
  inStream({
    id: "finish-by-safety",
    says: "The stream ends in the middle, for safety reasons.",
    restsOn: ["generate-content.response.finish-reason-values"],
    due: "either",
    answer: (good) => good.say({ parts: [text(good.words)], end: "filter" }).answer(),
  }),
  inStream({
    id: "empty-stream",
    says: "The only event has a finish reason and no content.",
    restsOn: ["https://github.com/neuron-core/neuron-ai/pull/447"],
    due: "end",
    answer: (good) => said(good).answer(),
  }),
  inStream({
    id: "lf",
    says: "Lines end with LF instead of the CR LF that the service sends.",
    restsOn: ["WHATWG HTML 9.2.6"],
    answer: (good) => good.answer(),
  }),
  whole({
    id: "whole-several-parts",
    says: "The text is spread over several parts.",
    answer: (good) => {
      const pieces = piecesOf(good.words);
      return good.withBody(
        candidate(good.body as Json, (own) => withParts(own, () => pieces.map((word) => ({ text: word })))),
      );
    },
  }),
  whole({
    id: "whole-thoughts",
    says: "A thought part comes before the text.",
    restsOn: ["G-THOUGHT"],
    answer: (good) => said(good, thought(), text(good.words)).answer(),
  }),
  whole({
    id: "whole-blocked-prompt",
    says: "The prompt is blocked: the reply has no candidates.",
    restsOn: ["generate-content.response.block-reason-values"],
    due: "end",
    answer: (good) => blocked(good),
  }),
  whole({
    id: "whole-no-content",
    says: "The candidate has a finish reason and no content.",
    restsOn: ["https://github.com/neuron-core/neuron-ai/pull/447"],
    due: "end",
    answer: (good) => good.say({ parts: [], end: "length" }).answer(),
  }),
  whole({
    id: "whole-few-members",
    says: "The reply has only candidates, each with only its content and finish reason.",
    isNeutral: true,
    answer: (good) => {
      const [first] = (good.body as Json)["candidates"] as Json[];
      return good.withBody({ candidates: [{ content: first!["content"], finishReason: "STOP" }] });
    },
  }),
  whole({
    id: "whole-unknown-members",
    says: "Reply, candidate and parts have members that no document lists.",
    restsOn: ["X-EXTRA"],
    answer: (good) =>
      good.withBody({
        ...candidate(good.body as Json, (own) => ({
          ...withParts(own, (parts) => parts.map((part) => ({ ...part, partMetadata: { id: "4f1c" } }))),
          finishMessage: "none",
        })),
        trace: "4f1c",
      }),
  }),
  whole({
    id: "whole-by-length",
    says: "The reply ends because the token limit is reached.",
    restsOn: ["generate-content.response.finish-reason-values"],
    due: "either",
    answer: (good) => good.say({ parts: [text(good.words)], end: "length" }).answer(),
  }),
];

/** No candidates, and why. */
function blocked(good: Good) {
  const data = (good.body ?? good.events.at(-1)!.data) as Json;
  const { candidates: _candidates, ...rest } = data;
  const promptFeedback = {
    blockReason: "SAFETY",
    safetyRatings: [{ category: "HARM_CATEGORY_DANGEROUS_CONTENT", probability: "HIGH" }],
  };
  const reply = { promptFeedback, ...rest, usageMetadata: usage };
  const empty = said(good);
  return good.form === "stream" ? empty.withEvents([{ data: reply }]) : empty.withBody(reply);
}

export const toolCalls: readonly Case[] = [
  calling({
    id: "call",
    says: "The model calls one tool.",
    answer: (good) => good.say({ parts: [callPart(good)], end: "calls" }).answer(),
  }),
  calling({
    id: "call-and-text",
    says: "The model says something and calls a tool.",
    answer: (good) => good.say({ parts: [text(good.words), callPart(good)], end: "calls" }).answer(),
  }),
  calling({
    id: "parallel-calls",
    says: "The model calls two tools. A stream carries one in each event.",
    answer: (good) => good.say({ parts: [callPart(good, 0), callPart(good, 1)], end: "calls" }).answer(),
  }),
  calling({
    id: "calls-in-one-event",
    says: "One event carries two calls.",
    form: "stream",
    answer: (good) => {
      const own = good.say({ parts: [callPart(good, 0), callPart(good, 1)], end: "calls" });
      const partsOf = ({ data }: GoodEvent): Json[] =>
        (((data as Json)["candidates"] as Json[])[0]!["content"] as Json)["parts"] as Json[];
      const parts = own.events.flatMap(partsOf);
      return own.withEvents([
        { data: candidate(own.events.at(-1)!.data as Json, (one) => withParts(one, () => parts)) },
      ]);
    },
  }),
  calling({
    id: "call-with-id",
    says: "A call has an id and a thought signature, which the document does not list.",
    restsOn: ["X-EXTRA"],
    answer: (good) => {
      const own = good.say({ parts: [callPart(good)], end: "calls" });
      const add = (data: Json): Json =>
        candidate(data, (one) =>
          withParts(one, (parts) =>
            parts.map((part) => ({
              ...part,
              functionCall: { ...(part["functionCall"] as Json), id: "call-4f1c" },
              thoughtSignature: "c2lnbmVk",
            })),
          ),
        );
      return own.form === "stream" ? own.withEvents(changed(own, add)) : own.withBody(add(own.body as Json));
    },
  }),
  calling({
    id: "call-without-arguments",
    says: "A call has no arguments.",
    restsOn: ["generate-content.reply-content.function-call-args-type"],
    answer: (good) => {
      const part = callPart(good);
      const answer = good.say({ parts: [{ ...part, pieces: [] }], end: "calls" }).answer();
      return {
        ...answer,
        said: { ...answer.said, calls: answer.said.calls.map(({ name }) => ({ name, arguments: "{}" })) },
      };
    },
  }),
  calling({
    id: "finish-behind-call",
    says: "The event after a call has a finish reason and no content.",
    form: "stream",
    answer: (good) => {
      const own = good.say({ parts: [callPart(good)], end: "calls" });
      const data = own.events.at(-1)!.data as Json;
      const { modelVersion, responseId } = data;
      const content = ((data["candidates"] as Json[])[0] as Json)["content"];
      return own.withEvents([
        { data: { candidates: [{ content, index: 0 }], modelVersion, responseId } },
        { data: candidate(data, ({ content: _content, ...rest }) => rest) },
      ]);
    },
  }),
];
