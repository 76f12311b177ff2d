/** Generation options of generate-content the document allows: output formats, sampling, speech. */
import type { Chance } from "./chance.ts";
import { among, boolean, integer, list, type Make, type Members, number, object, oneOf, text, word } from "./shape.ts";

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

/** Generation options, those that need each other together. */
export const generationConfig: Make = (chance) => {
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
