/** Generate-content requests, replies, streams and failures the document allows, written down from its text. */
import type { Chance } from "./legal-chance.ts";
import {
  among,
  base64,
  boolean,
  integer,
  list,
  type Make,
  type Members,
  map,
  number,
  object,
  oneOf,
  text,
  word,
} from "./legal-shape.ts";

type Json = Record<string, unknown>;

const anyObject = map(text(1, 8), among(1, "x", null, [], {}), 0, 3);
const media = among(
  ...[
    "image/jpeg",
    "image/png",
    "image/webp",
    "image/heic",
    "image/heif",
    "audio/wav",
    "audio/mp3",
    "audio/aiff",
    "audio/aac",
  ],
  ...[
    "audio/ogg",
    "audio/flac",
    "video/mp4",
    "video/mpeg",
    "video/mov",
    "video/avi",
    "video/x-flv",
    "video/mpg",
    "video/webm",
  ],
  ...["video/wmv", "video/3gpp", "application/pdf", "audio/mpeg", "video/quicktime", "text/plain"],
);
const codeParts = [
  object({ executableCode: object({ language: among("PYTHON", "LANGUAGE_UNSPECIFIED"), code: text() }) }),
  object({
    codeExecutionResult: object(
      { outcome: among("OUTCOME_UNSPECIFIED", "OUTCOME_OK", "OUTCOME_FAILED", "OUTCOME_DEADLINE_EXCEEDED") },
      { output: text() },
    ),
  }),
] as const;
const textPart = object({ text: text() });
const requestPart = oneOf(
  textPart,
  textPart,
  object({ inlineData: object({ mimeType: media, data: base64 }) }),
  object({ functionCall: object({ name: text(1) }, { args: anyObject }) }),
  object({ functionResponse: object({ name: text(1), response: anyObject }) }),
  ...codeParts,
);
const content = object({ parts: list(requestPart, 1, 4) }, { role: among("user", "model", "function", "tool") });

/** A schema of the output, three levels deep at most. */
function schema(depth: number): Make {
  const numbers = { minimum: number(-5, 0), maximum: number(0, 5) };
  const common = { description: text(), example: among("x", 1, null, {}), nullable: boolean };
  const flat: Make[] = [
    object(
      { type: among("STRING") },
      {
        ...common,
        enum: list(word("abc", 1, 4), 1, 3),
        format: among("date", "date-time"),
        minLength: integer(0, 3),
        maxLength: integer(3, 9),
      },
    ),
    object({ type: among("NUMBER", "INTEGER") }, { ...common, ...numbers, format: among("float", "int32") }),
    object({ type: among("BOOLEAN", "TYPE_UNSPECIFIED") }, common),
  ];
  if (depth === 0) return oneOf(...flat);
  return (chance) => {
    const names = ["a", "b", "\u{1F600}"].slice(0, 1 + chance.below(3));
    const properties = Object.fromEntries(names.map((name) => [name, schema(depth - 1)]));
    return oneOf(
      ...flat,
      object(
        { type: among("ARRAY"), items: schema(depth - 1) },
        { ...common, minItems: integer(0, 2), maxItems: integer(2, 5) },
      ),
      object(
        { type: among("OBJECT"), properties: object(properties, {}, { exact: true }) },
        { ...common, required: among([], [names[0]], names) },
      ),
    )(chance);
  };
}

const harmCategories = ["HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT", "CIVIC_INTEGRITY"];
const legacyCategories = ["DEROGATORY", "TOXICITY", "VIOLENCE", "SEXUAL", "MEDICAL", "DANGEROUS", "UNSPECIFIED"];
const category = (names: readonly string[]): Make => among(...names.map((name) => `HARM_CATEGORY_${name}`));
const thresholds = [
  "HARM_BLOCK_THRESHOLD_UNSPECIFIED",
  "BLOCK_LOW_AND_ABOVE",
  "BLOCK_MEDIUM_AND_ABOVE",
  "BLOCK_ONLY_HIGH",
  "BLOCK_NONE",
  "OFF",
];
const languages =
  "zh-CN en-US ja-JP ko-KR fr-FR de-DE es-ES pt-BR hi-IN ar-XA it-IT tr-TR vi-VN th-TH ru-RU pl-PL nl-NL".split(" ");
const voice = object({}, { prebuiltVoiceConfig: object({}, { voiceName: text(1) }) });
const speech = oneOf(
  object({}, { voiceConfig: voice, languageCode: among(...languages) }),
  object(
    {
      multiSpeakerVoiceConfig: object(
        {},
        { speakerVoiceConfigs: list(object({ speaker: text(1), voiceConfig: voice }), 1, 2) },
      ),
    },
    { languageCode: among(...languages) },
  ),
);

