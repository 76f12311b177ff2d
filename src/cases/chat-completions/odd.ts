/** Cases of chat completions outside the documents, each met in the field. */
import { isObject } from "../../wire/json.ts";
import { callPart, inPieces } from "../calls.ts";
import type { Case } from "../case.ts";
import { type Good, piece } from "../good.ts";
import type { GoodEvent, Json } from "../voice.ts";
import { choices, chunks, deltaLike, message } from "./contents.ts";

type Own = Pick<Case, "id" | "says" | "answer" | "restsOn"> & Partial<Case>;

export const odd = (own: Own): Case => ({
  interfaces: ["chat-completions"],
  kind: "odd",
  due: "answer",
  form: "stream",
  ...own,
  id: `chat-completions/${own.id}`,
});

/** The stream with a further chunk before an event. @param at counted from the end where negative */
const withChunk = (good: Good, at: number, data: unknown) =>
  good.withEvents(good.events.toSpliced(at < 0 ? good.events.length + at : at, 0, { data }));

const headOf = (good: Good): Json => {
  const { choices: _choices, ...head } = good.events[0]!.data as Json;
  return head;
};

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

export const calling = (good: Good): Good => good.say({ parts: [callPart(good)], end: "calls" });
const bare = (event: GoodEvent): boolean => event.data === "[DONE]";

/** The stream with an empty role in each delta that has none. */
const withEmptyRoles = (good: Good) =>
  good.withEvents(choices(good, (choice) => ({ ...choice, delta: { role: "", ...(choice["delta"] as Json) } })));

