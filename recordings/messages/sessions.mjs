/** Sessions of the official SDK with messages. */
import Anthropic from "@anthropic-ai/sdk";
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
import { fewWords, largePicture, manyWords, pixels, smallPicture } from "../media.mjs";

const api = (base) => new Anthropic({ baseURL: base, apiKey: key, maxRetries: 0 }).messages;

/** What `beside` lists is asked after it, to be compared with it. */
const message = (section, name, body, { betas, beside = [], ...more } = {}) => ({
  interface: "messages",
  section,
  name,
  ...more,
  run: async (base) => {
    const asked = { model: "messages-model", max_tokens: 256, messages: question, ...body };
    const call = api(base).create(asked, betas && { headers: { "anthropic-beta": betas } });
    if (more.violates) return refused(call);
    if (body.stream) return drain(await call);
    await call;
    for (const other of beside) await api(base).create({ ...asked, ...other });
  },
});

const user = (...content) => ({ role: "user", content });
const assistant = (...content) => ({ role: "assistant", content });
const text = (words, more = {}) => ({ type: "text", text: words, ...more });
const using = (id, name) => ({ type: "tool_use", id, name, input: { city: "Paris" } });
const result = (tool_use_id, content, more = {}) => ({ type: "tool_result", tool_use_id, content, ...more });
const pictureOf = (data) => ({ type: "image", source: { type: "base64", media_type: "image/png", data } });
const picture = pictureOf(pixels);
const documentOf = (data) => ({ type: "document", source: { type: "text", media_type: "text/plain", data } });
/** A question about a picture or a document, or without one. */
const about = (...parts) => ({ messages: [user(...parts, text("What is this?"))] });
const getWeather = { name: "get_weather", description: "Weather of a city", input_schema: weather };
const getTime = { type: "custom", name: "get_time", description: "Time of day in a city", input_schema: weather };
const tools = [getWeather];
const cached = { cache_control: { type: "ephemeral" } };
const thinking = { max_tokens: 4096, thinking: { type: "enabled", budget_tokens: 2048 } };
const countToTen = { messages: [{ role: "user", content: counting }], stop_sequences: sureToOccur };
/** Two calls are asked for in words, and one of them is allowed. */
const oneOfTwo = {
  messages: [{ role: "user", content: bothTools }],
  tools: [getWeather, getTime],
  tool_choice: { type: "any", disable_parallel_tool_use: true },
};
/** What completes this JSON goes on from it; an answer that begins anew does not fit behind it. */
const begun = [
  { role: "user", content: 'Name a country as JSON with two members, "country" and "capital". Say nothing else.' },
  { role: "assistant", content: '{"country":"France","capital":"' },
];

const roundTrip = {
  interface: "messages",
  section: "tools",
  name: "round-trip",
  needs: ["tools"],
  bind: ["/messages/1/content/0/id", "/messages/2/content/0/tool_use_id"].map((to) => ({
    exchange: 1,
    from: { exchange: 0, pointer: "/content/0/id" },
    to,
  })),
  run: async (base) => {
    const asked = { model: "messages-model", max_tokens: 256, tools };
    const first = await api(base).create({
      ...asked,
      messages: question,
      tool_choice: { type: "tool", name: "get_weather" },
    });
    const used = first.content.filter(({ type }) => type === "tool_use");
    await api(base).create({
      ...asked,
      messages: [...question, assistant(...used), user(result(used[0].id, "18 degrees"))],
    });
  },
};

