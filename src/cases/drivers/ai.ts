/** Drives the Vercel AI SDK with its three providers. */
import type { InterfaceName } from "../interface-names.ts";
import { offeredTools } from "../question-tools.ts";
import { asText, type Driver, type Given, type Loose, type Question } from "./driver.ts";

/** @param modelOf the model of a provider */
function driverOf(
  name: string,
  of: InterfaceName,
  provider: string,
  modelOf: (sdk: Loose, question: Question) => Loose,
): Driver {
  return {
    name,
    interface: of,
    packages: [provider, "ai"],
    async ask(sdk, question): Promise<Given> {
      const { prompt, stream, tools, deadline } = question;
      const offered = Object.fromEntries(
        offeredTools.map(({ name: tool, description, parameters }) => {
          const schema = sdk.jsonSchema(parameters);
          // Version 4 has another name for the schema.
          return [tool, { description, inputSchema: schema, parameters: schema }];
        }),
      );
      const settings = {
        ...{ model: modelOf(sdk, question), prompt, abortSignal: deadline },
        ...(tools && { tools: offered }),
      };
      const callsOf = (calls: readonly Loose[]): Given["calls"] =>
        calls.map(({ toolName, input, args, invalid }) => ({
          ...{ name: toolName, arguments: asText(input ?? args) },
          ...(invalid && { isBroken: true }),
        }));
      if (!stream) {
        const { text, toolCalls, finishReason } = await sdk.generateText(settings);
        return { text, calls: callsOf(toolCalls), finish: finishReason };
      }
      // Streams hand errors to a callback instead of throwing them, and tell by another one that they were aborted.
      const errors: unknown[] = [];
      const onError = ({ error }: { readonly error: unknown }): void => void errors.push(error);
      const onAbort = (): void => void errors.push(deadline.reason);
      const streamed = sdk.streamText({ ...settings, onError, onAbort });
      let text = "";
      for await (const piece of streamed.textStream) text += piece;
      if (errors.length > 0) throw errors[0];
      return { text, calls: callsOf(await streamed.toolCalls), finish: await streamed.finishReason };
    },
  };
}

const settingsOf = ({ baseUrl, key }: Question, version: string): object => ({
  baseURL: `${baseUrl}/${version}`,
  apiKey: key,
});

export const aiDrivers: readonly Driver[] = [
  driverOf("ai-openai", "chat-completions", "@ai-sdk/openai", (sdk, question) =>
    sdk.createOpenAI(settingsOf(question, "v1")).chat(question.model),
  ),
  driverOf("ai-anthropic", "messages", "@ai-sdk/anthropic", (sdk, question) =>
    sdk.createAnthropic(settingsOf(question, "v1"))(question.model),
  ),
  driverOf("ai-google", "generate-content", "@ai-sdk/google", (sdk, question) =>
    (sdk.createGoogleGenerativeAI ?? sdk.createGoogle)(settingsOf(question, "v1beta"))(question.model),
  ),
];
