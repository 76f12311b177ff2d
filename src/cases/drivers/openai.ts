/** Drives the openai package: chat completions whole, streamed, and with its accumulating helper; and images. */
import { offeredTools } from "../question-tools.ts";
import { asText, type Driver, type Given, type Loose, type Question } from "./driver.ts";

const clientOf = (sdk: Loose, { baseUrl, key }: Question): Loose =>
  new sdk.OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: key, logLevel: "off" });

const bodyOf = ({ model, prompt, tools, wants }: Question): Loose => ({
  model,
  messages: [{ role: "user", content: prompt }],
  ...(tools && { tools: offeredTools.map((tool) => ({ type: "function", function: tool })) }),
  ...(wants === "choices" && { n: 2 }),
  ...(wants === "usage" && { stream_options: { include_usage: true } }),
});

function givenOf(completion: Loose): Given {
  const { message, finish_reason } = completion.choices[0];
  const calls: Loose[] = message.tool_calls ?? [];
  return {
    text: message.content ?? message.refusal ?? "",
    calls: calls.map((call) => ({ name: call.function.name, arguments: asText(call.function.arguments) })),
    finish: finish_reason,
  };
}

/** Puts a stream together as the examples of the package do. */
async function gather(stream: Loose): Promise<Given> {
  let text = "";
  let finish: string | undefined;
  const calls: { name: string; arguments: string }[] = [];
  for await (const chunk of stream) {
    const choice = chunk.choices?.[0];
    if (!choice || (choice.index ?? 0) !== 0) continue;
    text += choice.delta?.content ?? choice.delta?.refusal ?? "";
    for (const part of choice.delta?.tool_calls ?? []) {
      const call = (calls[part.index ?? calls.length] ??= { name: "", arguments: "" });
      call.name += part.function?.name ?? "";
      call.arguments += part.function?.arguments ?? "";
    }
    finish = choice.finish_reason ?? finish;
  }
  return { text, calls: calls.filter(Boolean), finish };
}

export const openaiDrivers: readonly Driver[] = [
  {
    name: "openai",
    interface: "chat-completions",
    packages: ["openai"],
    async ask(sdk, question) {
      const { completions } = clientOf(sdk, question).chat;
      const { stream, signal } = question;
      const { stream_options: _usage, ...whole } = bodyOf(question);
      if (!stream) return givenOf(await completions.create(whole, { signal }));
      return gather(await completions.create({ ...bodyOf(question), stream }, { signal }));
    },
  },
  {
    name: "openai-stream",
    interface: "chat-completions",
    packages: ["openai"],
    form: "stream",
    async ask(sdk, question) {
      const { chat, beta } = clientOf(sdk, question);
      const completions = chat.completions.stream ? chat.completions : beta.chat.completions;
      const { signal } = question;
      return givenOf(await completions.stream(bodyOf(question), { signal }).finalChatCompletion());
    },
  },
  {
    name: "openai-images",
    interface: "images",
    packages: ["openai"],
    form: "whole",
    async ask(sdk, question) {
      const { model, prompt, wants, signal } = question;
      const body = { model, prompt, ...(wants === "pictures" && { n: 2 }) };
      const { data } = await clientOf(sdk, question).images.generate(body, { signal });
      const images: Loose[] = data;
      return { text: images.map((one) => one.url ?? one.b64_json ?? "").join(" "), calls: [] };
    },
  },
];
