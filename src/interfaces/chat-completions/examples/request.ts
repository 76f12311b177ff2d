/** Good chat requests: every member, message shape and content part the document describes; replies stand in other files. */

import { exchangeOf, jsonRequest, jsonResponse } from "../../../wire/build.ts";
import type { HeaderPairs, WireResponse } from "../../../wire/exchange.ts";
import { emptyPdf, pixelPng, silentWav } from "../../../wire/sample-files.ts";
import type { Example } from "../../example.ts";

const headers: HeaderPairs = [["Authorization", "Bearer a-key"]];
const ask = { role: "user", content: "What is the weather in Ghent?" };

function request(name: string, body: object, response: WireResponse | null = null): Example {
  const whole = { model: "some-model", messages: [ask], ...body };
  return { name, exchange: exchangeOf(jsonRequest("/v1/chat/completions", headers, whole), response) };
}

const lookUp = {
  type: "function",
  function: {
    name: "look_up-2",
    description: "Looks up the weather of a town.",
    parameters: { type: "object", properties: { town: { type: "string" } }, required: ["town"] },
    strict: true,
  },
};
const call = { id: "call_1", type: "function", function: { name: "look_up-2", arguments: '{"town":"Ghent"}' } };

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

const text = (said: string) => [{ type: "text", text: said }];
const refusal = { role: "assistant", content: [{ type: "refusal", refusal: "I cannot say more." }] };

/** Each part of a user or an assistant beside each role that must not send it: a probe moves it there, and nothing else is wrong. */
const parts: readonly Example[] = [
  { type: "image_url", image_url: { url: `data:image/png;base64,${pixelPng}` } },
  { type: "input_audio", input_audio: { data: silentWav, format: "wav" } },
  { type: "file", file: { file_data: `data:application/pdf;base64,${emptyPdf}`, filename: "report.pdf" } },
].flatMap((part) => {
  const user = { role: "user", content: [...text("What is this?"), part] };
  return [
    request(`a ${part.type} part beside a developer's text`, {
      messages: [{ role: "developer", content: text("Be brief.") }, user],
    }),
    request(`a ${part.type} part beside a system text`, {
      messages: [{ role: "system", content: text("Be kind.") }, user],
    }),
    request(`a ${part.type} part beside an assistant's text`, {
      messages: [user, { role: "assistant", content: text("Nothing.") }, ask],
    }),
    request(`a ${part.type} part beside a tool's text`, {
      messages: [
        user,
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", content: text("11 degrees"), tool_call_id: "call_1" },
      ],
    }),
  ];
});

const refusals: readonly Example[] = [
  request("a refusal part beside a user's text", {
    messages: [ask, refusal, { role: "user", content: text("Why?") }],
  }),
  request("a refusal part beside a developer's text", {
    messages: [{ role: "developer", content: text("Be brief.") }, ask, refusal, ask],
  }),
  request("a refusal part beside a system text", {
    messages: [{ role: "system", content: text("Be kind.") }, ask, refusal, ask],
  }),
  request("a refusal part beside a tool's text", {
    messages: [
      ask,
      refusal,
      ask,
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", content: text("11 degrees"), tool_call_id: "call_1" },
    ],
  }),
];

const conversation: readonly Example[] = [
  request("every role, contents as text", {
    messages: [
      { role: "developer", content: "Be brief.", name: "owner" },
      { role: "system", content: "Be kind.", name: "owner" },
      { role: "user", content: "What is the weather in Ghent?", name: "ann" },
      { role: "assistant", content: null, name: "bot", refusal: null, audio: null, tool_calls: [call] },
      { role: "tool", content: "11 degrees", tool_call_id: "call_1" },
      { role: "assistant", content: "Eleven degrees.", audio: { id: "audio_1" } },
      { role: "user", content: "" },
    ],
  }),
  request("every role, contents in parts", {
    messages: [
      { role: "developer", content: [{ type: "text", text: "Be brief." }] },
      { role: "system", content: [{ type: "text", text: "Be kind." }] },
      { role: "user", content: [{ type: "text", text: "What is the weather?" }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look it up." },
          { type: "refusal", refusal: "I cannot say more." },
        ],
        refusal: "I cannot say more.",
        tool_calls: [call],
      },
      { role: "tool", content: [{ type: "text", text: "11 degrees" }], tool_call_id: "call_1" },
      { role: "assistant", content: [{ type: "text", text: "Eleven degrees." }] },
      ask,
    ],
  }),
  request("calls without content", {
    messages: [
      ask,
      { role: "assistant", tool_calls: [call, { ...call, id: "call_2" }] },
      { role: "tool", content: "11 degrees", tool_call_id: "call_2" },
      { role: "tool", content: "11 degrees", tool_call_id: "call_1" },
    ],
  }),
  request("the deprecated function call and its answer", {
    messages: [
      ask,
      { role: "assistant", content: null, function_call: { name: "look_up", arguments: "{}" } },
      { role: "function", name: "look_up", content: "11 degrees" },
      { role: "assistant", content: "Eleven.", function_call: null },
      { role: "function", name: "look_up", content: null },
    ],
  }),
  request("every part a user can send", {
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Compare these." },
          { type: "image_url", image_url: { url: "https://images.example/cat.png", detail: "auto" } },
          { type: "image_url", image_url: { url: `data:image/png;base64,${pixelPng}` } },
          { type: "input_audio", input_audio: { data: silentWav, format: "wav" } },
          { type: "input_audio", input_audio: { data: "SUQzBAAAAAAAAA==", format: "mp3" } },
          { type: "file", file: { file_data: emptyPdf, filename: "report.pdf" } },
          { type: "file", file: { file_data: `data:application/pdf;base64,${emptyPdf}`, filename: "report.pdf" } },
          { type: "file", file: { file_id: "file-1" } },
        ],
      },
    ],
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

export const examples: readonly Example[] = [
  ...sampling,
  ...output,
  ...[...parts, ...refusals].map((example) => ({ ...example, late: true })),
  ...conversation,
  ...tools,
];
