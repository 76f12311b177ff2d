/** Drives LangChain JS with three of its providers. */
import type { InterfaceName } from "../interface-names.ts";
import { offeredTools } from "../question-tools.ts";
import { asText, type Driver, type Loose, type Question } from "./driver.ts";

function driverOf(
  name: string,
  of: InterfaceName,
  provider: string,
  modelOf: (sdk: Loose, question: Question) => Loose,
): Driver {
  return {
    name,
    interface: of,
    packages: [provider],
    async ask(sdk, question) {
      const { prompt, stream, tools, signal, limit } = question;
      // A signal beside the timeout would be joined with it, and Node 20 may lose what joins them.
      const options = limit ? { timeout: limit } : { signal };
      const plain = modelOf(sdk, question);
      const model = tools ? plain.bindTools(offeredTools.map((tool) => ({ type: "function", function: tool }))) : plain;
      const messages = [{ role: "user", content: prompt }];
      let answer: Loose;
      if (stream)
        for await (const piece of await model.stream(messages, options))
          answer = answer === undefined ? piece : answer.concat(piece);
      else answer = await model.invoke(messages, options);
      const calls: Loose[] = answer?.tool_calls ?? [];
      const broken: Loose[] = answer?.invalid_tool_calls ?? [];
      const { finish_reason, stop_reason, finishReason } = {
        ...answer?.additional_kwargs,
        ...answer?.response_metadata,
      };
      return {
        text: answer?.text ?? "",
        calls: [
          ...calls.map((call) => ({ name: call.name, arguments: asText(call.args) })),
          ...broken.map((call) => ({ name: call.name ?? "", arguments: asText(call.args), isBroken: true as const })),
        ],
        finish: finish_reason ?? stop_reason ?? finishReason,
      };
    },
  };
}

export const langchainDrivers: readonly Driver[] = [
  driverOf("langchain-openai", "chat-completions", "@langchain/openai", (sdk, { baseUrl, key, model }) => {
    const configuration = { baseURL: `${baseUrl}/v1`, logLevel: "off" };
    return new sdk.ChatOpenAI({ apiKey: key, model, maxRetries: 1, configuration });
  }),
  driverOf("langchain-anthropic", "messages", "@langchain/anthropic", (sdk, { baseUrl, key, model }) => {
    const own = { anthropicApiUrl: baseUrl, clientOptions: { logLevel: "off" } };
    return new sdk.ChatAnthropic({ apiKey: key, model, maxTokens: 4096, maxRetries: 1, ...own });
  }),
  driverOf("langchain-google-genai", "generate-content", "@langchain/google-genai", (sdk, { baseUrl, key, model }) => {
    return new sdk.ChatGoogleGenerativeAI({ apiKey: key, model, baseUrl, maxRetries: 1 });
  }),
];
