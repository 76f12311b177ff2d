/** Drives the openai package: chat completions whole, streamed, and with its accumulating helper; and images. */
import { offeredTools } from "../question-tools.ts";
import { asText, type Driver, type Given, type Loose, type Question } from "./driver.ts";

const clientOf = (sdk: Loose, { baseUrl, key, limit }: Question): Loose =>
  new sdk.OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: key, logLevel: "off", ...(limit && { timeout: limit }) });

const bodyOf = ({ model, prompt, tools, wants }: Question): Loose => ({
  model,
  messages: [{ role: "user", content: prompt }],
  ...(tools && { tools: offeredTools.map((tool) => ({ type: "function", function: tool })) }),
  ...(wants === "choices" && { n: 2 }),
  ...(wants === "usage" && { stream_options: { include_usage: true } }),
});

/** A text, or the texts of a list of parts. */
const contentText = (content: Loose): string =>
  Array.isArray(content) ? content.map((part) => part?.text ?? "").join("") : asText(content ?? "");

/** The package hands objects on as they came: whatever they lack is no fault of the package. */
function givenOf(completion: Loose): Given {
  const { message = {}, finish_reason } = completion?.choices?.[0] ?? {};
  const calls: Loose[] = message.tool_calls ?? [];
  return {
    text: contentText(message.content ?? message.refusal),
    calls: calls.map((call) => ({ name: call.function?.name, arguments: asText(call.function?.arguments) })),
    finish: finish_reason,
  };
}

/** Puts the pieces of calls together as they come: by their index, and by their ids where that says nothing. */
function gatherCalls() {
  const calls: { id?: string; name: string; arguments: string }[] = [];
  const open = new Map<number, (typeof calls)[number]>();
  return {
    calls,
    add({ index, id, function: called }: Loose): void {
      let call = index == null ? calls.at(-1) : open.get(index);
      if (!call || (id && call.id && id !== call.id)) {
        call = { name: "", arguments: "" };
        calls.push(call);
        if (index != null) open.set(index, call);
      }
      if (id) call.id ??= id;
      call.name ||= called?.name ?? "";
      call.arguments += asText(called?.arguments);
    },
  };
}

/** Puts a stream together as a careful program does: the package hands its chunks on as they came. */
async function gather(stream: Loose): Promise<Given> {
  let text = "";
  let finish: string | undefined;
  const { calls, add } = gatherCalls();
  for await (const chunk of stream) {
    const choices: Loose[] = chunk?.choices ?? [];
    const choice = choices.find(({ index }) => (index ?? 0) === 0);
    text += contentText(choice?.delta?.content ?? choice?.delta?.refusal);
    for (const part of choice?.delta?.tool_calls ?? []) add(part);
    finish = choice?.finish_reason ?? finish;
  }
  return { text, calls, finish };
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
      const images: Loose[] = data ?? [];
      return { text: images.map((one) => one.url ?? one.b64_json ?? "").join("\n"), calls: [] };
    },
  },
];
