/** Cases of generated content outside the document, each met in the field. */
import { callPart } from "../calls.ts";
import type { Case } from "../case.ts";
import type { Good } from "../good.ts";
import type { Json } from "../voice.ts";
import { candidate, changed } from "./contents.ts";

type Own = Pick<Case, "id" | "says" | "answer" | "restsOn"> & Partial<Case>;

const odd = (own: Own): Case => ({
  interfaces: ["generate-content"],
  kind: "odd",
  due: "answer",
  form: "stream",
  ...own,
  id: `generate-content/${own.id}`,
});

const stampOf = (good: Good): Json => {
  const { modelVersion, responseId } = good.events[0]!.data as Json;
  return { modelVersion, responseId };
};

export const oddities: readonly Case[] = [
  odd({
    id: "done-behind-end",
    says: "[DONE] follows the last event.",
    restsOn: ["https://github.com/router-for-me/CLIProxyAPI/pull/4980"],
    answer: (good) => good.withEvents([...good.events, { data: "[DONE]" }]),
  }),
  odd({
    id: "candidates-empty",
    says: "An event with an empty list of candidates comes in the middle of the text.",
    restsOn: ["https://github.com/neuron-core/neuron-ai/pull/447"],
    answer: (good) => good.withEvents(good.events.toSpliced(3, 0, { data: { candidates: [], ...stampOf(good) } })),
  }),
  odd({
    id: "candidates-null",
    says: "An event with null candidates comes in the middle of the text.",
    restsOn: ["https://github.com/songquanpeng/one-api/issues/1718"],
    answer: (good) => good.withEvents(good.events.toSpliced(3, 0, { data: { candidates: null, ...stampOf(good) } })),
  }),
  odd({
    id: "content-empty",
    says: "The last event has content without parts.",
    restsOn: ["https://github.com/neuron-core/neuron-ai/pull/447"],
    answer: (good) => {
      const data = good.events.at(-1)!.data as Json;
      const content = ((data["candidates"] as Json[])[0] as Json)["content"];
      return good.withEvents([
        ...good.events.slice(0, -1),
        { data: { candidates: [{ content, index: 0 }], ...stampOf(good) } },
        { data: candidate(data, (own) => ({ ...own, content: {} })) },
      ]);
    },
  }),
  odd({
    id: "no-finish-reason",
    says: "No event has a finish reason.",
    restsOn: [
      "generate-content.streaming.finish-reason-last",
      "https://github.com/strands-agents/sdk-typescript/issues/717",
    ],
    due: "either",
    answer: (good) =>
      good.withEvents(changed(good, (data) => candidate(data, ({ finishReason: _reason, ...own }) => own))),
  }),
  odd({
    id: "unknown-finish-reason",
    says: "The finish reason is one that the document does not list.",
    restsOn: ["X-OPEN-ENUM"],
    answer: (good) =>
      good.withEvents(
        changed(good, (data) =>
          candidate(data, (own) => ("finishReason" in own ? { ...own, finishReason: "EOS" } : own)),
        ),
      ),
  }),
  odd({
    id: "malformed-call",
    says: "The stream ends with a malformed call and no content.",
    restsOn: [
      "generate-content.response.finish-reason-values",
      "https://github.com/NousResearch/hermes-agent/pull/83882",
    ],
    due: "end",
    answer: (good) => {
      const own = good.say({ parts: [], end: "stop" });
      return own.withEvents(
        changed(own, (data) =>
          candidate(data, (one) => ({ ...one, content: {}, finishReason: "MALFORMED_FUNCTION_CALL" })),
        ),
      );
    },
  }),
  odd({
    id: "counts-as-texts",
    says: "Token counts are strings.",
    restsOn: ["G-INT64"],
    answer: (good) =>
      good.withEvents(
        changed(good, (data) => ({
          ...data,
          ...("usageMetadata" in data && { usageMetadata: { promptTokenCount: "4", totalTokenCount: "4" } }),
        })),
      ),
  }),
  odd({
    id: "array-for-stream",
    says: "A JSON list of all events comes instead of an event stream.",
    restsOn: ["G-ALT"],
    due: "either",
    answer: (good) => ({
      ...good.withBody(good.events.map(({ data }) => data)),
      headers: [["Content-Type", "application/json"]],
      framing: "length",
    }),
  }),
  odd({
    id: "whole-no-candidates",
    says: "The reply has no candidates and does not say why.",
    restsOn: ["https://github.com/ShishirPatil/gorilla/pull/809"],
    form: "whole",
    due: "end",
    answer: (good) => {
      const { candidates: _candidates, ...rest } = good.body as Json;
      return { ...good.say({ parts: [], end: "stop" }).withBody(rest), isComplete: false };
    },
  }),
  odd({
    id: "whole-content-empty",
    says: "The candidate has content without parts.",
    restsOn: ["https://github.com/inngest/agent-kit/pull/178"],
    form: "whole",
    due: "end",
    answer: (good) =>
      good.say({ parts: [], end: "stop" }).withBody(candidate(good.body as Json, (own) => ({ ...own, content: {} }))),
  }),
  odd({
    id: "arguments-null",
    says: "The arguments of a call are null.",
    restsOn: ["https://github.com/AstrBotDevs/AstrBot/issues/6661"],
    needs: "tools",
    due: "either",
    answer: (good) => {
      const own = good.say({ parts: [{ ...callPart(good), pieces: [] }], end: "calls" });
      const text = (value: unknown): unknown =>
        JSON.parse(
          JSON.stringify(value).replace(
            /"functionCall":\{"name":"([^"]+)"\}/,
            '"functionCall":{"name":"$1","args":null}',
          ),
        );
      const answer = own.withEvents(own.events.map(({ data }) => ({ data: text(data) })));
      return {
        ...answer,
        said: { ...answer.said, calls: answer.said.calls.map(({ name }) => ({ name, arguments: "{}" })) },
      };
    },
  }),
];
