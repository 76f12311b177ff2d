/** Drives the Vercel AI SDK with its three providers: facts as one call of it, and its result as pieces of an answer. */
import type { FinishReason, MediaPart, Part, RequestFacts, ResultPart } from "../../interfaces/common/facts/model.ts";
import { type AnswerPiece, budgetOf, effortOf, wideSchema } from "../../interfaces/common/facts/write.ts";
import type { Loose } from "../../run/clients/trial.ts";
import type { Library, LibraryCall, LibraryPiece } from "./library.ts";
import { argumentsValue, defined, namesFile, textOf, turnsApart, typeOf } from "./library.ts";

const resultPart = (part: Loose): Loose => {
  const type = part.kind === "image" ? "image" : "file";
  if (part.kind === "text") return { type: "text", text: part.text };
  if (part.data === undefined) return { type: `${type}-url`, url: part.url ?? "" };
  return { type: `${type}-data`, data: part.data, mediaType: typeOf(part) };
};

function resultOf({ content, value, isError }: ResultPart): Loose {
  if (value) return { type: isError ? "error-json" : "json", value };
  if (content.some(({ kind }) => kind !== "text")) return { type: "content", value: content.map(resultPart) };
  return { type: isError ? "error-text" : "text", value: content.map((part: Loose) => part.text).join("\n") };
}

function mediumOf(part: MediaPart): Loose {
  const source = part.data ?? part.file ?? new URL(part.url ?? "about:blank");
  if (part.kind === "image") return { type: "image", image: source, ...defined({ mediaType: part.mediaType }) };
  return { type: "file", data: source, mediaType: typeOf(part), ...defined({ filename: part.name }) };
}

function partOf(part: Part): Loose {
  if (part.kind === "text" || part.kind === "refusal") return { type: "text", text: part.text };
  if (part.kind === "thinking") return { type: "reasoning", text: part.text };
  if (part.kind !== "call" && part.kind !== "result") return mediumOf(part as MediaPart);
  const named = { toolCallId: part.id ?? "", toolName: part.name ?? "" };
  return part.kind === "call"
    ? { type: "tool-call", input: argumentsValue(part.arguments), ...named }
    : { type: "tool-result", output: resultOf(part), ...named };
}

function toolsOf(sdk: Loose, { tools = [] }: RequestFacts): Loose {
  const declared = tools.map(({ name, description, parameters, strict }) => {
    const inputSchema = sdk.jsonSchema(wideSchema(parameters) ?? { type: "object", properties: {} });
    return [name, { ...defined({ description, strict }), inputSchema }];
  });
  return declared.length > 0 ? Object.fromEntries(declared) : undefined;
}

function formOf(sdk: Loose, { output }: RequestFacts): Loose {
  const { form, schema, name, description } = output ?? { form: "text" };
  if (form === "text" || form === "enum") return undefined;
  if (form === "json" || schema === undefined) return sdk.Output.json();
  return sdk.Output.object({ schema: sdk.jsonSchema(wideSchema(schema)), ...defined({ name, description }) });
}

/** Options that the neutral call has no word for, for the providers that have one. */
function optionsOf({ settings: { user }, thinking, parallel, output }: RequestFacts): Loose {
  const { on, budget, effort, shown } = thinking ?? { on: true };
  const amount = thinking && (budget ?? effort) !== undefined ? budgetOf(thinking) : undefined;
  return {
    openai: defined({
      ...{ user, parallelToolCalls: parallel, strictJsonSchema: output?.strict },
      reasoningEffort: thinking && (on ? effortOf(thinking) : "none"),
    }),
    anthropic: defined({
      metadata: user === undefined ? undefined : { userId: user },
      disableParallelToolUse: parallel === undefined ? undefined : !parallel,
      thinking: thinking && (on ? { type: "enabled", budgetTokens: budgetOf(thinking) } : { type: "disabled" }),
    }),
    google: {
      ...(thinking && { thinkingConfig: defined({ thinkingBudget: on ? amount : 0, includeThoughts: shown }) }),
    },
  };
}