export const chunkOddities: readonly Case[] = [
  odd({
    id: "choices-empty-first",
    says: "The first chunk has no choices, only filter results for the prompt.",
    restsOn: ["https://github.com/meltylabs/chorus/pull/65", "https://github.com/microsoft/foundry-local/issues/905"],
    answer: (good) =>
      withChunk(good, 0, { ...headOf(good), choices: [], prompt_filter_results: [{ prompt_index: 0 }] }),
  }),
  odd({
    id: "choices-empty-between",
    says: "A chunk without choices comes in the middle of the text.",
    restsOn: ["https://github.com/cline/cline/pull/8518"],
    answer: (good) => withChunk(good, 4, { ...headOf(good), choices: [] }),
  }),
  odd({
    id: "choices-missing",
    says: "A chunk with only the usage, and no choices member, comes before the end.",
    restsOn: ["https://github.com/openclaw/openclaw/issues/15488"],
    answer: (good) => withChunk(good, -1, { ...headOf(good), usage }),
  }),
  odd({
    id: "choices-missing-between",
    says: "A chunk without the choices member comes in the middle of the text.",
    restsOn: ["https://github.com/langwatch/langwatch/issues/7421", "https://github.com/codexu/note-gen/pull/1226"],
    answer: (good) => withChunk(good, 4, headOf(good)),
  }),
  odd({
    id: "choices-null",
    says: "A chunk with null choices comes before the end.",
    restsOn: ["https://github.com/RooCodeInc/Roo-Code/pull/9105"],
    answer: (good) => withChunk(good, -1, { ...headOf(good), choices: null, usage }),
  }),
  odd({
    id: "null-event",
    says: "The data of an event in the middle of the text is null.",
    restsOn: ["https://github.com/earendil-works/pi/issues/2468"],
    answer: (good) => withChunk(good, 4, null),
  }),
  odd({
    id: "empty-object-event",
    says: "The data of an event in the middle of the text is an empty object.",
    restsOn: ["https://github.com/tashfeenahmed/freellmapi/pull/156"],
    answer: (good) => withChunk(good, 4, {}),
  }),
  odd({
    id: "delta-null",
    says: "The delta of the last chunk is null.",
    restsOn: ["https://github.com/langroid/langroid/pull/987"],
    answer: (good) =>
      good.withEvents(
        choices(good, (choice) => (choice["finish_reason"] === null ? choice : { ...choice, delta: null })),
      ),
  }),
  odd({
    id: "delta-missing",
    says: "The last chunk has no delta.",
    restsOn: ["https://github.com/QwenLM/qwen-code/pull/1448"],
    answer: (good) =>
      good.withEvents(
        choices(good, (choice) => {
          const { delta: _delta, ...rest } = choice;
          return choice["finish_reason"] === null ? choice : rest;
        }),
      ),
  }),
  odd({
    id: "content-null",
    says: "The content of the first and the last delta is null.",
    restsOn: ["https://github.com/davidmigloz/langchain_dart/issues/778"],
    answer: (good) =>
      good.withEvents(
        choices(good, (choice, i) =>
          i === 0 || choice["finish_reason"] !== null
            ? { ...choice, delta: { ...(choice["delta"] as Json), content: null } }
            : choice,
        ),
      ),
  }),
  odd({
    id: "content-in-first-chunk",
    says: "The first chunk carries the role and the first word.",
    restsOn: ["https://github.com/alfredapp/openai-workflow/pull/52"],
    answer: (good) => {
      const [first, second, ...rest] = good.events as [GoodEvent, GoodEvent];
      const delta = { role: "assistant", ...((second.data as Json)["choices"] as Json[])[0]!["delta"]! };
      return good.withEvents([deltaLike(first, delta), ...rest]);
    },
  }),
  odd({
    id: "content-in-last-chunk",
    says: "The chunk with the finish reason carries the last word.",
    restsOn: ["https://github.com/alfredapp/openai-workflow/pull/52"],
    answer: (good) => {
      const end = good.events.findIndex(
        ({ data }) => isObject(data) && (data["choices"] as Json[])[0]?.["finish_reason"] != null,
      );
      const [before, last] = [good.events[end - 1]!, good.events[end]!];
      const own = ((before.data as Json)["choices"] as Json[])[0]!["delta"];
      const choice = { ...((last.data as Json)["choices"] as Json[])[0], delta: own };
      return good.withEvents(
        good.events.toSpliced(end - 1, 2, { data: { ...(last.data as Json), choices: [choice] } }),
      );
    },
  }),
  odd({
    id: "role-missing",
    says: "No chunk has a role.",
    restsOn: [
      "https://github.com/langwatch/langwatch/issues/6196",
      "https://github.com/tensorzero/tensorzero/issues/1265",
    ],
    answer: (good) =>
      good.withEvents(
        choices(good, (choice) => {
          const { role: _role, ...delta } = choice["delta"] as Json;
          return { ...choice, delta };
        }),
      ),
  }),
  odd({
    id: "role-empty",
    says: "Every chunk but the first has an empty role.",
    restsOn: ["https://github.com/MiniMax-AI/MiniMax-M2.5/issues/2"],
    answer: (good) => withEmptyRoles(good),
  }),
  odd({
    id: "role-empty-in-call",
    says: "Every piece of a call has an empty role beside it.",
    restsOn: ["https://github.com/langchain-ai/langchainjs/pull/11470"],
    needs: "tools",
    answer: (good) => withEmptyRoles(calling(good)),
  }),
  odd({
    id: "role-in-every-chunk",
    says: "Every chunk carries the role.",
    restsOn: ["https://github.com/BerriAI/litellm/pull/9986"],
    answer: (good) =>
      good.withEvents(
        choices(good, (choice) =>
          choice["finish_reason"] === null
            ? { ...choice, delta: { role: "assistant", ...(choice["delta"] as Json) } }
            : choice,
        ),
      ),
  }),
  odd({
    id: "usage-in-every-chunk",
    says: "Every chunk carries the usage so far.",
    restsOn: ["https://github.com/rashidrazak/opencode-cmd-provider/pull/213"],
    needs: ({ requestJson }) => (isObject(requestJson["stream_options"]) ? "it asks for the usage itself" : undefined),
    answer: (good) => good.withEvents(chunks(good, (chunk) => ({ ...chunk, usage }))),
  }),
  odd({
    id: "usage-null",
    says: "Every chunk has a null usage, although the request does not ask for it.",
    restsOn: ["https://github.com/Alex2772/kuni/pull/64"],
    needs: ({ requestJson }) => (isObject(requestJson["stream_options"]) ? "it asks for the usage itself" : undefined),
    answer: (good) => good.withEvents(chunks(good, (chunk) => ({ ...chunk, usage: null }))),
  }),
  odd({
    id: "few-members",
    says: "Chunks have only choices: no id, no model, no time.",
    restsOn: ["https://github.com/open-webui/computer/issues/224"],
    answer: (good) =>
      good.withEvents(
        choices(
          { ...good, events: chunks(good, ({ choices: own }) => ({ choices: own })) },
          ({ delta, finish_reason }) => ({
            delta,
            ...(finish_reason !== null && { finish_reason }),
          }),
        ),
      ),
  }),
  odd({
    id: "named-events",
    says: "Each event has a name.",
    restsOn: ["https://github.com/SamSaffron/term-llm/pull/487"],
    answer: (good) => good.withEvents(good.events.map((event) => ({ ...event, event: "message" }))),
  }),
  odd({
    id: "content-as-parts",
    says: "The content of each delta is a list of parts.",
    restsOn: ["https://github.com/mozilla-ai/any-llm/issues/1148"],
    due: "either",
    answer: (good) =>
      good.withEvents(
        choices(good, (choice) => {
          const { content, ...delta } = choice["delta"] as Json;
          return content ? { ...choice, delta: { ...delta, content: [{ type: "text", text: content }] } } : choice;
        }),
      ),
  }),
];

