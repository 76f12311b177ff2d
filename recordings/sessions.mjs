/** What the official SDKs do in a recording session: every operation, whole and streamed, with tools and multipart images. */
import { crc32, deflateSync } from "node:zlib";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI, { toFile } from "openai";

const key = "touchstone-session-key";

const weather = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
};
const question = [{ role: "user", content: "What is the weather in Paris?" }];

/** A square RGBA PNG whose left half is fully transparent. */
export function squarePng(side) {
  const row = Buffer.alloc(1 + side * 4);
  for (let x = 0; x < side; x++) row.set(x < side / 2 ? [0, 0, 0, 0] : [200, 80, 40, 255], 1 + x * 4);
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(data.length);
    body.copy(frame, 4);
    frame.writeUInt32BE(checksum(body), body.length + 4);
    return frame;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

/** CRC-32 as PNG has it; node:zlib brings it only since 22.2. */
function checksum(bytes) {
  if (crc32) return crc32(bytes);
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ -1) >>> 0;
}

async function drain(stream) {
  for await (const _ of stream);
}

/** An SDK throws on an error answer, which is what a negative session wants. */
async function refused(promise) {
  try {
    await promise;
  } catch (error) {
    if (error.status >= 400 && error.status < 500) return;
    throw error;
  }
  throw new Error("the request was expected to be refused");
}

const openai = (base) => new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0 });
const anthropic = (base) => new Anthropic({ baseURL: base, apiKey: key, maxRetries: 0 });
const google = (base) => new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: base } });

const chat = (name, section, body, more = {}) => ({
  interface: "chat-completions",
  section,
  name,
  ...more,
  run: async (base) => {
    const call = openai(base).chat.completions.create({ model: "chat-model", messages: question, ...body });
    if (more.violates) return refused(call);
    return body.stream ? drain(await call) : call;
  },
});
const chatTools = [
  { type: "function", function: { name: "get_weather", description: "Weather of a city", parameters: weather } },
];
const answerFormat = {
  type: "json_schema",
  json_schema: { name: "answer", strict: true, schema: { ...weather, additionalProperties: false } },
};

const message = (name, section, body, more = {}) => ({
  interface: "messages",
  section,
  name,
  ...more,
  run: async (base) => {
    const call = anthropic(base).messages.create({
      model: "messages-model",
      max_tokens: 256,
      messages: question,
      ...body,
    });
    if (more.violates) return refused(call);
    return body.stream ? drain(await call) : call;
  },
});
const messageTools = [{ name: "get_weather", description: "Weather of a city", input_schema: weather }];

const content = (name, section, config, more = {}) => ({
  interface: "generate-content",
  section,
  name,
  ...more,
  run: async (base) => {
    const { models } = google(base);
    const request = { model: "generate-model", contents: "What is the weather in Paris?", config };
    if (more.violates) return refused(models.generateContent(request));
    return more.stream ? drain(await models.generateContentStream(request)) : models.generateContent(request);
  },
});
const contentTools = [
  {
    functionDeclarations: [
      {
        name: "get_weather",
        description: "Weather of a city",
        parameters: { type: "OBJECT", properties: { city: { type: "STRING" } }, required: ["city"] },
      },
    ],
  },
];
const mustCall = { functionCallingConfig: { mode: "ANY" } };

const image = (name, section, run, more = {}) => ({
  interface: "images",
  section,
  name,
  ...more,
  run: async (base) => {
    const call = run(openai(base).images);
    return more.violates ? refused(call) : call;
  },
});
const png = (name, side = 64) => toFile(squarePng(side), name, { type: "image/png" });

const asJson = [{ role: "user", content: "Describe the weather in Paris as JSON." }];
const pngBlock = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: squarePng(8).toString("base64") },
};

