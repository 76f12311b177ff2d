/** Drives the Anthropic package: messages whole, event by event, and with its accumulating helper. */
import { offeredTools } from "../question-tools.ts";
import { asText, type Driver, type Given, type Loose, type Question } from "./driver.ts";

const clientOf = (sdk: Loose, { baseUrl, key }: Question): Loose =>
  new sdk.Anthropic({ baseURL: baseUrl, apiKey: key, logLevel: "off" });

const bodyOf = ({ model, prompt, tools, wants }: Question): Loose => ({
  model,
  max_tokens: 4096,
  messages: [
    { role: "user", content: prompt },
    ...(wants === "prefill" ? [{ role: "assistant", content: "Well" }] : []),
  ],
  ...(tools && { tools: offeredTools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })) }),
});

function givenOf({ content, stop_reason }: Loose): Given {
  const blocks: Loose[] = content;
  return {
    text: blocks.map((block) => (block.type === "text" ? block.text : "")).join(""),
    calls: blocks
      .filter(({ type }) => type === "tool_use")
      .map(({ name, input }) => ({ name, arguments: asText(input) })),
    finish: stop_reason,
  };
}

/** Puts a stream together as the examples of the package do. */
async function gather(stream: Loose): Promise<Given> {
  let text = "";
  let finish: string | undefined;
  const calls = new Map<number, { name: string; arguments: string }>();
  for await (const event of stream) {
    if (event.type === "content_block_start" && event.content_block?.type === "tool_use")
      calls.set(event.index, { name: event.content_block.name, arguments: "" });
    else if (event.type === "content_block_start" && event.content_block?.type === "text")
      text += event.content_block.text ?? "";
    else if (event.type === "content_block_delta" && event.delta?.type === "text_delta") text += event.delta.text;
    else if (event.type === "content_block_delta" && event.delta?.type === "input_json_delta") {
      const call = calls.get(event.index);
      if (call) call.arguments += event.delta.partial_json;
    } else if (event.type === "message_delta") finish = event.delta?.stop_reason ?? finish;
  }
  return { text, calls: [...calls.values()], finish };
}

export const anthropicDrivers: readonly Driver[] = [
  {
    name: "anthropic",
    interface: "messages",
    packages: ["@anthropic-ai/sdk"],
    async ask(sdk, question) {
      const { messages } = clientOf(sdk, question);
      const { stream, signal } = question;
      if (!stream) return givenOf(await messages.create(bodyOf(question), { signal }));
      return gather(await messages.create({ ...bodyOf(question), stream }, { signal }));
    },
  },
  {
    name: "anthropic-stream",
    interface: "messages",
    packages: ["@anthropic-ai/sdk"],
    form: "stream",
    async ask(sdk, question) {
      const { signal } = question;
      return givenOf(await clientOf(sdk, question).messages.stream(bodyOf(question), { signal }).finalMessage());
    },
  },
];
