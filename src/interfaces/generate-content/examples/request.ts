/** Requests alone: every documented member, so that what is wrong with a request is seen without any reply. */

import type { Example } from "../../../check/example.ts";
import { exchangeOf, jsonRequest } from "../../../wire/build.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { emptyPdf, pixelPng, silentWav, smallWebp } from "../../../wire/sample-files.ts";

/** The path of examples; the key is the documented credential. */
export const wholeTarget = "/v1beta/models/gemini-2.0-flash:generateContent?key=test-key";
export const streamTarget = "/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse&key=test-key";

export const asks = (text: string) => [{ role: "user", parts: [{ text }] }];
const request = (body: object, target = wholeTarget): Exchange => exchangeOf(jsonRequest(target, [], body), null);
const example = (name: string, body: object, target = wholeTarget): Example => ({
  name,
  exchange: request(body, target),
});

/** Small media; two bytes stand for those of other kinds. */
const media: Readonly<Record<string, string>> = {
  "image/png": pixelPng,
  "image/webp": smallWebp,
  "audio/wav": silentWav,
  "application/pdf": emptyPdf,
  "text/plain": "SGk=",
  "text/csv": "YSxiCg==",
};
const inline = (mimeType: string) => ({ inlineData: { mimeType, data: media[mimeType] ?? "AAEC" } });

export const weatherTool = {
  functionDeclarations: [
    {
      name: "get_weather",
      description: "Tells the weather of a place.",
      parameters: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
    },
    { name: "get_time" },
  ],
};

export const fruitSchema = {
  type: "OBJECT",
  description: "A fruit.",
  nullable: false,
  example: { name: "apple" },
  properties: {
    name: { type: "STRING", enum: ["apple", "pear"], minLength: 1, maxLength: 20 },
    picked: { type: "STRING", format: "date" },
    weight: { type: "NUMBER", minimum: 0, maximum: 1000 },
    ripe: { type: "BOOLEAN" },
    seeds: { type: "ARRAY", items: { type: "INTEGER" }, minItems: 0, maxItems: 5 },
  },
  required: ["name"],
};

export const requestExamples: readonly Example[] = [
  example("request with a text", { contents: asks("Hello.") }),
  example("request for a stream", { contents: asks("Hello.") }, streamTarget),
  example("request with every part", {
    contents: [
      {
        role: "user",
        parts: [
          { text: "What do you make of these?" },
          inline("image/png"),
          inline("audio/mp3"),
          inline("video/mp4"),
          inline("application/pdf"),
          inline("text/csv"),
        ],
      },
      { role: "model", parts: [{ functionCall: { name: "get_weather", args: { place: "Rome" } } }] },
      { role: "function", parts: [{ functionResponse: { name: "get_weather", response: { degrees: 21 } } }] },
      {
        role: "model",
        parts: [
          { executableCode: { language: "PYTHON", code: "print(1)" } },
          { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1\n" } },
        ],
      },
      { role: "tool", parts: [{ functionCall: { name: "get_time" } }] },
      {
        parts: [
          { text: "Now, please." },
          inline("image/webp"),
          inline("audio/wav"),
          inline("video/webm"),
          inline("text/plain"),
        ],
      },
    ],
    cachedContent: "cachedContents/abc",
  }),
  {
    late: true,
    ...example("request with instructions about a picture", {
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [{ role: "user", parts: [{ text: "What is this?" }, inline("image/png")] }],
    }),
  },
  example("request with instructions, tools and safety settings", {
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents: asks("What is the weather in Rome?"),
    tools: [weatherTool, { codeExecution: {} }],
    toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["get_weather"] } },
    safetySettings: [
      { category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_ONLY_HIGH" },
      { category: "HARM_CATEGORY_HATE_SPEECH", threshold: "OFF" },
    ],
  }),
  example("request with every generation option", {
    contents: asks("Describe a fruit."),
    generationConfig: {
      stopSequences: ["a", "b", "c", "d", "e"],
      responseMimeType: "application/json",
      responseSchema: fruitSchema,
      responseModalities: ["TEXT"],
      candidateCount: 2,
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: -0.1,
      responseLogprobs: true,
      logprobs: 3,
      enableEnhancedCivicAnswers: false,
      thinkingConfig: { includeThoughts: true, thinkingBudget: 128 },
      mediaResolution: "MEDIA_RESOLUTION_LOW",
    },
  }),
  example("request for speech of one voice", {
    contents: asks("Say hello."),
    generationConfig: {
      responseModalities: ["AUDIO"],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } }, languageCode: "en-US" },
    },
  }),
  example("request for speech of two voices", {
    contents: asks("Say hello to each other."),
    generationConfig: {
      speechConfig: {
        multiSpeakerVoiceConfig: {
          speakerVoiceConfigs: [
            { speaker: "Ann", voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } } },
            { speaker: "Bob", voiceConfig: { prebuiltVoiceConfig: { voiceName: "Puck" } } },
          ],
        },
      },
    },
  }),
  example("request in the listed snake-case names", {
    system_instruction: { parts: [{ text: "Be brief." }] },
    contents: [{ role: "user", parts: [{ inline_data: { mime_type: "image/png", data: pixelPng } }] }],
    tools: [{ function_declarations: [{ name: "get_time" }] }],
    tool_config: { function_calling_config: { mode: "AUTO" } },
    generationConfig: { response_mime_type: "application/json", response_schema: { type: "STRING" } },
  }),
  example("request in other snake-case names, with one content", {
    contents: { parts: [{ text: "Hello." }] },
    generation_config: { max_output_tokens: 5, stop_sequences: ["."] },
    safety_settings: [{ category: "HARM_CATEGORY_CIVIC_INTEGRITY", threshold: "BLOCK_NONE" }],
  }),
  // Not free of warnings, since file references are not supported.
  example("request with a referenced image", {
    contents: [
      { role: "user", parts: [{ fileData: { mimeType: "image/png", fileUri: "https://example.com/a.png" } }] },
    ],
  }),
];