/** No SDK sends a request without its key, so this one is sent by hand. */
const withoutKey = (name, path, body, violates, headers = {}) => ({
  interface: name,
  section: "auth",
  name: "missing-key",
  violates,
  run: async (base) => {
    const answer = await fetch(base + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    await answer.text();
    if (answer.ok) throw new Error("the request was expected to be refused");
  },
});

/** Each session is one cassette: `recordings/<interface>/<section>/<name>.json`. */
export const sessions = [
  chat("text", "response", {}),
  chat("two-choices", "response", { n: 2 }, { needs: ["n"] }),
  chat("log-probabilities", "response", { logprobs: true, top_logprobs: 2 }, { needs: ["logprobs"] }),
  chat("stop-sequence", "response", { stop: ["."], temperature: 0 }),
  chat("token-bound", "response", { max_completion_tokens: 3 }),
  chat("json-schema", "response", { response_format: answerFormat }, { needs: ["structured-output"] }),
  chat("text", "streaming", { stream: true }),
  chat("usage", "streaming", { stream: true, stream_options: { include_usage: true } }),
  chat("two-choices", "streaming", { stream: true, n: 2 }, { needs: ["n"] }),
  chat("tool-call", "streaming", { stream: true, tools: chatTools, tool_choice: "required" }, { needs: ["tools"] }),
  chat("required-tool", "tools", { tools: chatTools, tool_choice: "required" }, { needs: ["tools"] }),
  chat("no-tool", "tools", { tools: chatTools, tool_choice: "none" }, { needs: ["tools"] }),
  {
    interface: "chat-completions",
    section: "tools",
    name: "round-trip",
    needs: ["tools"],
    bind: [
      {
        exchange: 1,
        from: { exchange: 0, pointer: "/choices/0/message/tool_calls/0/id" },
        to: "/messages/1/tool_calls/0/id",
      },
      {
        exchange: 1,
        from: { exchange: 0, pointer: "/choices/0/message/tool_calls/0/id" },
        to: "/messages/2/tool_call_id",
      },
    ],
    run: async (base) => {
      const { completions } = openai(base).chat;
      const asked = { model: "chat-model", tools: chatTools };
      const first = await completions.create({ ...asked, messages: question, tool_choice: "required" });
      const { message: reply } = first.choices[0];
      const result = { role: "tool", tool_call_id: reply.tool_calls[0].id, content: "18 degrees" };
      await completions.create({ ...asked, messages: [...question, reply, result], tool_choice: "none" });
    },
  },
  chat(
    "audio",
    "response",
    { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } },
    { needs: ["audio"] },
  ),
  chat("web-search", "response", { web_search_options: { search_context_size: "low" } }, { needs: ["web-search"] }),
  chat(
    "json-object",
    "response",
    { messages: asJson, response_format: { type: "json_object" } },
    { needs: ["json-mode"] },
  ),
  chat("service-tier", "response", { service_tier: "auto", seed: 7, store: false }),
  chat(
    "one-call-at-a-time",
    "tools",
    { tools: chatTools, tool_choice: "required", parallel_tool_calls: false },
    { needs: ["tools"] },
  ),
  chat(
    "named-function",
    "tools",
    { tools: chatTools, tool_choice: { type: "function", function: { name: "get_weather" } } },
    { needs: ["tools"] },
  ),
  chat(
    "function-call",
    "tools",
    { functions: [{ name: "get_weather", parameters: weather }], function_call: { name: "get_weather" } },
    { needs: ["functions"] },
  ),
  chat("log-probabilities", "streaming", { stream: true, logprobs: true, top_logprobs: 2 }, { needs: ["logprobs"] }),
  withoutKey("chat-completions", "/v1/chat/completions", { model: "chat-model", messages: question }, [
    "chat-completions.auth.authorization-required",
  ]),
  chat(
    "temperature-too-high",
    "errors",
    { temperature: 3 },
    { violates: ["chat-completions.request.temperature-maximum"] },
  ),

  image("one-url", "generations", (images) =>
    images.generate({ model: "image-v2", prompt: "A red circle", size: "256x256" }),
  ),
  image("two-base64", "generations", (images) =>
    images.generate({ model: "image-v2", prompt: "A red circle", n: 2, size: "256x256", response_format: "b64_json" }),
  ),
  image(
    "hd",
    "generations",
    (images) =>
      images.generate({
        model: "image-v3",
        prompt: "A red circle",
        size: "1024x1024",
        quality: "hd",
        style: "natural",
      }),
    { needs: ["image-v3"] },
  ),
  withoutKey("images", "/v1/images/generations", { prompt: "A red circle" }, ["images.auth.authorization-present"]),
  image("eleven", "errors", (images) => images.generate({ model: "image-v2", prompt: "A red circle", n: 11 }), {
    violates: ["images.generations.n-maximum"],
  }),
  image("with-mask", "edits", async (images) =>
    images.edit({
      model: "image-v2",
      image: await png("room.png"),
      mask: await png("mask.png"),
      prompt: "Add a lamp",
      size: "256x256",
    }),
  ),
  image(
    "several-images",
    "edits",
    async (images) =>
      images.edit({
        model: "image-multi",
        image: [await png("room.png"), await png("lamp.png", 32)],
        prompt: "Put the lamp into the room",
        size: "1024x1024",
      }),
    { needs: ["image-multi"] },
  ),
  image("one", "variations", async (images) =>
    images.createVariation({
      model: "image-v2",
      image: await png("room.png"),
      size: "256x256",
      response_format: "b64_json",
    }),
  ),

  message("text", "response", {}),
  message("system-prompt", "response", { system: "Answer briefly.", temperature: 0.5, metadata: { user_id: "u-1" } }),
  message("token-bound", "response", { max_tokens: 2 }),
  message("stop-sequence", "response", { stop_sequences: ["."] }),
  message("text", "streaming", { stream: true }),
  message(
    "tool-use",
    "streaming",
    { stream: true, tools: messageTools, tool_choice: { type: "any" } },
    { needs: ["tools"] },
  ),
  message("any-tool", "tools", { tools: messageTools, tool_choice: { type: "any" } }, { needs: ["tools"] }),
  {
    interface: "messages",
    section: "tools",
    name: "round-trip",
    needs: ["tools"],
    bind: [
      { exchange: 1, from: { exchange: 0, pointer: "/content/0/id" }, to: "/messages/1/content/0/id" },
      { exchange: 1, from: { exchange: 0, pointer: "/content/0/id" }, to: "/messages/2/content/0/tool_use_id" },
    ],
    run: async (base) => {
      const { messages } = anthropic(base);
      const asked = { model: "messages-model", max_tokens: 256, tools: messageTools };
      const first = await messages.create({
        ...asked,
        messages: question,
        tool_choice: { type: "tool", name: "get_weather" },
      });
      const used = first.content.filter(({ type }) => type === "tool_use");
      const result = {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: used[0].id, content: "18 degrees" }],
      };
      await messages.create({ ...asked, messages: [...question, { role: "assistant", content: used }, result] });
    },
  },
  message(
    "thinking",
    "response",
    { max_tokens: 4096, thinking: { type: "enabled", budget_tokens: 1024 } },
    { needs: ["thinking"] },
  ),
  message(
    "continued",
    "response",
    { messages: [...question, { role: "assistant", content: "The weather in Paris is" }] },
    { needs: ["prefill"] },
  ),
  message(
    "image",
    "response",
    { messages: [{ role: "user", content: [pngBlock, { type: "text", text: "What is this?" }] }] },
    { needs: ["image-input"] },
  ),
  message(
    "named-tool",
    "tools",
    { tools: messageTools, tool_choice: { type: "tool", name: "get_weather", disable_parallel_tool_use: true } },
    { needs: ["tools"] },
  ),
  message("stop-sequence", "streaming", { stream: true, stop_sequences: ["."] }),
  withoutKey(
    "messages",
    "/v1/messages",
    { model: "messages-model", max_tokens: 16, messages: question },
    ["messages.auth.key-required"],
    { "anthropic-version": "2023-06-01" },
  ),
  message("temperature-too-high", "errors", { temperature: 2 }, { violates: ["messages.request.temperature-range"] }),

  content("text", "response", {}),
  content("system-instruction", "response", { systemInstruction: "Answer briefly.", temperature: 0.5 }),
  content("two-candidates", "response", { candidateCount: 2 }, { needs: ["candidates"] }),
  content("token-bound", "response", { maxOutputTokens: 2 }),
  content(
    "json",
    "generation-config",
    {
      responseMimeType: "application/json",
      responseSchema: { type: "OBJECT", properties: { city: { type: "STRING" } }, required: ["city"] },
    },
    { needs: ["structured-output"] },
  ),
  content("text", "streaming", {}, { stream: true }),
  content(
    "function-call",
    "streaming",
    { tools: contentTools, toolConfig: mustCall },
    { stream: true, needs: ["tools"] },
  ),
  content("function-call", "tools", { tools: contentTools, toolConfig: mustCall }, { needs: ["tools"] }),
  {
    interface: "generate-content",
    section: "tools",
    name: "round-trip",
    needs: ["tools"],
    run: async (base) => {
      const { models } = google(base);
      const ask = { role: "user", parts: [{ text: "What is the weather in Paris?" }] };
      const request = { model: "generate-model", config: { tools: contentTools, toolConfig: mustCall } };
      const first = await models.generateContent({ ...request, contents: [ask] });
      const answer = { functionResponse: { name: "get_weather", response: { degrees: 18 } } };
      await models.generateContent({
        ...request,
        contents: [ask, first.candidates[0].content, { role: "user", parts: [answer] }],
        config: { tools: contentTools },
      });
    },
  },
  content("log-probabilities", "generation-config", { responseLogprobs: true, logprobs: 2 }, { needs: ["logprobs"] }),
  content(
    "enum",
    "generation-config",
    { responseMimeType: "text/x.enum", responseSchema: { type: "STRING", enum: ["mild", "cold"] } },
    { needs: ["structured-output"] },
  ),
  content("code-execution", "tools", { tools: [{ codeExecution: {} }] }, { needs: ["code-execution"] }),
  content(
    "no-function",
    "tools",
    { tools: contentTools, toolConfig: { functionCallingConfig: { mode: "NONE" } } },
    { needs: ["tools"] },
  ),
  content("thresholds", "safety", {
    safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_ONLY_HIGH" }],
  }),
  content("two-candidates", "streaming", { candidateCount: 2 }, { stream: true, needs: ["candidates"] }),
  withoutKey(
    "generate-content",
    "/v1beta/models/generate-model:generateContent",
    { contents: [{ parts: [{ text: "Hello" }] }] },
    ["generate-content.auth.key"],
  ),
  content(
    "temperature-too-high",
    "errors",
    { temperature: 3 },
    { violates: ["generate-content.generation-config.temperature-range"] },
  ),
];
