/** Sessions of the official SDK with chat completions. */
import OpenAI from "openai";
import {
  bothTools,
  counting,
  drain,
  key,
  laterSureToOccur,
  question,
  refused,
  sureToOccur,
  weather,
  withoutKey,
} from "../common.mjs";
import { emptyPage, fullPage, largePicture, silence, smallPicture } from "../media.mjs";

const api = (base) => new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0 }).chat.completions;

/** What `beside` lists is asked after it, to be compared with it. */
const chat = (section, name, body, { beside = [], ...more } = {}) => ({
  interface: "chat-completions",
  section,
  name,
  ...more,
  run: async (base) => {
    const call = api(base).create({ model: "chat-model", messages: question, ...body });
    if (more.violates) return refused(call);
    if (body.stream) return drain(await call);
    await call;
    for (const other of beside) await api(base).create({ model: "chat-model", messages: question, ...other });
  },
});

const user = (...content) => ({ role: "user", content });
const text = (words) => ({ type: "text", text: words });
/** A question about a picture, a sound or a document; beside it the same without one, and with one that says more. */
const about = (...parts) => ({ messages: [user(text("What is this?"), ...parts)] });
const withMore = (part) => [about(), about(part)];
const picture = (data, more = {}) => ({
  type: "image_url",
  image_url: { url: `data:image/png;base64,${data}`, ...more },
});
const sound = (data) => ({ type: "input_audio", input_audio: { data, format: "wav" } });
const file = (file_data) => ({ type: "file", file: { filename: "page.pdf", file_data } });
const tool = (name, more = {}) => ({ type: "function", function: { name, ...more } });
const getWeather = tool("get_weather", { description: "Weather of a city", parameters: weather });
const getTime = tool("get_time", { description: "Time of day in a city", parameters: weather });
const calling = (id, name, args) => ({ id, type: "function", function: { name, arguments: args } });
const answering = (tool_call_id, content) => ({ role: "tool", tool_call_id, content });
const tools = [getWeather];
const functions = [{ name: "get_weather", parameters: weather }];
const asJson = [{ role: "user", content: "Describe the weather in Paris as JSON." }];
const answerFormat = {
  type: "json_schema",
  json_schema: { name: "answer", strict: true, schema: { ...weather, additionalProperties: false } },
};
const audio = { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } };
const streamedAudio = { ...audio, stream: true, audio: { voice: "sage", format: "pcm16" } };
/** Two calls are asked for in words, and one of them is allowed. */
const oneOfTwo = {
  messages: [{ role: "user", content: bothTools }],
  tools: [getWeather, getTime],
  tool_choice: "required",
  parallel_tool_calls: false,
};
const countToTen = { messages: [{ role: "user", content: counting }], temperature: 0 };

const roundTrip = {
  interface: "chat-completions",
  section: "tools",
  name: "round-trip",
  needs: ["tools"],
  bind: ["/messages/1/tool_calls/0/id", "/messages/2/tool_call_id"].map((to) => ({
    exchange: 1,
    from: { exchange: 0, pointer: "/choices/0/message/tool_calls/0/id" },
    to,
  })),
  run: async (base) => {
    const asked = { model: "chat-model", tools };
    const first = await api(base).create({ ...asked, messages: question, tool_choice: "required" });
    const { message: reply } = first.choices[0];
    const result = answering(reply.tool_calls[0].id, "18 degrees");
    await api(base).create({ ...asked, messages: [...question, reply, result], tool_choice: "none" });
  },
};