const generationConfig: Make = (chance) => {
  const logs = chance.once(3);
  const structured = chance.once(3);
  return object(
    {
      ...(logs && { responseLogprobs: among(true) }),
      ...(structured && { responseMimeType: among("application/json"), responseSchema: schema(2) }),
    },
    {
      stopSequences: list(text(1, 5), 0, 5),
      ...(!structured && { responseMimeType: among("text/plain", "application/json") }),
      responseModalities: list(among("TEXT", "IMAGE", "AUDIO"), 1, 3),
      candidateCount: integer(1, 4),
      maxOutputTokens: integer(1, 9000),
      temperature: number(0, 2),
      topP: number(0, 1),
      topK: integer(1, 100),
      seed: integer(-1e9, 1e9),
      presencePenalty: number(-99, 99),
      frequencyPenalty: number(-99, 99),
      ...(logs && { logprobs: integer(0, 5) }),
      enableEnhancedCivicAnswers: boolean,
      speechConfig: speech,
      thinkingConfig: object({}, { includeThoughts: boolean, thinkingBudget: integer(-1, 9000) }),
      mediaResolution: among(...["UNSPECIFIED", "LOW", "MEDIUM", "HIGH"].map((name) => `MEDIA_RESOLUTION_${name}`)),
    },
  )(chance);
};

const declaration = object(
  { name: text(1) },
  {
    description: text(),
    parameters: among({ type: "object" }, { type: "OBJECT", properties: { a: { type: "STRING" } } }),
  },
);

/** Names the document itself sends in another spelling too. */
const spellings: Readonly<Record<string, string>> = {
  inlineData: "inline_data",
  mimeType: "mime_type",
  systemInstruction: "system_instruction",
  toolConfig: "tool_config",
  functionDeclarations: "function_declarations",
  functionCallingConfig: "function_calling_config",
  responseMimeType: "response_mime_type",
  responseSchema: "response_schema",
};

function respelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(respelled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [spellings[name] ?? name, respelled(member)]),
  );
}

/** The body of a legal request; `said` is the same in camelCase throughout. */
export function generateRequest(chance: Chance): { readonly said: Members; readonly sent: unknown } {
  const tools = list(
    object({}, { functionDeclarations: list(declaration, 0, 3), codeExecution: object({}) }),
    0,
    2,
  )(chance) as Json[];
  const names = tools.flatMap((tool) =>
    ((tool["functionDeclarations"] ?? []) as { name: string }[]).map(({ name }) => name),
  );
  const calling = object(
    {},
    {
      mode: among("MODE_UNSPECIFIED", "AUTO", ...(names[0] === undefined ? [] : ["ANY"]), "NONE"),
      ...(names[0] !== undefined && { allowedFunctionNames: list(among(...names), 1, 2) }),
    },
  );
  const said = object(
    { contents: oneOf(list(content, 1, 4), content) },
    {
      tools: () => tools,
      toolConfig: object({}, { functionCallingConfig: calling }),
      safetySettings: list(
        object({ category: category([...harmCategories, ...legacyCategories]), threshold: among(...thresholds) }),
        0,
        3,
      ),
      systemInstruction: object({ parts: list(textPart, 1, 2) }, { role: among("user", "model") }),
      generationConfig,
      cachedContent: among("cachedContents/abc", "cachedContents/1"),
    },
  )(chance) as Members;
  return { said, sent: chance.once(3) ? respelled(said) : said };
}

const modality = among(...["MODALITY_UNSPECIFIED", "TEXT", "IMAGE", "VIDEO", "AUDIO", "DOCUMENT"]);
const details = list(object({ modality, tokenCount: integer(0, 50) }), 0, 2);
const rating = (probabilities: readonly string[]): Make =>
  object(
    { category: category([...harmCategories, ...legacyCategories]), probability: among(...probabilities) },
    { blocked: boolean },
  );
const mild = ["HARM_PROBABILITY_UNSPECIFIED", "NEGLIGIBLE"];
const token = (logProbability: number): Make =>
  object({ token: text(), tokenId: integer(0, 9e4), logProbability: () => logProbability });

function logprobs(most: number, chance: Chance): unknown {
  const steps = 1 + chance.below(3);
  const topCandidates = Array.from({ length: steps }, () => ({
    candidates: Array.from({ length: chance.below(most + 1) }, (_, i) => token(-0.5 * i)(chance)),
  }));
  return { topCandidates, chosenCandidates: Array.from({ length: steps }, () => token(-0.25)(chance)) };
}

