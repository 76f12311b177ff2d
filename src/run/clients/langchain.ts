/** Tries LangChain JS with a target: each of its three chat models. */
import type { ClientTrial } from "../../verdict/run-results.ts";
import { type Held, heldByChat, heldByContent, heldByMessages } from "./held.ts";
import { type Library, prompt, tryLibrary, weather } from "./library.ts";
import { anywhere, type Fetch, type Loose, type TrialOptions } from "./trial.ts";

type Trials = Promise<(ClientTrial | undefined)[]>;
type ModelOf = (fetch: Fetch, settings?: object) => Loose;

/** It retries whatever is thrown, six times unless told, and waits twice as long each time: a minute for each answer it cannot read. */
const common = { apiKey: "key", maxRetries: 1 };

const messages = [{ role: "user", content: prompt }];
const tools = [{ type: "function", function: weather }];
const forced = { tool_choice: "any" };

function libraryOf(name: string, held: Held, modelOf: ModelOf): Library {
  return {
    name,
    held,
    text: async (fetch) => (await modelOf(fetch).invoke(messages)).text,
    async streamedText(fetch) {
      let text = "";
      for await (const piece of await modelOf(fetch).stream(messages)) text += piece.text;
      return text;
    },
    // Its Anthropic model calls a tool for it.
    ...(held !== heldByMessages && {
      structured: (fetch: Fetch) =>
        modelOf(fetch)
          .withStructuredOutput(weather.parameters, { method: "jsonSchema", strict: true })
          .invoke(messages),
    }),
    async streamedCalls(fetch) {
      let whole: Loose;
      for await (const piece of await modelOf(fetch).bindTools(tools, forced).stream(messages))
        whole = whole === undefined ? piece : whole.concat(piece);
      const calls: Loose[] = whole?.tool_calls ?? [];
      return calls.map((call) => ({ name: call.name, input: JSON.stringify(call.args) }));
    },
    async roundTrip(fetch) {
      const model = modelOf(fetch);
      const answer = await model.bindTools(tools, forced).invoke(messages);
      const calls: Loose[] = answer.tool_calls;
      const results = calls.map(({ id, name: of }) => ({
        role: "tool",
        tool_call_id: id,
        name: of,
        content: "20 degrees",
      }));
      if (calls.length === 0) return { ran: 0, text: "" };
      const { text } = await model.bindTools(tools).invoke([...messages, answer, ...results]);
      return { ran: calls.length, text };
    },
    badRequest: (fetch) => modelOf(fetch, { temperature: 3 }).invoke(messages),
  };
}

/** @param sdk the module of `@langchain/openai` */
export function tryLangchainOpenai(sdk: Loose, options: TrialOptions): Trials {
  const model: ModelOf = (fetch, settings) => {
    const configuration = { baseURL: `${anywhere}/v1`, fetch, logLevel: "off" };
    return new sdk.ChatOpenAI({ ...common, model: "chat-model", configuration, ...settings });
  };
  return tryLibrary(libraryOf("langchain-openai", heldByChat, model), options);
}

/** @param sdk the module of `@langchain/anthropic` */
export function tryLangchainAnthropic(sdk: Loose, options: TrialOptions): Trials {
  const model: ModelOf = (fetch, settings) => {
    const clientOptions = { fetch, logLevel: "off" };
    const own = { model: "messages-model", maxTokens: 256, anthropicApiUrl: anywhere, clientOptions };
    return new sdk.ChatAnthropic({ ...common, ...own, ...settings });
  };
  return tryLibrary(libraryOf("langchain-anthropic", heldByMessages, model), options);
}

/** @param sdk the module of `@langchain/google` */
export function tryLangchainGoogle(sdk: Loose, options: TrialOptions): Trials {
  const model: ModelOf = (fetch, settings) => {
    // Its own client does this with a key, except for how it sends.
    const apiClient = {
      hasApiKey: () => true,
      getProjectId: async () => "project",
      fetch(request: Request) {
        request.headers.set("x-goog-api-key", common.apiKey);
        return fetch(request);
      },
    };
    // An endpoint is a host: older versions put a scheme before it, whatever it holds.
    const endpoint = new URL(anywhere).host;
    return new sdk.ChatGoogle({ ...common, model: "generate-model", endpoint, apiClient, ...settings });
  };
  return tryLibrary(libraryOf("langchain-google", heldByContent, model), options);
}
