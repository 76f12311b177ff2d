/** Drives the Anthropic package: messages whole, event by event, and with its accumulating helper. */
import { offeredTools } from "../question-tools.ts";
import { asText, type Driver, type Given, type Loose, type Question } from "./driver.ts";

const clientOf = (sdk: Loose, { baseUrl, key, limit }: Question): Loose =>
  new sdk.Anthropic({ baseURL: baseUrl, apiKey: key, logLevel: "off", ...(limit && { timeout: limit }) });

const bodyOf = ({ model, prompt, tools, wants }: Question): Loose => ({
  model,
  max_tokens: 4096,
  messages: [
    { role: "user", content: prompt },
    ...(wants === "prefill" ? [{ role: "assistant", content: "Well" }] : []),
  ],
  ...(tools && { tools: offeredTools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })) }),
});

/** The package hands a whole message on as it came: whatever it lacks is no fault of the package. */
function givenOf(message: Loose): Given {
  const { content = [], stop_reason } = message ?? {};
  if (!Array.isArray(content)) return { text: asText(content), calls: [], finish: stop_reason };
  const blocks: Loose[] = content;
  return {
    text: blocks.map((block) => (block.type === "text" ? block.text : "")).join(""),
    calls: blocks
      .filter(({ type }) => type === "tool_use")
      .map(({ name, input }) => ({ name, arguments: asText(input) })),
    finish: stop_reason,
  };
}

/** Puts a stream together as a careful program does: the package hands its events on as they came. */
async function gather(stream: Loose): Promise<Given> {
  let text = "";
  let finish: string | undefined;
  const calls = new Map<number, { name: string; input: unknown; json: string }>();
  for await (const event of stream) {
    const { type, index, content_block: block, delta } = event ?? {};
    if (type === "content_block_start" && block?.type === "tool_use")
      calls.set(index, { name: block.name, input: block.input, json: "" });
    else if (type === "content_block_start" && block?.type === "text") text += block.text ?? "";
    else if (type === "content_block_delta" && delta?.type === "text_delta") text += delta.text;
    else if (type === "content_block_delta" && delta?.type === "input_json_delta") {
      const call = calls.get(index);
      if (call) call.json += delta.partial_json;
    } else if (type === "message_delta") finish = delta?.stop_reason ?? finish;
  }
  // A block that brings no pieces may have begun with its whole input.
  const made = [...calls.values()].map(({ name, input, json }) => ({ name, arguments: json || asText(input) }));
  return { text, calls: made, finish };
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