const place = { startIndex: integer(0, 1), endIndex: integer(1, 2) };
/** What may stand beside a candidate's content, whatever was asked. */
const beside: Readonly<Record<string, Make>> = {
  safetyRatings: list(rating(mild), 0, 3),
  citationMetadata: object({}, { citationSources: list(object({}, { ...place, uri: text(), license: text() }), 0, 2) }),
  groundingAttributions: list(
    object(
      {},
      {
        sourceId: oneOf(
          object({}, { groundingPassage: object({}, { passageId: text(), partIndex: integer(0, 0) }) }),
          object({}, { semanticRetrieverChunk: object({}, { source: text(), chunk: text() }) }),
        ),
        content: among({}, { parts: 7 }, null, "anything"),
      },
    ),
    0,
    2,
  ),
  groundingMetadata: object(
    {},
    {
      groundingChunks: list(object({}, { web: object({}, { uri: text(), title: text() }) }), 1, 2),
      webSearchQueries: list(text(), 0, 2),
      searchEntryPoint: object(
        {},
        { renderedContent: text(), sdkBlob: among(Buffer.from('[["q","https://a.example"]]').toString("base64")) },
      ),
      retrievalMetadata: object({}, { providerSearchDynamicRetrievalScore: number(0, 1) }),
    },
  ),
  avgLogprobs: number(-20, 0),
  urlRetrievalMetadata: object({}, { urlRetrievalContexts: list(object({}, { retrievedUrl: text() }), 0, 2) }),
  urlContextMetadata: object(
    {},
    {
      urlMetadata: list(
        object(
          {},
          {
            retrievedUrl: text(),
            urlRetrievalStatus: among(
              "URL_RETRIEVAL_STATUS_UNSPECIFIED",
              "URL_RETRIEVAL_STATUS_SUCCESS",
              "URL_RETRIEVAL_STATUS_ERROR",
            ),
          },
        ),
        0,
        2,
      ),
    },
  ),
};

interface Offer {
  readonly config: Json;
  readonly mode: unknown;
  readonly names: readonly string[];
  readonly runsCode: boolean;
}

function offerOf(asked: Members): Offer {
  const tools = (asked["tools"] ?? []) as Json[];
  const calling = ((asked["toolConfig"] as Json | undefined)?.["functionCallingConfig"] ?? {}) as Json;
  const declared = tools.flatMap((tool) =>
    ((tool["functionDeclarations"] ?? []) as { name: string }[]).map(({ name }) => name),
  );
  return {
    config: (asked["generationConfig"] ?? {}) as Json,
    mode: calling["mode"],
    names: (calling["allowedFunctionNames"] as string[] | undefined) ?? declared,
    runsCode: tools.some((tool) => tool["codeExecution"] !== undefined),
  };
}

const otherReasons = [
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "OTHER",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "MALFORMED_FUNCTION_CALL",
  "IMAGE_SAFETY",
];

/** The parts and the finish of one candidate. */
function toldBy({ config, mode, names, runsCode }: Offer, chance: Chance): { parts?: unknown[]; finishReason: string } {
  if (chance.once(8)) return { finishReason: chance.pick(otherReasons), ...(chance.once(2) && { parts: [] }) };
  const call = object({ functionCall: object({ name: among(...names) }, { args: anyObject }) });
  if (mode === "ANY" && names.length > 0) return { finishReason: "STOP", parts: list(call, 1, 2)(chance) as unknown[] };
  if (mode !== "NONE" && names.length > 0 && chance.once(2)) return { finishReason: "STOP", parts: [call(chance)] };
  if (chance.once(6)) return { finishReason: "MAX_TOKENS", parts: [{ text: "{cut o" }] };
  if (config["responseMimeType"] === "application/json" && !config["responseSchema"])
    return { finishReason: "STOP", parts: [{ text: '{"a":' }, { text: " [1]}" }] };
  // What follows a schema is another test's concern; refusing is always open.
  if (config["responseMimeType"] !== undefined && config["responseMimeType"] !== "text/plain")
    return { finishReason: "OTHER" };
  const image = object({ inlineData: object({ mimeType: among("image/png"), data: base64 }) });
  const stops = (config["stopSequences"] ?? []) as string[];
  const plain = ["Dry.", "Ja", "42", ""].filter((one) => !stops.some((stop) => one.includes(stop)));
  const code = runsCode && chance.once(2) ? codeParts.map((make) => make(chance)) : [];
  return {
    finishReason: "STOP",
    parts: [...code, { text: chance.pick(plain) }, ...(chance.once(4) ? [image(chance)] : [])],
  };
}