const isOneOfSome = ({ choice }: RequestFacts): boolean => choice?.mode === "named" && choice.names?.length !== 1;

/** The settings of a call, but for the model. */
export function callOf(sdk: Loose, asked: RequestFacts): Loose {
  const { settings, system, turns, choice } = asked;
  const { seed, penalties } = settings as Loose;
  return defined({
    ...{ temperature: settings["sampling.temperature"], topP: settings["sampling.top-p"], seed },
    ...{ topK: settings["sampling.top-k"], maxOutputTokens: settings["limits.max-tokens"] },
    ...{ presencePenalty: penalties?.presence, frequencyPenalty: penalties?.frequency },
    stopSequences: settings["stop.sequences"],
    system: system.length > 0 ? system.map((content) => ({ role: "system", content })) : undefined,
    messages: turnsApart(turns).map(({ role, parts }) => ({ role, content: parts.map(partOf) })),
    tools: toolsOf(sdk, asked),
    toolChoice: choice?.mode === "named" ? { type: "tool", toolName: choice.names?.[0] } : choice?.mode,
    ...(isOneOfSome(asked) && { toolChoice: undefined }),
    output: formOf(sdk, asked),
    providerOptions: optionsOf(asked),
  });
}

/** The meanings of its words: a stop sequence ends a reply with `stop` as well. */
const ends: Readonly<Record<string, readonly FinishReason[]>> = {
  ...{ stop: ["natural", "stop-sequence"], length: ["length"], "content-filter": ["filter"], "tool-calls": ["tool"] },
};
const choice = 0;

/** The end of a call. Throws where the library knows no reason, as after a stream that broke off. */
function* endOf({ finishReason: word, rawFinishReason, usage, providerMetadata }: Loose): Generator<AnswerPiece> {
  const sequence = providerMetadata?.anthropic?.stopSequence ?? undefined;
  const means = ends[word] ?? (rawFinishReason === undefined ? undefined : ["other"]);
  if (!means) throw new Error(`The reason why the reply ended is ${word}.`);
  yield { kind: "finish", choice, finish: sequence ? { word, means: ["stop-sequence"], sequence } : { word, means } };
  const { inputTokens: input, outputTokens: output, totalTokens: total, inputTokenDetails: read } = usage;
  const counts = { input, output, total, cached: read?.cacheReadTokens, stored: read?.cacheWriteTokens };
  const thinking = usage.outputTokenDetails?.reasoningTokens;
  yield { kind: "usage", usage: { ...defined({ ...counts, thinking }), includes: { cached: true, thinking: true } } };
  yield { kind: "end" };
}

/** A part of an answer, or of its stream. @param calls the ids of calls so far */
function* piecesOf(part: Loose, calls: string[]): Generator<LibraryPiece> {
  const id = part.type === "tool-call" ? part.toolCallId : part.id;
  if (part.type === "text" || part.type === "text-delta") yield { kind: "text", choice, text: part.text };
  else if (/^reasoning(?:-delta)?$/.test(part.type)) yield { kind: "thinking", choice, text: part.text };
  else if (part.type === "source" && part.url) yield { kind: "sources", choice, sources: [part.url] };
  else if (part.type === "file") {
    const { mediaType, base64: data } = part.file;
    yield { kind: "medium", choice, medium: { kind: /^audio/.test(mediaType) ? "audio" : "image", mediaType, data } };
  } else if (part.type === "tool-input-delta")
    yield { kind: "arguments", choice, call: calls.indexOf(id), text: part.delta };
  else if (part.type === "tool-input-start" || (part.type === "tool-call" && !calls.includes(id))) {
    const call = calls.push(id) - 1;
    yield { kind: "call", choice, call, id, name: part.toolName };
    if (part.input !== undefined) yield { kind: "arguments", choice, call, text: textOf(part.input) };
  }
}