/** Changes the finish reasons. */
export const finishing = (good: Good, reason: unknown): GoodEvent[] =>
  choices(good, (choice) => (choice["finish_reason"] === null ? choice : { ...choice, finish_reason: reason }));

export const endOddities: readonly Case[] = [
  odd({
    id: "no-finish-reason",
    says: "No chunk has a finish reason, but [DONE] comes.",
    restsOn: ["https://github.com/openclaw/openclaw/issues/4300", "https://github.com/anomalyco/opencode/issues/43882"],
    due: "either",
    answer: (good) => good.withEvents(finishing(good, null)),
  }),
  odd({
    id: "unknown-finish-reason",
    says: "The finish reason is one that the document does not list.",
    restsOn: ["https://github.com/earendil-works/pi/issues/8473"],
    answer: (good) => good.withEvents(finishing(good, "eos")),
  }),
  odd({
    id: "empty-finish-reason",
    says: "The finish reason of every chunk before the last is an empty string.",
    restsOn: ["https://github.com/ollama/ollama/issues/4357", "https://github.com/sgl-project/sglang/issues/3912"],
    answer: (good) =>
      good.withEvents(
        choices(good, (choice) => (choice["finish_reason"] === null ? { ...choice, finish_reason: "" } : choice)),
      ),
  }),
  odd({
    id: "done-missing",
    says: "The stream ends after its last chunk, without [DONE].",
    restsOn: ["https://github.com/tashfeenahmed/freellmapi/issues/1087"],
    due: "either",
    answer: (good) => good.withEvents(good.events.filter((event) => !bare(event))),
  }),
  odd({
    id: "done-with-blanks",
    says: "Spaces surround [DONE].",
    restsOn: ["https://github.com/odysseus-dev/odysseus/pull/1701"],
    answer: (good) => good.withEvents(good.events.map((event) => (bare(event) ? { data: " [DONE] " } : event))),
  }),
  odd({
    id: "done-without-blank-line",
    says: "The body ends right after [DONE], without a blank line.",
    restsOn: ["X-SSE", "WHATWG HTML 9.2.6"],
    answer: (good) => {
      const { pieces, ...answer } = good.answer();
      return { ...answer, pieces: [...pieces.slice(0, -1), piece("data: [DONE]")] };
    },
  }),
  odd({
    id: "chunk-after-done",
    says: "A chunk with the usage follows [DONE].",
    restsOn: ["https://github.com/jeremychone/rust-genai/pull/242"],
    answer: (good) => good.withEvents([...good.events, { data: { ...headOf(good), choices: [], usage } }]),
  }),
  odd({
    id: "done-twice",
    says: "[DONE] comes twice.",
    restsOn: ["https://github.com/router-for-me/CLIProxyAPI/pull/4980"],
    answer: (good) => good.withEvents([...good.events, ...good.events.slice(-1)]),
  }),
];