function usageFor(counts: readonly (number | undefined)[], chance: Chance): unknown {
  const prompt = chance.below(100);
  const told = counts.reduce<number>((sum, count) => sum + (count ?? 1), 0);
  return object(
    {},
    {
      promptTokenCount: () => prompt,
      candidatesTokenCount: () => told,
      totalTokenCount: () => prompt + told + 7,
      cachedContentTokenCount: integer(0, prompt),
      toolUsePromptTokenCount: integer(0, 3),
      thoughtsTokenCount: integer(0, 4),
      ...Object.fromEntries(["prompt", "candidates", "toolUsePrompt"].map((name) => [`${name}TokensDetails`, details])),
      cacheTokensDetails: details,
    },
  )(chance);
}

/** A whole reply. */
export function generateReply(asked: Members, chance: Chance): unknown {
  const head = { modelVersion: text(1), responseId: text(1) };
  if (chance.once(10))
    return object(
      {
        promptFeedback: object(
          {},
          {
            blockReason: among(
              "BLOCK_REASON_UNSPECIFIED",
              "SAFETY",
              "OTHER",
              "BLOCKLIST",
              "PROHIBITED_CONTENT",
              "IMAGE_SAFETY",
            ),
            safetyRatings: list(rating([...mild, "LOW", "MEDIUM", "HIGH"]), 0, 2),
          },
        ),
      },
      { ...head, usageMetadata: object({}, { promptTokenCount: integer(0, 9) }) },
    )(chance);
  const offer = offerOf(asked);
  const count = Number(offer.config["candidateCount"] ?? 1);
  const most = Number(offer.config["maxOutputTokens"] ?? 50);
  const counts = Array.from({ length: chance.once(5) ? 1 : count }, () =>
    chance.once(3) ? undefined : chance.below(Math.min(50, most + 1)),
  );
  const candidates = counts.map((tokens, index) => {
    const { parts, finishReason } = toldBy(offer, chance);
    return object(
      {
        ...(parts && { content: object({ parts: () => parts }, { role: among("model") }) }),
        finishReason: () => finishReason,
        index: () => (index === 0 && chance.once(2) ? undefined : index),
        tokenCount: () => tokens,
      },
      {
        ...beside,
        ...(offer.config["responseLogprobs"] === true && {
          logprobsResult: (by: Chance) => logprobs(Number(offer.config["logprobs"] ?? 0), by),
        }),
      },
    )(chance);
  });
  return object({ candidates: () => candidates }, { ...head, usageMetadata: () => usageFor(counts, chance) })(chance);
}

/** Streamed replies: what each event carries is not shown, so it may be nearly nothing. */
export function generateStream(asked: Members, chance: Chance): unknown[] {
  const whole = generateReply(asked, chance) as Json;
  const candidates = (whole["candidates"] ?? []) as Json[];
  const pieces = candidates.flatMap(({ content: said, finishReason, ...rest }, at) => {
    const parts = ((said as Json | undefined)?.["parts"] ?? []) as unknown[];
    const of = (more: object): object => ({ candidates: [{ ...(at > 0 && { index: at }), ...more }] });
    return [...parts.map((part) => of({ content: { parts: [part], role: "model" } })), of({ ...rest, finishReason })];
  });
  const last = { ...((whole["usageMetadata"] as object | undefined) && { usageMetadata: whole["usageMetadata"] }) };
  const opening = whole["promptFeedback"] ? [{ promptFeedback: whole["promptFeedback"] }] : [];
  return [...opening, ...pieces, ...(chance.once(2) ? [last] : []), ...(chance.once(4) ? [{}] : [])];
}

const failures: readonly (readonly [number, string])[] = [
  [400, "INVALID_ARGUMENT"],
  [400, "FAILED_PRECONDITION"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [413, "PAYLOAD_TOO_LARGE"],
  [429, "RESOURCE_EXHAUSTED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
  [504, "DEADLINE_EXCEEDED"],
];

/** A failed reply and its status. */
export function generateFailure(chance: Chance): readonly [number, unknown] {
  const [code, status] = chance.pick(failures);
  const violation = object({}, { field: text(), description: text() });
  const detail = oneOf(object({}, { "@type": text(1), fieldViolations: list(violation, 0, 2) }), anyObject);
  const error = object({ code: () => code, message: text(), status: () => status }, { details: list(detail, 0, 2) });
  return [code, object({ error })(chance)];
}
