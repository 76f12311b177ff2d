/** Good whole replies of chat-completions: text, calls, log probabilities, audio, citations, JSON, usage, lists, failures. */

import type { Example } from "../../../check/example.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../../../wire/build.ts";

export const headers = [["Authorization", "Bearer test-key"]] as const;
export const hello = [{ role: "user", content: "Say hello." }];
const created = 1_735_689_600;

export const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
const fullUsage = {
  ...usage,
  prompt_tokens_details: { cached_tokens: 2, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 1,
    audio_tokens: 0,
    accepted_prediction_tokens: 1,
    rejected_prediction_tokens: 1,
  },
};

export function completion(choices: readonly unknown[], more: object = {}): object {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created,
    model: "chat-1",
    system_fingerprint: "fp_1",
    choices,
    usage: fullUsage,
    ...more,
  };
}

interface MessageParts {
  readonly content?: string | null;
  readonly [member: string]: unknown;
}

export function choice(message: MessageParts, finish = "stop", more: object = {}): object {
  return {
    index: 0,
    message: { role: "assistant", content: null, refusal: null, ...message },
    logprobs: null,
    finish_reason: finish,
    ...more,
  };
}

export const tool = (name: string) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: { city: { type: "string" } } } },
});

export const call = (id: string, name: string, city: string) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify({ city }) },
});

const token = (text: string, logprob: number) => ({ token: text, logprob, bytes: [...Buffer.from(text)] });
export const entry = (text: string, logprob: number, ...others: string[]) => ({
  ...token(text, logprob),
  top_logprobs: [token(text, logprob), ...others.map((other, i) => token(other, logprob - 1 - i))],
});
/** A token outside the 20 most probable ones. */
const improbable = {
  ...token("zebra", -9999),
  top_logprobs: Array.from({ length: 20 }, (_, i) => token(`word${i}`, -0.1 * (i + 1))),
};

export function whole(name: string, asked: object, reply: unknown, status = 200): Example {
  return {
    name,
    exchange: exchangeOf(
      jsonRequest("/v1/chat/completions", headers, { model: "chat-1", messages: hello, ...asked }),
      jsonResponse(reply, status),
    ),
  };
}

const text = choice({ content: "Hello there!" });
const weather = [tool("get_weather"), tool("get_time")];
const functions = [{ name: "get_weather", parameters: { type: "object" } }];
const called = choice(
  { tool_calls: [call("call_1", "get_weather", "Oslo"), call("call_2", "get_time", "Lima")] },
  "tool_calls",
);
const oneCall = (finish: string) => choice({ tool_calls: [call("call_1", "get_weather", "Oslo")] }, finish);
const functionCall = { function_call: { name: "get_weather", arguments: '{"city":"Oslo"}' } };

/** An example with the time of its exchange, by the clock of whoever recorded it. */
export const dated = ({ name, exchange }: Example): Example => ({
  name: `${name}, dated`,
  exchange: { ...exchange, started: (created - 1) * 1000 },
});