export const chatSessions = [
  chat("response", "text", {}),
  chat("response", "two-choices", { n: 2 }, { needs: ["n"] }),
  chat("response", "log-probabilities", { logprobs: true, top_logprobs: 2 }, { needs: ["logprobs"] }),
  chat("response", "no-top-log-probabilities", { logprobs: true, top_logprobs: 0 }, { needs: ["logprobs"] }),
  // What is drawn at the highest temperature is often not among the 20 most probable.
  chat("response", "improbable-tokens", { logprobs: true, top_logprobs: 20, temperature: 2 }, { needs: ["logprobs"] }),
  chat("response", "stop-sequence", { ...countToTen, stop: sureToOccur }),
  chat("response", "stop-list", { ...countToTen, stop: laterSureToOccur }),
  chat("response", "token-bound", { max_completion_tokens: 3 }),
  chat("response", "json-schema", { response_format: answerFormat }, { needs: ["structured-output"] }),
  chat(
    "response",
    "json-schema-not-strict",
    {
      messages: asJson,
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", description: "The weather of a city", schema: weather },
      },
    },
    { needs: ["structured-output"] },
  ),
  chat("response", "audio", audio, { needs: ["audio"] }),
  chat("response", "web-search", { web_search_options: { search_context_size: "low" } }, { needs: ["web-search"] }),
  chat(
    "response",
    "json-object",
    { messages: asJson, response_format: { type: "json_object" } },
    { needs: ["json-mode"] },
  ),
  chat("response", "service-tier", { service_tier: "auto", seed: 7, store: false }),

  chat("request", "sampling", { top_p: 0.9, seed: 7, user: "u-1", modalities: ["text"], stop: "END" }),
  chat("request", "penalties", { presence_penalty: 0.5, frequency_penalty: -0.5 }, { needs: ["penalties"] }),
  chat("request", "logit-bias", { logit_bias: { 100: -100, 101: 1 } }, { needs: ["logit-bias"] }),
  chat("request", "metadata", { store: true, metadata: { topic: "weather" } }, { needs: ["metadata"] }),
  chat("request", "reasoning-effort", { reasoning_effort: "low" }, { needs: ["reasoning"] }),
  chat("request", "max-tokens", { max_tokens: 3 }, { needs: ["max-tokens"] }),
  chat(
    "request",
    "prediction",
    { prediction: { type: "content", content: "Hello from the place of the prediction." } },
    { needs: ["prediction"] },
  ),
  chat(
    "request",
    "predicted-parts",
    { prediction: { type: "content", content: [text("It is mild"), text(" in Paris.")] } },
    { needs: ["prediction"] },
  ),

  chat("conversation", "several-turns", {
    messages: [
      { role: "system", content: "Answer briefly.", name: "operator" },
      { role: "user", content: "Name a city.", name: "ann" },
      { role: "assistant", content: "Paris." },
      user(text("What is the weather there?"), text("In one sentence.")),
    ],
  }),
  chat(
    "conversation",
    "developer-role",
    { messages: [{ role: "developer", content: [text("Answer briefly.")] }, ...question] },
    { needs: ["developer-role"] },
  ),
  chat("conversation", "image", about(picture(smallPicture, { detail: "low" })), {
    needs: ["image-input"],
    beside: withMore(picture(largePicture)),
  }),
  chat("conversation", "audio-input", about(sound(silence())), {
    needs: ["audio-input"],
    beside: withMore(sound(silence(3))),
  }),
  chat("conversation", "file", about(file(emptyPage())), { needs: ["documents"], beside: withMore(file(fullPage())) }),
  chat(
    "conversation",
    "refusal",
    {
      messages: [
        ...question,
        { role: "assistant", content: [{ type: "refusal", refusal: "I cannot know that." }] },
        { role: "user", content: "Then guess." },
        { role: "assistant", content: "No.", refusal: "I do not guess." },
        { role: "user", content: "Then say good bye." },
      ],
    },
    { needs: ["refusals"] },
  ),

  chat("streaming", "text", { stream: true }),
  chat("streaming", "usage", { stream: true, stream_options: { include_usage: true } }),
  chat("streaming", "two-choices", { stream: true, n: 2 }, { needs: ["n"] }),
  chat("streaming", "tool-call", { stream: true, tools, tool_choice: "required" }, { needs: ["tools"] }),
  chat(
    "streaming",
    "two-tool-calls",
    { stream: true, messages: [{ role: "user", content: bothTools }], tools: [getWeather, getTime] },
    { needs: ["tools"] },
  ),
  chat("streaming", "log-probabilities", { stream: true, logprobs: true, top_logprobs: 2 }, { needs: ["logprobs"] }),
  chat("streaming", "stop-sequence", { stream: true, ...countToTen, stop: "e" }),
  chat("streaming", "token-bound", { stream: true, max_completion_tokens: 3 }),
  chat("streaming", "service-tier", { stream: true, service_tier: "auto" }),
  chat("streaming", "json-schema", { stream: true, response_format: answerFormat }, { needs: ["structured-output"] }),
  chat(
    "streaming",
    "json-object",
    { stream: true, messages: asJson, response_format: { type: "json_object" } },
    { needs: ["json-mode"] },
  ),
  chat("streaming", "no-tool", { stream: true, tools, tool_choice: "none" }, { needs: ["tools"] }),
  chat("streaming", "one-of-two-calls", { stream: true, ...oneOfTwo }, { needs: ["tools"] }),
  chat("streaming", "audio", streamedAudio, { needs: ["audio"] }),
  chat("streaming", "web-search", { stream: true, web_search_options: {} }, { needs: ["web-search"] }),
  chat(
    "streaming",
    "function-call",
    { stream: true, functions, function_call: { name: "get_weather" } },
    { needs: ["functions"] },
  ),

  chat("tools", "required-tool", { tools, tool_choice: "required" }, { needs: ["tools"] }),
  chat("tools", "no-tool", { tools, tool_choice: "none" }, { needs: ["tools"] }),
  chat("tools", "model-chooses", { tools, tool_choice: "auto" }, { needs: ["tools"] }),
  roundTrip,
  chat(
    "tools",
    "one-call-at-a-time",
    { tools, tool_choice: "required", parallel_tool_calls: false },
    { needs: ["tools"] },
  ),
  chat(
    "tools",
    "named-function",
    { tools, tool_choice: { type: "function", function: { name: "get_weather" } } },
    { needs: ["tools"] },
  ),
  chat(
    "tools",
    "two-calls",
    { messages: [{ role: "user", content: bothTools }], tools: [getWeather, getTime], tool_choice: "required" },
    { needs: ["tools"] },
  ),
  chat("tools", "one-of-two-calls", oneOfTwo, { needs: ["tools"] }),
  chat("tools", "no-parameters", { tools: [tool("get_time")], tool_choice: "required" }, { needs: ["tools"] }),
  chat(
    "tools",
    "strict",
    {
      tools: [tool("get_weather", { strict: true, parameters: { ...weather, additionalProperties: false } })],
      tool_choice: "required",
    },
    { needs: ["tools", "structured-output"] },
  ),
  chat(
    "tools",
    "two-results",
    {
      messages: [
        { role: "user", content: bothTools },
        {
          role: "assistant",
          content: "Let me look.",
          tool_calls: [
            calling("call_weather1", "get_weather", '{"city":"Paris"}'),
            calling("call_time1", "get_time", '{"city":"Paris"}'),
          ],
        },
        answering("call_weather1", "18 degrees"),
        answering("call_time1", [text("noon"), text("local time")]),
      ],
      tools: [getWeather, getTime],
    },
    { needs: ["tools"] },
  ),
  // The document has models write arguments that are no JSON; what was written comes back in the next turn.
  chat(
    "tools",
    "broken-arguments",
    {
      messages: [
        ...question,
        { role: "assistant", tool_calls: [calling("call_broken1", "get_weather", '{"city": "Par')] },
        answering("call_broken1", "The arguments are no JSON."),
      ],
      tools,
      tool_choice: "none",
    },
    { needs: ["tools"] },
  ),
  chat("tools", "function-call", { functions, function_call: { name: "get_weather" } }, { needs: ["functions"] }),
  chat(
    "tools",
    "function-result",
    {
      messages: [
        ...question,
        { role: "assistant", function_call: { name: "get_weather", arguments: '{"city":"Paris"}' } },
        { role: "function", name: "get_weather", content: "18 degrees" },
      ],
      functions,
      function_call: "none",
    },
    { needs: ["functions"] },
  ),

  withoutKey("chat-completions", "/v1/chat/completions", { model: "chat-model", messages: question }, [
    "chat-completions.auth.authorization-required",
  ]),
  chat(
    "errors",
    "temperature-too-high",
    { temperature: 3 },
    { violates: ["chat-completions.request.temperature-range"] },
  ),
];
