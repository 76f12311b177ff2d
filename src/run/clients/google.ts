/** Tries the Google package with a target: whole, streamed in a conversation, with functions, and refused. */
import type { ClientTrial } from "../../verdict/run-results.ts";
import { contentCalls, contentParts, contentText } from "./held.ts";
import {
  anywhere,
  compared,
  comparedText,
  type Fetch,
  type Loose,
  parsed,
  type TrialOptions,
  tryOut,
  withoutError,
  wrongText,
} from "./trial.ts";

const model = "generate-model";
const contents = "What is the weather in Paris?";
const parameters = { type: "OBJECT", properties: { city: { type: "STRING" } }, required: ["city"] };
const tools = {
  tools: [{ functionDeclarations: [{ name: "get_weather", description: "Weather of a city", parameters }] }],
  toolConfig: { functionCallingConfig: { mode: "ANY" } },
};

/** @param sdk the package's module */
export async function tryGoogle(sdk: Loose, options: TrialOptions): Promise<(ClientTrial | undefined)[]> {
  const client = (fetch: Fetch): Loose =>
    new sdk.GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl: anywhere, fetch } });
  const attempt = (name: string, scenario: string, act: Parameters<typeof tryOut>[4]) =>
    tryOut(name, scenario, "generate-content", options, act);
  return [
    await attempt("google-genai", "text", async (fetch, wire) => {
      const given = await client(fetch).models.generateContent({ model, contents });
      // A caller usually writes this next.
      const { text } = given;
      if (given.promptFeedback?.blockReason) return { unshown: "the prompt was blocked" };
      const held = contentText(contentParts(parsed(wire.bodies[0])));
      return text === undefined && held === "" && given.candidates ? undefined : wrongText("text", text);
    }),
    await attempt("google-genai-chat", "conversation, streamed", async (fetch, wire) => {
      const chat = client(fetch).chats.create({ model });
      let text = "";
      for await (const piece of await chat.sendMessageStream({ message: contents })) text += piece.text ?? "";
      const held = contentText(wire.events().flatMap(contentParts));
      const kept =
        contentText(chat.getHistory().at(-1)?.parts ?? []) ||
        contentText(
          chat
            .getHistory()
            .slice(1)
            .flatMap(({ parts }: Loose) => parts),
        );
      return comparedText(text, held) ?? compared("text in the conversation", kept.length > 0, held.length > 0);
    }),
    await attempt("google-genai", "functions, streamed", async (fetch, wire) => {
      const given: Loose[] = [];
      for await (const piece of await client(fetch).models.generateContentStream({ model, contents, config: tools }))
        given.push(...contentCalls(contentParts(piece)));
      const held = contentCalls(wire.events().flatMap(contentParts));
      return held.length === 0 ? { unshown: "the model called no function" } : compared("calls", given, held);
    }),
    await attempt("google-genai", "structured output", async (fetch) => {
      const config = { responseMimeType: "application/json", responseSchema: parameters };
      JSON.parse((await client(fetch).models.generateContent({ model, contents, config })).text);
      return undefined;
    }),
    await attempt("google-genai", "error", async (fetch, wire) => {
      try {
        await client(fetch).models.generateContent({ model, contents, config: { temperature: 3 } });
      } catch (error) {
        if ((error as Loose).status >= 400) return undefined;
        throw error;
      }
      return withoutError("temperature 3", wire);
    }),
  ];
}