export const examples: readonly Example[] = [
  whole("a text", {}, completion([text])),
  dated(whole("a text", {}, completion([text]))),
  whole(
    "a text with the least a reply holds",
    {},
    {
      id: "chatcmpl-2",
      object: "chat.completion",
      created,
      model: "chat-1-2025-01-01",
      choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
      usage,
    },
  ),
  whole("a fingerprint and a tier of null", {}, completion([text], { system_fingerprint: null, service_tier: null })),
  whole("empty optional arrays", {}, completion([choice({ content: "Hi.", tool_calls: [], annotations: [] })])),
  whole("several choices", { n: 2 }, completion([text, choice({ content: "Hello." }, "stop", { index: 1 })])),
  whole(
    "a text cut at the token bound",
    { max_completion_tokens: 4 },
    completion([choice({ content: "Once upon" }, "length")]),
  ),
  whole("a filtered text", {}, completion([choice({ content: "" }, "content_filter")])),
  whole(
    "a bound for each of two choices",
    { n: 2, max_tokens: 2 },
    completion([text, choice({ content: "Hello." }, "length", { index: 1 })]),
  ),
  whole("a refusal", {}, completion([choice({ refusal: "I cannot help with that." })])),
  whole("stop sequences", { stop: ["END", "\n\n"] }, completion([choice({ content: "The story" })])),
  whole("one stop sequence", { stop: "END" }, completion([choice({ content: "The story" })])),
  whole("a service tier", { service_tier: "flex" }, completion([text], { service_tier: "flex" })),
  whole("tool calls", { tools: weather }, completion([called])),
  whole(
    "arguments that are no JSON",
    { tools: weather },
    completion([
      choice(
        { tool_calls: [{ id: "call_1", type: "function", function: { name: "get_weather", arguments: "{oops" } }] },
        "tool_calls",
      ),
    ]),
  ),
  whole("tools not used", { tools: weather, tool_choice: "auto" }, completion([text])),
  whole("tool choice none", { tools: weather, tool_choice: "none" }, completion([text])),
  whole("tool choice required", { tools: weather, tool_choice: "required" }, completion([called])),
  whole(
    "tool choice of a function",
    { tools: weather, tool_choice: { type: "function", function: { name: "get_weather" } } },
    completion([oneCall("tool_calls")]),
  ),
  whole("no parallel tool calls", { tools: weather, parallel_tool_calls: false }, completion([oneCall("tool_calls")])),
  whole("a function call", { functions }, completion([choice(functionCall, "function_call")])),
  whole(
    "a function call that finished with stop",
    { functions, function_call: { name: "get_weather" } },
    completion([choice(functionCall)]),
  ),
  whole("functions not used", { functions, function_call: "none" }, completion([text])),
  whole(
    "log probabilities",
    { logprobs: true, top_logprobs: 3 },
    completion([
      choice({ content: "Hello there!" }, "stop", {
        logprobs: {
          content: [entry("Hello", -0.01, "Hi", "Hey"), entry(" there", -0.2), { ...entry("!", -0.5), bytes: null }],
          refusal: [],
        },
      }),
    ]),
  ),
  whole(
    "log probabilities of a refusal",
    { logprobs: true, top_logprobs: 0 },
    completion([
      choice({ refusal: "No." }, "stop", {
        logprobs: {
          content: null,
          refusal: [
            { ...token("No", -0.1), top_logprobs: [] },
            { ...token(".", -0.1), top_logprobs: [] },
          ],
        },
      }),
    ]),
  ),
  whole(
    "a token outside the 20 most probable",
    { logprobs: true, top_logprobs: 20 },
    completion([choice({ content: "zebra" }, "stop", { logprobs: { content: [improbable], refusal: [] } })]),
  ),
  whole(
    "a token of half a character",
    { logprobs: true },
    completion([
      choice({ content: "é" }, "stop", {
        logprobs: {
          content: [
            { token: "\\xc3", logprob: -0.1, bytes: [195], top_logprobs: [] },
            { token: "\\xa9", logprob: -0.1, bytes: [169], top_logprobs: [] },
          ],
        },
      }),
    ]),
  ),
  whole(
    "citations of a web search",
    { web_search_options: {} },
    completion([
      choice({
        content: "It rains (weather.example).",
        annotations: [
          {
            type: "url_citation",
            url_citation: { start_index: 9, end_index: 25, url: "https://weather.example/", title: "Weather" },
          },
        ],
      }),
    ]),
  ),
  whole(
    "audio",
    { modalities: ["text", "audio"], audio: { format: "wav", voice: "alloy" } },
    completion([
      choice({
        audio: {
          id: "audio_1",
          data: Buffer.from("RIFF....WAVE").toString("base64"),
          transcript: "Hello.",
          expires_at: created + 3600,
        },
      }),
    ]),
  ),
  whole(
    "a refusal instead of audio",
    { modalities: ["text", "audio"], audio: { format: "mp3", voice: "sage" } },
    completion([choice({ refusal: "No." })]),
  ),
  whole(
    "JSON mode",
    { messages: [{ role: "user", content: "Answer in JSON." }], response_format: { type: "json_object" } },
    completion([choice({ content: '{"hello":"there"}' })]),
  ),
  whole(
    "a loose JSON schema",
    { response_format: { type: "json_schema", json_schema: { name: "greeting", schema: { type: "object" } } } },
    completion([choice({ content: '{"hello":"there"}' })]),
  ),
  whole(
    "a strict JSON schema",
    {
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "greeting",
          strict: true,
          schema: {
            type: "object",
            properties: { hello: { type: "string" } },
            required: ["hello"],
            additionalProperties: false,
          },
        },
      },
    },
    completion([choice({ content: '{"hello":"there"}' })]),
  ),
  whole(
    "a request refused",
    { model: "unknown-model" },
    {
      error: {
        message: "There is no such model.",
        type: "invalid_request_error",
        param: "model",
        code: "model_not_found",
      },
    },
    404,
  ),
];
