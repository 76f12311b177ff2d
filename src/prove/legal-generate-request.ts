/** Generate-content requests the document allows, written down from its text. */
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

export const anyObject = map(text(1, 8), among(1, "x", null, [], {}), 0, 3);
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
  ...[
    "video/wmv",
    "video/3gpp",
    "application/pdf",
    "audio/mpeg",
    "video/quicktime",
    "text/plain",
    "image/gif",
    "audio/x-unheard-of",
  ],
);
const outcomes = ["OK", "FAILED", "DEADLINE_EXCEEDED"];
export const codeParts = [
  object({ executableCode: object({ language: among("PYTHON", "LANGUAGE_UNSPECIFIED"), code: text() }) }),
  object({
    codeExecutionResult: object(
      // The sample writes OK where the enum has a prefix.
      { outcome: among(...outcomes.map((name) => `OUTCOME_${name}`), "OUTCOME_UNSPECIFIED", ...outcomes) },
      { output: text() },
    ),
  }),
] as const;
const textPart = object({ text: text() });
const requestPart = oneOf(
  textPart,
  textPart,
  object({ inlineData: object({ mimeType: media, data: base64 }) }),
  object({ fileData: object({ mimeType: among("image/png", "text/plain"), fileUri: text(1) }) }),
  among({}, { text: "Both.", functionCall: { name: "f" } }),
  object({ functionCall: object({ name: text(1) }, { args: anyObject }) }),
  object({ functionResponse: object({ name: text(1), response: anyObject }) }),
  ...codeParts,
);
const content = object(
  { parts: oneOf(list(requestPart, 0, 4), list(requestPart, 1, 2), requestPart) },
  { role: among("user", "model", "function", "tool") },
);

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

export const harmCategories = [
  "HARASSMENT",
  "HATE_SPEECH",
  "SEXUALLY_EXPLICIT",
  "DANGEROUS_CONTENT",
  "CIVIC_INTEGRITY",
];
export const legacyCategories = ["DEROGATORY", "TOXICITY", "VIOLENCE", "SEXUAL", "MEDICAL", "DANGEROUS", "UNSPECIFIED"];
export const category = (names: readonly string[]): Make => among(...names.map((name) => `HARM_CATEGORY_${name}`));
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

/** Schemas of the output, each with texts that obey it. */
export const outputs: readonly {
  readonly type: string;
  readonly schema: Members;
  readonly texts: readonly string[];
}[] = [
  {
    type: "application/json",
    schema: {
      type: "OBJECT",
      properties: { a: { type: "INTEGER" }, b: { type: "STRING", nullable: true } },
      required: ["a"],
    },
    texts: ['{"a":1}', '{"b":null,"a":-7}', ' {"a":2,"b":"x"} '],
  },
  {
    type: "application/json",
    schema: { type: "ARRAY", items: { type: "STRING", enum: ["x", "y"] } },
    texts: ["[]", '["x","y"]'],
  },
  { type: "text/x.enum", schema: { type: "STRING", enum: ["x", "y"] }, texts: ["x", "y"] },
];

/** One of those, or any schema. */
function outputFormat(chance: Chance): Record<string, Make> {
  const { type, schema: of } = chance.pick(outputs);
  if (chance.once(2)) return { responseMimeType: () => type, responseSchema: () => of };
  return { responseMimeType: among("application/json"), responseSchema: schema(2) };
}

const generationConfig: Make = (chance) => {
  const logs = chance.once(3);
  const structured = chance.once(3);
  return object(
    {
      ...(logs && { responseLogprobs: among(true) }),
      ...(structured && outputFormat(chance)),
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

export function respelled(value: unknown): unknown {
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
