/** Tries the openai package with a target: whole, streamed, with tools, parsed, and refused. */
import type { ClientTrial } from "../../verdict/run-results.ts";
import { chatCalls, chatPieces, chatText, heldByChat } from "./held.ts";
import {
  anywhere,
  compared,
  comparedEach,
  comparedText,
  type Fetch,
  forcedOnce,
  type Loose,
  objectsIn,
  parsed,
  type TrialOptions,
  tryOut,
  withoutError,
  wrongText,
} from "./trial.ts";

const model = "chat-model";
const messages = [{ role: "user", content: "What is the weather in Paris?" }];
const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const weather = { name: "get_weather", description: "Weather of a city", parameters };
const tools = { tools: [{ type: "function", function: weather }], tool_choice: "required" };
const format = { type: "json_schema", json_schema: { name: "answer", strict: true, schema: parameters } };

const clientOf = (sdk: Loose, fetch: Fetch): Loose =>
  new sdk.OpenAI({ baseURL: `${anywhere}/v1`, apiKey: "key", logLevel: "off", fetch });

/** @param sdk the package's module */
export async function tryOpenai(sdk: Loose, options: TrialOptions): Promise<(ClientTrial | undefined)[]> {
  const chat = (fetch: Fetch): Loose => clientOf(sdk, fetch).chat.completions;
  const attempt = (client: string, scenario: string, act: Parameters<typeof tryOut>[4], requests = 1) =>
    tryOut(client, scenario, "chat-completions", options, act, { requests });
  const endIn = (choices: readonly Loose[]): unknown => choices.findLast((one) => one.finish_reason)?.finish_reason;
  return [
    await attempt("openai", "text", async (fetch) => {
      const given = await chat(fetch).create({ model, messages });
      // A caller usually writes this next.
      const { content } = given.choices[0].message;
      return content === null
        ? { unshown: "the model said nothing" }
        : wrongText("choices[0].message.content", content);
    }),
    await attempt("openai", "chunks", async (fetch, wire) => {
      const given: Loose[] = [];
      let text = "";
      for await (const chunk of await chat(fetch).create({ model, messages, stream: true })) {
        // A caller usually writes this next.
        text += chunk.choices[0]?.delta?.content ?? "";
        given.push(...objectsIn(chunk.choices));
      }
      const held = wire.events().flatMap(({ choices }) => objectsIn(choices));
      return comparedText(text, heldByChat.streamedText(wire.events())) ?? compared("end", endIn(given), endIn(held));
    }),
    await attempt("openai-stream", "text, streamed", async (fetch, wire) => {
      const given = await chat(fetch).stream({ model, messages }).finalChatCompletion();
      return comparedText(given.choices[0].message.content ?? "", chatText(wire.events()));
    }),
    await attempt("openai-stream", "tools, streamed", async (fetch, wire) => {
      const given = await chat(fetch)
        .stream({ model, messages, ...tools })
        .finalChatCompletion();
      const pieces = chatPieces(wire.events());
      if (pieces.length === 0) return { unshown: "the model called no tool" };
      const calls: Loose[] = given.choices[0].message.tool_calls ?? [];
      const held = chatCalls(pieces);
      const lost =
        comparedEach(
          "arguments",
          calls.map((one) => one.function.arguments),
          held.map((one) => one.arguments),
        ) ??
        compared(
          "names",
          calls.map((one) => one.function.name),
          held.map((one) => one.name),
        );
      if (lost) return lost;
      // A caller usually writes this next.
      if (given.choices[0].finish_reason !== "length") for (const one of calls) JSON.parse(one.function.arguments);
      return undefined;
    }),
    await attempt("openai-parse", "structured output", async (fetch) => {
      const given = await chat(fetch).parse({ model, messages, response_format: format });
      return given.choices[0].message.parsed ? undefined : { drops: "nothing was parsed" };
    }),
    await attempt(
      "openai-agent-loop",
      "tools, round trip",
      async (fetch, wire) => {
        const asked: unknown[] = [];
        const run = (given: unknown): string => String(asked.push(given));
        const tool = { ...weather, function: run, parse: JSON.parse };
        const body = { model, messages, tools: [{ type: "function", function: tool }], tool_choice: "required" };
        await chat(forcedOnce(fetch, "required")).runTools(body, { maxChatCompletions: 2 }).done();
        const [choice] = objectsIn(parsed(wire.bodies[0])?.choices);
        const held = objectsIn(choice?.message?.tool_calls);
        if (held.length === 0) return { unshown: "the model called no tool" };
        if (choice.finish_reason === "length") return { unshown: "the answer was cut at its bound" };
        if (asked.length < held.length) return compared("calls that were run", asked.length, held.length);
        const [last] = objectsIn(parsed(wire.bodies[1])?.choices);
        if (last?.message?.tool_calls) return { unshown: "the model called again behind the result" };
        return last?.message?.content ? undefined : { unshown: "the model said nothing behind the result" };
      },
      2,
    ),
    await attempt("openai", "error", async (fetch, wire) => {
      try {
        await chat(fetch).create({ model, messages, temperature: 3 });
      } catch (error) {
        if ((error as Loose).status >= 400) return undefined;
        throw error;
      }
      return withoutError("temperature 3", wire);
    }),
  ];
}

/** @param sdk the package's module */
export async function tryOpenaiImages(sdk: Loose, options: TrialOptions): Promise<(ClientTrial | undefined)[]> {
  const asked = { model: "image-v2", prompt: "A red circle", size: "256x256", response_format: "b64_json" };
  return [
    await tryOut("openai-images", "image", "images", options, async (fetch, wire) => {
      const given = await clientOf(sdk, fetch).images.generate(asked);
      const held = objectsIn(parsed(wire.bodies[0])?.data);
      // A caller usually writes this next.
      const bytes = wrongText("data[0].b64_json", given.data[0].b64_json);
      if (bytes) return bytes;
      return compared("images", given.data?.length ?? 0, held.length);
    }),
  ];
}