const inWhole = (own: Own): Case => odd({ form: "whole", ...own });

export const wholeOddities: readonly Case[] = [
  inWhole({
    id: "whole-choices-empty",
    says: "The reply has no choices.",
    restsOn: ["https://github.com/cline/cline/pull/8527"],
    due: "error",
    answer: (good) => ({ ...good.withBody({ ...(good.body as Json), choices: [] }), isComplete: false }),
  }),
  inWhole({
    id: "whole-unknown-finish-reason",
    says: "The finish reason is one that the document does not list.",
    restsOn: ["https://github.com/earendil-works/pi/issues/8473"],
    answer: (good) => good.withBody(message(good, (own) => own, { finish_reason: "eos" })),
  }),
  inWhole({
    id: "whole-finish-null",
    says: "The finish reason is null.",
    restsOn: ["https://github.com/openclaw/openclaw/issues/4300"],
    due: "either",
    answer: (good) => good.withBody(message(good, (own) => own, { finish_reason: null })),
  }),
  inWhole({
    id: "whole-few-members",
    says: "The reply has only choices, and the message has no refusal.",
    restsOn: ["https://github.com/open-webui/computer/issues/224"],
    answer: (good) =>
      good.withBody({
        choices: (message(good, ({ role, content }) => ({ role, content })) as { choices: unknown }).choices,
      }),
  }),
  inWhole({
    id: "whole-usage-null",
    says: "The usage is null.",
    restsOn: ["https://github.com/FoundationAgents/MetaGPT/issues/1746"],
    answer: (good) => good.withBody({ ...(good.body as Json), usage: null }),
  }),
  inWhole({
    id: "whole-calls-end-with-stop",
    says: "The finish reason after a call is stop.",
    restsOn: ["https://github.com/Blaizzy/mlx-vlm/pull/990"],
    needs: "tools",
    answer: (good) => {
      const own = calling(good);
      return own.withBody(message(own, (one) => one, { finish_reason: "stop" }));
    },
  }),
  inWhole({
    id: "whole-arguments-as-object",
    says: "The arguments of a call are an object instead of a string.",
    restsOn: ["https://github.com/THU-MAIC/OpenMAIC/issues/1556"],
    needs: "tools",
    due: "either",
    answer: (good) => {
      const own = calling(good);
      return own.withBody(
        message(own, (one) => ({
          ...one,
          tool_calls: (one["tool_calls"] as Json[]).map((call) => {
            const given = call["function"] as Json;
            return { ...call, function: { ...given, arguments: JSON.parse(String(given["arguments"])) } };
          }),
        })),
      );
    },
  }),
  inWhole({
    id: "whole-calls-null",
    says: "The message has null tool_calls and a null function_call.",
    restsOn: ["https://github.com/vincent-pli/mcp-cli-host/issues/1"],
    answer: (good) => good.withBody(message(good, (own) => ({ ...own, tool_calls: null, function_call: null }))),
  }),
  inWhole({
    id: "whole-call-without-content",
    says: "A message with a call has no content member.",
    restsOn: ["https://github.com/AstrBotDevs/AstrBot/issues/6661"],
    needs: "tools",
    answer: (good) => {
      const own = good.say({
        parts: [{ ...callPart(good), pieces: inPieces(callPart(good).pieces.join(""), 9) }],
        end: "calls",
      });
      return own.withBody(message(own, ({ content: _content, ...one }) => one));
    },
  }),
];