export const messageSessions = [
  message("response", "text", {}),
  message("response", "system-prompt", {
    system: "Answer briefly.",
    temperature: 0.5,
    metadata: { user_id: "u-1" },
  }),
  message("response", "token-bound", { max_tokens: 2 }),
  message("response", "stop-sequence", countToTen),
  message("response", "stop-list", { ...countToTen, stop_sequences: laterSureToOccur }),
  message("response", "thinking", thinking, { needs: ["thinking"] }),
  message("response", "continued", { messages: begun }, { needs: ["prefill"] }),

  message("request", "top-k", { top_k: 5 }, { needs: ["top-k"] }),
  message("request", "top-p", { top_p: 0.9, stream: false, thinking: { type: "disabled" } }),
  message("request", "several-turns", {
    system: "Answer briefly.",
    messages: [
      user(text("Name a city."), text("In Europe.")),
      assistant(text("Paris.")),
      { role: "user", content: "What is the weather there?" },
      { role: "user", content: "In one sentence." },
    ],
  }),

  message("content", "image", about(pictureOf(smallPicture)), {
    needs: ["image-input"],
    beside: [about(), about(pictureOf(largePicture))],
  }),
  message("content", "document", about(documentOf(fewWords)), {
    needs: ["documents"],
    beside: [about(), about(documentOf(manyWords))],
  }),
  message(
    "content",
    "cached",
    {
      messages: [user(text("Name a city.", cached)), assistant(text("Paris.", cached)), user(text("Name another."))],
      tools: [{ ...getWeather, ...cached }],
    },
    { needs: ["tools", "cache-control"] },
  ),

  message("streaming", "text", { stream: true }),
  message("streaming", "tool-use", { stream: true, tools, tool_choice: { type: "any" } }, { needs: ["tools"] }),
  message(
    "streaming",
    "several-blocks",
    { stream: true, messages: [{ role: "user", content: bothTools }], tools: [getWeather, getTime] },
    { needs: ["tools"] },
  ),
  message("streaming", "one-of-two-calls", { stream: true, ...oneOfTwo }, { needs: ["tools"] }),
  message("streaming", "stop-sequence", { stream: true, ...countToTen }),
  message("streaming", "token-bound", { stream: true, max_tokens: 2 }),
  message("streaming", "thinking", { stream: true, ...thinking }, { needs: ["thinking"] }),
  message("streaming", "continued", { stream: true, messages: begun }, { needs: ["prefill"] }),

  message(
    "tools",
    "any-tool",
    { tools, tool_choice: { type: "any", disable_parallel_tool_use: true } },
    { needs: ["tools"] },
  ),
  message(
    "tools",
    "model-chooses",
    { tools, tool_choice: { type: "auto", disable_parallel_tool_use: true } },
    { needs: ["tools"] },
  ),
  roundTrip,
  message(
    "tools",
    "named-tool",
    { tools, tool_choice: { type: "tool", name: "get_weather", disable_parallel_tool_use: true } },
    { needs: ["tools"] },
  ),
  message(
    "tools",
    "two-calls",
    {
      messages: [{ role: "user", content: bothTools }],
      tools: [getWeather, getTime],
      tool_choice: { type: "any", disable_parallel_tool_use: false },
    },
    { needs: ["tools"] },
  ),
  message("tools", "one-of-two-calls", oneOfTwo, { needs: ["tools"] }),
  message(
    "tools",
    "two-results",
    {
      messages: [
        { role: "user", content: bothTools },
        assistant(text("Let me look."), using("toolu_weather1", "get_weather"), using("toolu_time1", "get_time")),
        user(
          result("toolu_weather1", [text("18 degrees"), text("and dry")], { is_error: false }),
          result("toolu_time1", "The clock is out of order.", { is_error: true }),
          text("What do you know now?"),
        ),
      ],
      tools: [getWeather, getTime],
    },
    { needs: ["tools"] },
  ),
  message(
    "tools",
    "picture-as-result",
    {
      messages: [
        ...question,
        assistant(using("toolu_weather1", "get_weather")),
        user(result("toolu_weather1", [text("As on this picture."), picture])),
      ],
      tools,
    },
    { needs: ["tools", "image-input"] },
  ),
  message(
    "tools",
    "built-in",
    {
      tools: [
        {
          type: "computer_20241022",
          name: "computer",
          display_width_px: 1024,
          display_height_px: 768,
          display_number: 1,
        },
        { type: "bash_20241022", name: "bash" },
        { type: "text_editor_20241022", name: "str_replace_editor" },
      ],
    },
    { needs: ["tools", "computer-use"], betas: "computer-use-2024-10-22" },
  ),

  withoutKey(
    "messages",
    "/v1/messages",
    { model: "messages-model", max_tokens: 16, messages: question },
    ["messages.auth.key-required"],
    { "anthropic-version": "2023-06-01" },
  ),
  message("errors", "temperature-too-high", { temperature: 2 }, { violates: ["messages.request.temperature-range"] }),
];