const warningsOf = (warnings: Loose): LibraryPiece => ({
  kind: "warnings",
  warnings: (warnings ?? []).map(({ feature, message, details }: Loose) =>
    [feature, message ?? details].filter((one) => one !== undefined).join(": "),
  ),
});

/** The model of an interface's provider. */
function modelOf(sdk: Loose, { asked: { model = "" }, to, baseUrl, key: apiKey }: LibraryCall): Loose {
  if (to === "chat-completions") return sdk.createOpenAI({ baseURL: `${baseUrl}/v1`, apiKey }).chat(model);
  if (to === "messages") return sdk.createAnthropic({ baseURL: `${baseUrl}/v1`, apiKey })(model);
  return (sdk.createGoogleGenerativeAI ?? sdk.createGoogle)({ baseURL: `${baseUrl}/v1beta`, apiKey })(model);
}

async function* ask(sdk: Loose, call: LibraryCall): AsyncGenerator<LibraryPiece> {
  const { asked, signal: abortSignal } = call;
  const settings = { ...callOf(sdk, asked), model: modelOf(sdk, call), maxRetries: 0, abortSignal };
  const calls: string[] = [];
  if (!asked.stream) {
    // A reply that is no JSON as asked comes with the error.
    const result = await sdk.generateText(settings).catch((thrown: Loose) => {
      if (thrown?.text === undefined) throw thrown;
      return { ...thrown, content: [{ type: "text", text: thrown.text }] };
    });
    yield warningsOf(result.warnings);
    for (const part of result.content) yield* piecesOf(part, calls);
    yield* endOf(result);
    return;
  }
  // Errors come as parts; a callback keeps them from being printed.
  for await (const part of sdk.streamText({ ...settings, onError: () => undefined }).fullStream)
    if (part.type === "start-step") yield warningsOf(part.warnings);
    else if (part.type === "error") throw part.error;
    else if (part.type === "finish-step") yield* endOf(part);
    else yield* piecesOf(part, calls);
}

const neutral = [
  ...["sampling.temperature", "sampling.top-p", "sampling.top-k", "limits.max-tokens", "stop.sequences", "penalties"],
  ...["seed", "system", "turns", "tools", "tools.choice", "structured-output", "tool-call", "tool-result", "stream"],
  ...["image", "audio", "video", "document", "thinking"],
];

/** Packages of two generations lose what neither loses alone: the first number of providers is that of the library less 3. */
function misfit(version: string): string | undefined {
  const [, library, provider] = /^(\d+)\..* (\d+)\.[^ ]*$/.exec(version) ?? [];
  if (Number(library) < 6) return "touchstone asks version 6 or a newer one: npm install ai@latest";
  return Number(library) === Number(provider) + 3 ? undefined : `its packages do not fit each other: ${version}`;
}

export const ai: Library = {
  name: "ai",
  packages: {
    "chat-completions": ["ai", "@ai-sdk/openai"],
    messages: ["ai", "@ai-sdk/anthropic"],
    "generate-content": ["ai", "@ai-sdk/google"],
  },
  asks: {
    "chat-completions": [...neutral, "user", "tools.parallel"],
    messages: [...neutral, "user", "tools.parallel"],
    "generate-content": neutral,
  },
  beside: (version) => (/^\d/.test(version) ? `${Number.parseInt(version, 10) - 3}` : undefined),
  misfit,
  wordless: (asked, to) => ({
    choices: "A call gives one reply.",
    ...(asked.output?.form === "enum" && { "structured-output": "Its choice among words is a schema of its own." }),
    ...(to !== "chat-completions" &&
      namesFile(asked, "document") && { document: "Files are bytes or addresses there." }),
    ...(isOneOfSome(asked) && { "tools.choice": "A call chooses one tool, or any." }),
  }),
  ask,
};
