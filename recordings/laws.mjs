/** Sessions whose exchanges mean something together: one question asked in several ways, and streams at the same time. */
import { setTimeout } from "node:timers/promises";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";

const key = "touchstone-session-key";
const openai = (base) => new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0 });
const anthropic = (base) => new Anthropic({ baseURL: base, apiKey: key, maxRetries: 0 });
const google = (base) => new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: base } });

/** Replies so far apart bear different times, however clocks round. */
const aWhile = 2100;

/** Words that stand in one request alone. */
const canaries = ["canary-5e1f0a7c93d2", "canary-b82d46f19e07", "canary-07c3e95ad81b", "canary-d94a1b60f37e"];
const repeat = (word) => `Repeat this word, and say nothing else: ${word}`;
const question = "Name the largest planet of the solar system in one short sentence.";
const another = "Name the smallest planet of the solar system in one short sentence.";
/** Letters of one to four bytes, which nobody may cut or decode one byte a character. */
const letters = "Repeat these words, and say nothing else: Ærøskøbing, Łódź, 東京 and 😀 of course.";
const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const weatherIn = (name) => `What is the weather in ${name}?`;

async function drain(stream) {
  for await (const _ of stream);
}

/** One question, the same as a stream, once more, and another one. */
async function sameQuestion(ask, pause) {
  await ask(question);
  await ask(question, true);
  await ask(question);
  if (pause) await setTimeout(pause);
  await ask(another);
}

/** The same, but for a while: replies say when they were made. */
const sameQuestionLater = (ask) => sameQuestion(ask, aWhile);

/** Something to repeat, whole and as a stream. */
async function sameLetters(ask) {
  await ask(letters);
  await ask(letters, true);
}

/** A tool that has to be called, the same as a stream, then with other arguments. */
async function sameTool(ask) {
  await ask(weatherIn("Paris"));
  await ask(weatherIn("Paris"), true);
  await ask(weatherIn("Oslo"));
}

const atOnce = (ask) => Promise.all(canaries.map((word) => ask(repeat(word), true)));

const chat = (more) => (base) => async (content, stream) => {
  const asked = { model: "chat-model", messages: [{ role: "user", content }], ...more };
  const { completions } = openai(base).chat;
  if (!stream) return completions.create(asked);
  return drain(await completions.create({ ...asked, stream, stream_options: { include_usage: true } }));
};
const chatTool = {
  type: "function",
  function: { name: "get_weather", description: "Weather of a city", parameters: city },
};

const message = (more) => (base) => async (content, stream) => {
  const asked = { model: "messages-model", max_tokens: 256, messages: [{ role: "user", content }], ...more };
  const { messages } = anthropic(base);
  return stream ? drain(await messages.create({ ...asked, stream })) : messages.create(asked);
};
const messageTool = { name: "get_weather", description: "Weather of a city", input_schema: city };

const content = (config) => (base) => async (contents, stream) => {
  const { models } = google(base);
  const asked = { model: "generate-model", contents, config };
  return stream ? drain(await models.generateContentStream(asked)) : models.generateContent(asked);
};
const contentTool = {
  functionDeclarations: [
    {
      name: "get_weather",
      description: "Weather of a city",
      parameters: { type: "OBJECT", properties: { city: { type: "STRING" } }, required: ["city"] },
    },
  ],
};

const counting = "Count from one to one hundred in words.";
/** Less than anybody needs to count so far. */
const bound = 4;

/** As cold as the document of messages allows in every reading: it states the range as more than 0, too. */
const cool = { temperature: 0.01 };

/** One conversation in several interfaces: a tool that is forced by its name, and a reply that is cut off. */
async function sameConversation(base) {
  const cold = { temperature: 0 };
  const name = "get_weather";
  const ask = weatherIn("Paris");
  const allowed = { mode: "ANY", allowedFunctionNames: [name] };
  await message({ ...cool, max_tokens: 256, tools: [messageTool], tool_choice: { type: "tool", name } })(base)(ask);
  const tool_choice = { type: "function", function: { name } };
  await chat({ ...cold, max_completion_tokens: 256, tools: [chatTool], tool_choice })(base)(ask);
  const toolConfig = { functionCallingConfig: allowed };
  await content({ ...cold, maxOutputTokens: 256, tools: [contentTool], toolConfig })(base)(ask);
  await message({ ...cool, max_tokens: bound })(base)(counting);
  await chat({ ...cold, max_completion_tokens: bound })(base)(counting);
  await content({ ...cold, maxOutputTokens: bound })(base)(counting);
}

const session = (of, name, ways, ask, more = {}) => ({
  interface: of,
  section: "laws",
  name,
  ...more,
  run: (base) => ways(ask(base)),
});
const tools = { needs: ["tools"] };

export const laws = [
  session("chat-completions", "same-question", sameQuestionLater, chat({ temperature: 0, seed: 7 })),
  session("chat-completions", "same-letters", sameLetters, chat({ temperature: 0 })),
  session("chat-completions", "same-tool", sameTool, chat({ tools: [chatTool], tool_choice: "required" }), tools),
  session("chat-completions", "at-once", atOnce, chat({})),
  session("messages", "same-question", sameQuestion, message(cool)),
  session("messages", "same-letters", sameLetters, message(cool)),
  session("messages", "same-tool", sameTool, message({ tools: [messageTool], tool_choice: { type: "any" } }), tools),
  session("messages", "at-once", atOnce, message({})),
  session("generate-content", "same-question", sameQuestion, content({ temperature: 0 })),
  session("generate-content", "same-letters", sameLetters, content({ temperature: 0 })),
  session(
    "generate-content",
    "same-tool",
    sameTool,
    content({ tools: [contentTool], toolConfig: { functionCallingConfig: { mode: "ANY" } } }),
    tools,
  ),
  session("generate-content", "at-once", atOnce, content({})),
  {
    interface: "messages",
    section: "laws",
    name: "same-conversation",
    needs: ["tools"],
    spans: ["messages", "chat-completions", "generate-content", "messages", "chat-completions", "generate-content"],
    run: sameConversation,
  },
];
