/** Cases of messages outside the document, each met in the field. */
import { callPart } from "../calls.ts";
import type { Case } from "../case.ts";
import { type Good, piece } from "../good.ts";
import type { GoodEvent, Json } from "../voice.ts";
import { changed } from "./contents.ts";

type Own = Pick<Case, "id" | "says" | "answer" | "restsOn"> & Partial<Case>;

const odd = (own: Own): Case => ({
  interfaces: ["messages"],
  kind: "odd",
  due: "answer",
  form: "stream",
  ...own,
  id: `messages/${own.id}`,
});

const typeOf = ({ data }: GoodEvent): unknown => (data as Json)["type"];
const without = (good: Good, type: string): GoodEvent[] => good.events.filter((event) => typeOf(event) !== type);

export const oddities: readonly Case[] = [
  odd({
    id: "done-behind-end",
    says: "[DONE] follows the end of the message.",
    restsOn: ["messages.streaming.done", "https://github.com/earendil-works/pi/issues/3708"],
    answer: (good) => good.withEvents([...good.events, { data: "[DONE]" }]),
  }),
  odd({
    id: "no-message-stop",
    says: "The stream ends after the event with the stop reason.",
    restsOn: ["https://github.com/esengine/DeepSeek-Reasonix/pull/8756"],
    due: "either",
    answer: (good) => good.withEvents(without(good, "message_stop")),
  }),
  odd({
    id: "no-message-delta",
    says: "No event carries the stop reason.",
    restsOn: ["https://github.com/SaladDay/cc-switch-cli/pull/320"],
    due: "either",
    answer: (good) => good.withEvents(without(good, "message_delta")),
  }),
  odd({
    id: "no-block-stop",
    says: "No event says that a block ends.",
    restsOn: ["https://github.com/farion1231/cc-switch/pull/2303"],
    answer: (good) => good.withEvents(without(good, "content_block_stop")),
  }),
  odd({
    id: "unknown-stop-reason",
    says: "The stop reason is one that the document does not list.",
    restsOn: ["X-OPEN-ENUM"],
    answer: (good) =>
      good.withEvents(
        changed(good, (data) =>
          data["type"] === "message_delta"
            ? { ...data, delta: { ...(data["delta"] as Json), stop_reason: "pause_turn" } }
            : data,
        ),
      ),
  }),
  odd({
    id: "usage-null",
    says: "The usage is null everywhere.",
    restsOn: ["https://github.com/vercel/ai/pull/20102"],
    answer: (good) =>
      good.withEvents(
        changed(good, (data) => ({
          ...data,
          ...("usage" in data && { usage: null }),
          ...(data["type"] === "message_delta" && { delta: { ...(data["delta"] as Json), usage: null } }),
          ...(typeof data["message"] === "object" && { message: { ...(data["message"] as Json), usage: null } }),
        })),
      ),
  }),
  odd({
    id: "usage-missing",
    says: "No event has a usage.",
    restsOn: ["https://github.com/anthropics/anthropic-sdk-python/pull/1820"],
    answer: (good) =>
      good.withEvents(
        changed(good, (data) => {
          const { usage: _usage, ...rest } = data;
          const { usage: _inner, ...delta } = (data["delta"] ?? {}) as Json;
          const { usage: _first, ...message } = (data["message"] ?? {}) as Json;
          return { ...rest, ...("delta" in data && { delta }), ...("message" in data && { message }) };
        }),
      ),
  }),
  odd({
    id: "text-in-block-start",
    says: "The start of a block carries the first word of its text.",
    restsOn: ["https://github.com/labring/aiproxy/pull/609"],
    answer: (good) => {
      const at = good.events.findIndex((event) => typeOf(event) === "content_block_start");
      const [start, first] = [good.events[at]!, good.events[at + 1]!];
      const { text } = (first.data as Json)["delta"] as Json;
      const data = { ...(start.data as Json), content_block: { type: "text", text } };
      return good.withEvents(good.events.toSpliced(at, 2, { ...start, data }));
    },
  }),
  odd({
    id: "input-in-block-start",
    says: "The start of a call carries its whole input, and no delta follows.",
    restsOn: ["https://github.com/yannikzz/narracat-novel-agent/issues/16"],
    needs: "tools",
    due: "either",
    answer: (good) => {
      const own = good.say({ parts: [callPart(good)], end: "calls" });
      const input = JSON.parse(own.speech.parts[0]!.pieces.join(""));
      const filled = changed(own, (data) =>
        data["content_block"] ? { ...data, content_block: { ...(data["content_block"] as Json), input } } : data,
      );
      return own.withEvents(filled.filter((event) => typeOf(event) !== "content_block_delta"));
    },
  }),
  odd({
    id: "index-missing",
    says: "The events of a block have no index.",
    restsOn: ["https://github.com/caidaoli/ccLoad/pull/69"],
    due: "either",
    answer: (good) => good.withEvents(changed(good, ({ index: _index, ...data }) => data)),
  }),
  odd({
    id: "pings-without-event-lines",
    says: "Pings without an event line come before everything else.",
    restsOn: ["https://github.com/caidaoli/ccLoad/pull/69"],
    answer: (good) => good.withEvents([{ data: { type: "ping" } }, { data: { type: "ping" } }, ...good.events]),
  }),
  odd({
    id: "empty-ping",
    says: "The data of a ping is empty.",
    restsOn: ["https://github.com/caozhiyuan/copilot-api/pull/88"],
    answer: (good) => {
      const { pieces, ...answer } = good.answer();
      return { ...answer, pieces: pieces.toSpliced(3, 0, piece("event: ping\ndata: \n\n")) };
    },
  }),
  odd({
    id: "error-event-unnamed",
    says: "An error event without an event line comes in the middle of the text, and the stream ends.",
    restsOn: ["X-STREAM-ERROR", "https://github.com/caidaoli/ccLoad/pull/69"],
    due: "error",
    answer: (good) => {
      const half = good.events.slice(0, 5);
      return {
        ...good.withEvents([...half, { data: good.failureBody(429, "Concurrency limit exceeded") }]),
        isComplete: false,
      };
    },
  }),
  odd({
    id: "whole-stop-reason-null",
    says: "The stop reason is null.",
    restsOn: ["https://github.com/SaladDay/cc-switch-cli/pull/320"],
    form: "whole",
    due: "either",
    answer: (good) => good.withBody({ ...(good.body as Json), stop_reason: null }),
  }),
  odd({
    id: "whole-usage-missing",
    says: "The message has no usage.",
    restsOn: ["https://github.com/SaladDay/cc-switch-cli/pull/146"],
    form: "whole",
    answer: (good) => {
      const { usage: _usage, ...message } = good.body as Json;
      return good.withBody(message);
    },
  }),
  odd({
    id: "whole-content-text",
    says: "The content is a string instead of blocks.",
    restsOn: ["https://github.com/MiXaiLL76/auto_ai_router/pull/145"],
    form: "whole",
    due: "either",
    answer: (good) => good.withBody({ ...(good.body as Json), content: good.words.join(" ") }),
  }),
];
