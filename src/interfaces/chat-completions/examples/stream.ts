/** Good streamed replies of chat-completions: text, several choices, calls, log probabilities, usage, other line ends. */

import type { Example } from "../../../check/example.ts";
import { exchangeOf, jsonRequest, sseEvent, streamResponse } from "../../../wire/build.ts";
import { entry, headers, hello, tool, usage } from "./response.ts";

type Delta = Readonly<Record<string, unknown>>;

/** A chunk with one choice. */
export function chunk(delta: Delta, finish: string | null = null, more: object = {}, choice: object = {}): object {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_735_689_600,
    model: "chat-1",
    system_fingerprint: "fp_1",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish, ...choice }],
    ...more,
  };
}

const first = { role: "assistant", content: "" };
const says = (...pieces: string[]): object[] => [chunk(first), ...pieces.map((content) => chunk({ content }))];

function streamed(name: string, asked: object, chunks: readonly object[]): Example {
  return {
    name,
    exchange: exchangeOf(
      jsonRequest("/v1/chat/completions", headers, { model: "chat-1", messages: hello, stream: true, ...asked }),
      streamResponse([...chunks.map((data) => sseEvent(data)), sseEvent("[DONE]")]),
    ),
  };
}

const second = { index: 1 };
const pieceOf = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] });
const opening = (index: number, id: string, name: string) =>
  pieceOf(index, { id, type: "function", function: { name, arguments: "" } });
const continuing = (index: number, text: string) => pieceOf(index, { function: { arguments: text } });
const weather = [tool("get_weather"), tool("get_time")];
const functions = [{ name: "get_weather", parameters: { type: "object" } }];
const noUsage = { usage: null };
const extra = { ...chunk({}), choices: [], usage };

const text = streamed("a streamed text", {}, [...says("Hel", "lo."), chunk({}, "stop")]);

/** The same stream with comments, event fields, carriage returns and a retry field. */
function dressed({ exchange }: Example): Example {
  const { response } = exchange;
  const body = Buffer.from(response?.body ?? [])
    .toString("utf8")
    .replaceAll("data: ", ": ping\nevent: message\nid: 7\nretry: 10\ndata:")
    .replaceAll("\n", "\r\n");
  return {
    name: "a streamed text with comments and other fields",
    exchange: exchangeOf(exchange.request, {
      status: 200,
      headers: [["content-type", "text/event-stream; charset=utf-8"]],
      body: Buffer.from(body),
    }),
  };
}

export const examples: readonly Example[] = [
  text,
  dressed(text),
  streamed("a streamed text of bare chunks", {}, [
    ...says("Hi.").map((one) => ({ ...one, system_fingerprint: undefined })),
    {
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1_735_689_600,
      model: "chat-1",
      choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
    },
  ]),
  streamed("streamed choices side by side", { n: 2, max_completion_tokens: 2 }, [
    chunk(first),
    chunk(first, null, {}, second),
    chunk({ content: "One" }),
    chunk({ content: "Two" }, null, {}, second),
    chunk({}, "stop", {}, second),
    chunk({}, "length"),
  ]),
  streamed("a stream with usage", { stream_options: { include_usage: true } }, [
    chunk(first, null, noUsage),
    chunk({ content: "Hello." }, null, noUsage),
    chunk({}, "stop", noUsage),
    extra,
  ]),
  streamed(
    "a stream with usage within its bound",
    { stream_options: { include_usage: true }, max_completion_tokens: 4 },
    [chunk(first, null, noUsage), chunk({ content: "Once" }, null, noUsage), chunk({}, "length", noUsage), extra],
  ),
  streamed("a stream that declines usage", { stream_options: { include_usage: false } }, [
    ...says("Hello."),
    chunk({}, "stop", noUsage),
  ]),
  streamed("streamed tool calls", { tools: weather, tool_choice: "required" }, [
    chunk({ role: "assistant", content: null }),
    chunk(opening(0, "call_1", "get_weather")),
    chunk(continuing(0, '{"city":')),
    chunk(continuing(0, '"Oslo"}')),
    chunk(opening(1, "call_2", "get_time")),
    chunk(continuing(1, "{}")),
    chunk({}, "tool_calls"),
  ]),
  streamed(
    "a streamed call of the chosen function",
    { tools: weather, tool_choice: { type: "function", function: { name: "get_time" } }, parallel_tool_calls: false },
    [
      chunk({ role: "assistant", content: "" }),
      chunk(opening(0, "call_1", "get_time")),
      chunk(continuing(0, "{}")),
      chunk({}, "tool_calls"),
    ],
  ),
  streamed("a stream that leaves its tools alone", { tools: weather, tool_choice: "none" }, [
    ...says("No", " tools."),
    chunk({}, "stop"),
  ]),
  streamed("a streamed function call", { functions }, [
    chunk({ role: "assistant", content: null, function_call: { name: "get_weather", arguments: "" } }),
    chunk({ function_call: { arguments: "{}" } }),
    chunk({}, "function_call"),
  ]),
  streamed("a streamed refusal", {}, [
    chunk({ role: "assistant", content: "", refusal: null }),
    chunk({ refusal: "I cannot." }),
    chunk({}, "stop"),
  ]),
  streamed("streamed audio", { modalities: ["text", "audio"], audio: { format: "pcm16", voice: "alloy" } }, [
    chunk({ role: "assistant", content: null, audio: { id: "audio_1", transcript: "Hello." } }),
    chunk({ audio: { data: "AAAA" } }),
    chunk({}, "stop"),
  ]),
  streamed("streamed log probabilities", { logprobs: true, top_logprobs: 1 }, [
    chunk(first, null, {}, { logprobs: { content: [], refusal: null } }),
    chunk({ content: "Hel" }, null, {}, { logprobs: { content: [entry("Hel", -0.1)], refusal: null } }),
    chunk({ content: "lo" }, null, {}, { logprobs: { content: [entry("lo", -0.1)], refusal: null } }),
    chunk({}, "stop"),
  ]),
  streamed("a stream that names its tier", { service_tier: "default" }, [
    ...says("Hello.").map((one) => ({ ...one, service_tier: "default" })),
    chunk({}, "stop", { service_tier: "default" }),
  ]),
  streamed("a stream with a stop sequence", { stop: ["END"] }, [...says("The ", "story"), chunk({}, "stop")]),
  streamed("a filtered stream", {}, [...says("The "), chunk({}, "content_filter")]),
];
