/** Tries the Vercel AI SDK with a target: each of its three providers, and one that makes images. */
import type { ClientTrial } from "../../verdict/run-results.ts";
import { type Held, heldByChat, heldByContent, heldByMessages } from "./held.ts";
import { type Library, prompt, tryLibrary, weather } from "./library.ts";
import {
  anywhere,
  compared,
  type Fetch,
  type Loose,
  objectsIn,
  parsed,
  type TrialOptions,
  tryOut,
  wrongText,
} from "./trial.ts";

type Trials = Promise<(ClientTrial | undefined)[]>;

const provider = (create: Loose, version: string, fetch: Fetch): Loose =>
  create({ baseURL: `${anywhere}/${version}`, apiKey: "key", fetch });

/** Its errors of validation quote all that came before they say what is wrong with it: the first issue says it in one line. */
function concise(error: Loose): never {
  for (let cause = error; cause; cause = cause.cause) {
    const issue = firstIssue(cause.issues ?? issuesIn(cause.message));
    if (!issue) continue;
    const { path, message } = issue;
    throw Object.assign(new Error(`${path.length > 0 ? `/${path.join("/")}: ` : ""}${message}`), { name: error.name });
  }
  throw error;
}

/** The issues that a message tells behind the value. */
const issuesIn = (message: unknown): Loose =>
  parsed(/^Type validation failed: Value: [\s\S]*\nError message: ([\s\S]*)$/.exec(String(message))?.[1]);

/** The first of its issues; of what fits none of several schemas, that with the first of them. */
function firstIssue(issues: Loose): Loose {
  const [issue] = objectsIn(issues);
  return issue?.code === "invalid_union" ? (firstIssue(issue.errors?.[0]) ?? issue) : issue;
}

/** @param wrong a setting out of range that the provider passes on */
function libraryOf(sdk: Loose, name: string, held: Held, modelOf: (fetch: Fetch) => Loose, wrong: object): Library {
  const schema = sdk.jsonSchema(weather.parameters);
  // Version 4 has other names for some settings.
  const tool = { description: weather.description, inputSchema: schema, parameters: schema };
  const prepareStep = ({ stepNumber }: Loose): object => (stepNumber === 0 ? {} : { toolChoice: "auto" });
  const twoSteps = sdk.stepCountIs
    ? { stopWhen: sdk.stepCountIs(2), prepareStep }
    : { maxSteps: 2, experimental_prepareStep: prepareStep };
  const forced = { toolChoice: "required", prompt };
  /** Streams hand errors to a callback instead of throwing them. */
  const streamed = async (fetch: Fetch, settings: object): Promise<Loose> => {
    const errors: unknown[] = [];
    const onError = ({ error }: { readonly error: unknown }): void => void errors.push(error);
    const stream = sdk.streamText({ model: modelOf(fetch), ...settings, onError });
    let text = "";
    for await (const piece of stream.textStream) text += piece;
    if (errors.length > 0) throw errors[0];
    return { text, stream };
  };
  return {
    name,
    held,
    rethrow: concise,
    text: async (fetch) => (await sdk.generateText({ model: modelOf(fetch), prompt })).text,
    streamedText: async (fetch) => (await streamed(fetch, { prompt })).text,
    // Its Anthropic provider asks for it in ways that no document has.
    ...(held !== heldByMessages && {
      async structured(fetch: Fetch) {
        return (await sdk.generateObject({ model: modelOf(fetch), schema, prompt })).object;
      },
    }),
    async streamedCalls(fetch) {
      const { stream } = await streamed(fetch, { ...forced, tools: { [weather.name]: tool } });
      const calls: Loose[] = await stream.toolCalls;
      // A call that the provider ran itself asks nothing of a caller.
      const own = calls.filter(({ providerExecuted }) => !providerExecuted);
      return own.map(({ toolName, input, args }) => ({ name: toolName, input: JSON.stringify(input ?? args) }));
    },
    async roundTrip(fetch) {
      let ran = 0;
      const execute = (): string => `${++ran} degrees`;
      const { text } = await sdk.generateText({
        model: modelOf(fetch),
        ...forced,
        tools: { [weather.name]: { ...tool, execute } },
        ...twoSteps,
      });
      return { ran, text };
    },
    badRequest: (fetch) => sdk.generateText({ model: modelOf(fetch), prompt, ...wrong }),
  };
}

/** @param sdk the modules of `ai` and `@ai-sdk/openai` */
export function tryAiOpenai(sdk: Loose, options: TrialOptions): Trials {
  const model = (fetch: Fetch): Loose => provider(sdk.createOpenAI, "v1", fetch).chat("chat-model");
  return tryLibrary(libraryOf(sdk, "ai-openai", heldByChat, model, { temperature: 3 }), options);
}

/** @param sdk the modules of `ai` and `@ai-sdk/anthropic` */
export function tryAiAnthropic(sdk: Loose, options: TrialOptions): Trials {
  const model = (fetch: Fetch): Loose => provider(sdk.createAnthropic, "v1", fetch)("messages-model");
  // It corrects a temperature that is too high.
  return tryLibrary(libraryOf(sdk, "ai-anthropic", heldByMessages, model, { topP: 2 }), options);
}

/** @param sdk the modules of `ai` and `@ai-sdk/google` */
export function tryAiGoogle(sdk: Loose, options: TrialOptions): Trials {
  const create = sdk.createGoogleGenerativeAI ?? sdk.createGoogle;
  const model = (fetch: Fetch): Loose => provider(create, "v1beta", fetch)("generate-model");
  return tryLibrary(libraryOf(sdk, "ai-google", heldByContent, model, { temperature: 3 }), options);
}

/** @param sdk the modules of `ai` and `@ai-sdk/openai` */
export async function tryAiOpenaiImages(sdk: Loose, options: TrialOptions): Promise<(ClientTrial | undefined)[]> {
  return [
    await tryOut("ai-openai-images", "image", "images", options, async (fetch, wire) => {
      const model = provider(sdk.createOpenAI, "v1", fetch).image("image-v2");
      const generate = sdk.generateImage ?? sdk.experimental_generateImage;
      const given = await generate({ model, prompt: "A red circle", size: "256x256" }).catch(concise);
      const held = objectsIn(parsed(wire.bodies[0])?.data);
      // A caller usually writes this next.
      const bytes = wrongText("image.base64", given.image.base64);
      return bytes ?? compared("images", given.images.length, held.length);
    }),
  ];
}
