/** Good chat requests: every member beside the messages that the document describes. */

import type { Example } from "../../../check/example.ts";
import { jsonResponse } from "../../../wire/build.ts";
import { ask, request } from "./request-example.ts";
import { content, conversation } from "./request-messages.ts";

const lookUp = {
  type: "function",
  function: {
    name: "look_up-2",
    description: "Looks up the weather of a town.",
    parameters: { type: "object", properties: { town: { type: "string" } }, required: ["town"] },
    strict: true,
  },
};

const reply = {
  id: "chatcmpl-request-1",
  object: "chat.completion",
  created: 1_735_689_600,
  model: "some-model",
  system_fingerprint: "fp_1",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "Dry, eleven degrees.", refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 8, completion_tokens: 5, total_tokens: 13 },
};

const sampling: readonly Example[] = [
  request("every plain member at an inner value", {
    store: true,
    metadata: { purpose: "example", "": "" },
    temperature: 0.7,
    n: 2,
    stop: ["\n\n", "END"],
    max_completion_tokens: 64,
    presence_penalty: 0.5,
    frequency_penalty: -0.5,
    logit_bias: { "1734": -100, "50256": 12.5 },
    logprobs: true,
    top_logprobs: 3,
    user: "user-17",
    service_tier: "flex",
    seed: -42,
    parallel_tool_calls: false,
  }),
  request("every nullable member as null", {
    store: null,
    reasoning_effort: null,
    modalities: null,
    audio: null,
    temperature: null,
    top_p: null,
    n: null,
    stop: null,
    max_tokens: null,
    max_completion_tokens: null,
    presence_penalty: null,
    frequency_penalty: null,
    logit_bias: null,
    logprobs: null,
    top_logprobs: null,
    service_tier: null,
    stream: null,
    stream_options: null,
    seed: null,
  }),
  request("lower bounds", {
    temperature: 0,
    presence_penalty: -2,
    frequency_penalty: -2,
    logit_bias: { "0": -100 },
    logprobs: true,
    top_logprobs: 0,
    n: 1,
    max_completion_tokens: 1,
    stop: [],
    metadata: {},
    tools: [],
  }),
  request("upper bounds", {
    temperature: 2,
    presence_penalty: 2,
    frequency_penalty: 2,
    logit_bias: { "99": 100 },
    logprobs: true,
    top_logprobs: 20,
    stop: ["a", "b", "c", "d"],
    metadata: Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`${i}`.padEnd(64, "k"), "v".repeat(512)])),
  }),
  request("metadata whose limits count characters", { metadata: { note: "é".repeat(512) } }),
  request("top_p, one stop sequence, a stream with usage", {
    top_p: 0.9,
    stop: "END",
    stream: true,
    stream_options: { include_usage: true },
    service_tier: "auto",
  }),
  request("stream options without members", { stream: true, stream_options: {}, service_tier: "default" }),
  request("the deprecated bound on tokens", { model: "not-reasoning", max_tokens: 16 }),
  request("a reasoning model with its own members", {
    model: "reasoning",
    reasoning_effort: "low",
    max_completion_tokens: 256,
    messages: [{ role: "developer", content: "Be brief." }, ask],
  }),
  request("medium effort", { model: "reasoning", reasoning_effort: "medium" }),
  request("high effort", { model: "reasoning", reasoning_effort: "high" }),
];

const output: readonly Example[] = [
  request("text output", { modalities: ["text"], response_format: { type: "text" } }),
  request("spoken output", { modalities: ["text", "audio"], audio: { format: "wav", voice: "alloy" } }),
  request("audio settings without audio output", { audio: { format: "pcm16", voice: "shimmer" } }),
  request("a prediction as text", { prediction: { type: "content", content: "Dry, ten degrees." } }),
  request("a prediction in parts", {
    prediction: {
      type: "content",
      content: [
        { type: "text", text: "Dry," },
        { type: "text", text: " ten degrees." },
      ],
    },
  }),
  request("JSON mode", {
    response_format: { type: "json_object" },
    messages: [{ role: "system", content: "Answer in JSON." }, ask],
  }),
  request("JSON mode asked for beside an image", {
    response_format: { type: "json_object" },
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Do what the picture says." },
          { type: "image_url", image_url: { url: "https://images.example/instruction.png" } },
        ],
      },
    ],
  }),
  request("a schema for the output", {
    response_format: {
      type: "json_schema",
      json_schema: {
        name: "weather_report-2",
        description: "A report.",
        schema: { type: "object", properties: { degrees: { type: "number" } }, additionalProperties: false },
        strict: true,
      },
    },
  }),
  request("the least a schema for the output can be", {
    response_format: { type: "json_schema", json_schema: { name: "n".repeat(64), strict: null } },
  }),
];

const tools: readonly Example[] = [
  request("tools of every shape", {
    tools: [
      lookUp,
      { type: "function", function: { name: "now" } },
      { type: "function", function: { name: "n".repeat(64), parameters: {}, strict: null } },
    ],
    tool_choice: "auto",
    parallel_tool_calls: true,
  }),
  request("as many tools as there may be", {
    tools: Array.from({ length: 128 }, (_, i) => ({ type: "function", function: { name: `tool_${i}` } })),
    tool_choice: "required",
  }),
  request("no tool wanted", { tools: [lookUp], tool_choice: "none" }),
  request("one tool forced", {
    tools: [lookUp],
    tool_choice: { type: "function", function: { name: "look_up-2" } },
  }),
  request("deprecated functions, chosen freely", {
    functions: [{ name: "look_up", description: "Looks up.", parameters: { type: "object" } }, { name: "now" }],
    function_call: "auto",
  }),
  request("deprecated functions, none wanted", { functions: [{ name: "look_up" }], function_call: "none" }),
  request("deprecated functions, one forced", {
    functions: [{ name: "look_up" }],
    function_call: { name: "look_up" },
  }),
  request("web search with every member", {
    web_search_options: {
      search_context_size: "low",
      user_location: {
        approximate: {
          type: "approximate",
          city: "Ghent",
          country: "BE",
          region: "East Flanders",
          timezone: "Europe/Brussels",
        },
      },
    },
  }),
  request("web search with the type beside the location", {
    web_search_options: {
      search_context_size: "medium",
      user_location: { type: "approximate", approximate: { country: "GB", timezone: "Etc/UTC" } },
    },
  }),
  request("web search from nowhere", { web_search_options: { search_context_size: "high", user_location: null } }),
  request("web search without members", { web_search_options: {} }),
  request("the least a request can be, and its reply", {}, jsonResponse(reply)),
];

export const examples: readonly Example[] = [...sampling, ...output, ...content, ...conversation, ...tools];
