/** Generate-content requests the document allows, written down from its text. */

import type { Chance } from "./chance.ts";
import { generationConfig } from "./generate-config.ts";
import { among, base64, list, type Make, type Members, map, object, oneOf, text } from "./shape.ts";

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
