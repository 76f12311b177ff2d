/** Whole replies, each with what it answers: together they hold every documented member. */

import type { Example } from "../../../check/example.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../../../wire/build.ts";
import { asks, fruitSchema, weatherTool, wholeTarget } from "./request.ts";

const example = (name: string, request: object, reply: unknown, status = 200, target = wholeTarget): Example => ({
  name,
  exchange: exchangeOf(jsonRequest(target, [], request), jsonResponse(reply, status)),
});

type Json = Readonly<Record<string, unknown>>;
export const told = (text: string, more: Json = {}): Json => ({
  content: { role: "model", parts: [{ text }] },
  finishReason: "STOP",
  index: 0,
  ...more,
});
export const usage = (prompt: number, candidates: number, more: Json = {}): Json => ({
  promptTokenCount: prompt,
  candidatesTokenCount: candidates,
  totalTokenCount: prompt + candidates,
  ...more,
});
const stamp: Json = { modelVersion: "gemini-2.0-flash", responseId: "r-1" };
const reply = (candidates: readonly Json[], more: Json = {}): Json => ({
  candidates,
  usageMetadata: usage(2, 3),
  ...stamp,
  ...more,
});

const modality = (name: string, tokenCount: number): Json[] => [{ modality: name, tokenCount }];
const rating = (category: string, probability: string): Json => ({ category, probability, blocked: false });
const harassment = "HARM_CATEGORY_HARASSMENT";
const setting = (threshold: string): Json => ({ safetySettings: [{ category: harassment, threshold }] });
const rated = (name: string, threshold: string, probability: string): Example =>
  example(
    name,
    { contents: asks("Tease me."), ...setting(threshold) },
    reply([told("You silly.", { safetyRatings: [rating(harassment, probability)] })]),
  );

const token = (text: string, tokenId: number, logProbability: number): Json => ({
  token: text,
  tokenId,
  logProbability,
});
const call = (name: string, args: Json): Json => ({
  content: { role: "model", parts: [{ functionCall: { name, args } }] },
  finishReason: "STOP",
  index: 0,
});

const weatherAsked = { contents: asks("What is the weather in Rome?"), tools: [weatherTool] };
const calling = (config: Json): Json => ({ ...weatherAsked, toolConfig: { functionCallingConfig: config } });

export const replyExamples: readonly Example[] = [
  example(
    "a text with detailed usage",
    { contents: asks("Hello.") },
    reply([told("Hello there.", { tokenCount: 3, avgLogprobs: -0.5 })], {
      usageMetadata: usage(2, 3, {
        cachedContentTokenCount: 1,
        toolUsePromptTokenCount: 0,
        thoughtsTokenCount: 0,
        promptTokensDetails: modality("TEXT", 2),
        candidatesTokensDetails: modality("TEXT", 3),
        cacheTokensDetails: modality("TEXT", 1),
        toolUsePromptTokensDetails: modality("IMAGE", 0),
      }),
    }),
  ),
  example(
    "two candidates within a token bound",
    { contents: asks("Hello."), generationConfig: { candidateCount: 2, maxOutputTokens: 5 } },
    reply([told("Hello.", { tokenCount: 2 }), told("Good day.", { tokenCount: 3, index: 1 })], {
      usageMetadata: usage(2, 5),
    }),
  ),
  example(
    "a text that ends before a stop sequence",
    { contents: asks("Hello."), generationConfig: { stopSequences: ["###", "END"] } },
    reply([told("Hello.")]),
  ),
  example("a function call", weatherAsked, reply([call("get_weather", { place: "Rome" })])),
  example(
    "a function call that mode ANY demands",
    calling({ mode: "ANY", allowedFunctionNames: ["get_weather"] }),
    reply([call("get_weather", { place: "Rome" })]),
  ),
  example("a text where mode NONE forbids calls", calling({ mode: "NONE" }), reply([told("I cannot know.")])),
  example(
    "code that the model ran",
    { contents: asks("Add one and one."), tools: [{ codeExecution: {} }] },
    reply([
      {
        content: {
          role: "model",
          parts: [
            { executableCode: { language: "PYTHON", code: "print(1 + 1)" } },
            { codeExecutionResult: { outcome: "OUTCOME_OK", output: "2\n" } },
            { text: "It is 2." },
          ],
        },
        finishReason: "STOP",
        index: 0,
      },
    ]),
  ),
  example(
    "code whose result was cut off",
    {
      contents: asks("Add one and one."),
      tools: [{ codeExecution: {} }],
      generationConfig: { maxOutputTokens: 3 },
    },
    reply([
      {
        content: { role: "model", parts: [{ executableCode: { language: "PYTHON", code: "print(1 +" } }] },
        finishReason: "MAX_TOKENS",
      },
    ]),
  ),
  example(
    "an image as reply, and the other parts a content can hold",
    { contents: asks("Draw a dot."), generationConfig: { responseModalities: ["TEXT", "IMAGE"] } },
    reply([
      {
        content: {
          role: "model",
          parts: [
            { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
            { fileData: { mimeType: "image/png", fileUri: "https://example.com/dot.png" } },
            { functionResponse: { name: "draw", response: { drawn: true } } },
          ],
        },
        finishReason: "STOP",
      },
    ]),
  ),
  example(
    "JSON that obeys its schema",
    {
      contents: asks("Name a fruit."),
      generationConfig: { responseMimeType: "application/json", responseSchema: fruitSchema },
    },
    reply([told('{"name":"pear","weight":120,"seeds":[1,2],"ripe":true}')]),
  ),
  example(
    "one value of an enum",
    {
      contents: asks("Name a fruit."),
      generationConfig: {
        responseMimeType: "text/x.enum",
        responseSchema: { type: "STRING", enum: ["apple", "pear"] },
      },
    },
    reply([told("pear")]),
  ),
  example(
    "log probabilities",
    { contents: asks("Hello."), generationConfig: { responseLogprobs: true, logprobs: 2 } },
    reply([
      told("Hi.", {
        avgLogprobs: -0.3,
        logprobsResult: {
          topCandidates: [
            { candidates: [token("Hi", 7, -0.1), token("Hello", 8, -2.5)] },
            { candidates: [token(".", 1, -0.5), token("!", 2, -1.5)] },
          ],
          chosenCandidates: [token("Hi", 7, -0.1), token(".", 1, -0.5)],
        },
      }),
    ]),
  ),
  rated("a rating under BLOCK_LOW_AND_ABOVE", "BLOCK_LOW_AND_ABOVE", "NEGLIGIBLE"),
  rated("a rating under BLOCK_MEDIUM_AND_ABOVE", "BLOCK_MEDIUM_AND_ABOVE", "LOW"),
  rated("a rating under BLOCK_ONLY_HIGH", "BLOCK_ONLY_HIGH", "MEDIUM"),
  rated("a rating under BLOCK_NONE", "BLOCK_NONE", "HIGH"),
  rated("a rating under OFF", "OFF", "HIGH"),
  example(
    "a blocked prompt",
    { contents: asks("Tease me.") },
    {
      promptFeedback: {
        blockReason: "SAFETY",
        safetyRatings: [{ category: "HARM_CATEGORY_DANGEROUS", probability: "HIGH" }],
      },
      usageMetadata: { promptTokenCount: 2, totalTokenCount: 2 },
      ...stamp,
    },
  ),
  example(
    "a candidate stopped for safety, without content",
    { contents: asks("Tease me.") },
    reply([{ finishReason: "SAFETY", index: 0, safetyRatings: [{ ...rating(harassment, "HIGH"), blocked: true }] }]),
  ),
  example(
    "citations and grounding",
    { contents: asks("Who wrote it?") },
    reply([
      told("Ännchen wrote it.", {
        citationMetadata: {
          citationSources: [{ startIndex: 0, endIndex: 8, uri: "https://example.com/a", license: "MIT" }],
        },
        groundingAttributions: [
          { sourceId: { groundingPassage: { passageId: "p1", partIndex: 0 } }, content: { parts: [{ text: "..." }] } },
          { sourceId: { semanticRetrieverChunk: { source: "corpora/a", chunk: "corpora/a/documents/b/chunks/c" } } },
        ],
        groundingMetadata: {
          groundingChunks: [{ web: { uri: "https://example.com/a", title: "A" } }],
          groundingSupports: [
            {
              groundingChunkIndices: [0],
              confidenceScores: [0.9],
              segment: { partIndex: 0, startIndex: 0, endIndex: 8, text: "Ännchen" },
            },
          ],
          webSearchQueries: ["who wrote it"],
          searchEntryPoint: {
            renderedContent: "<div>who wrote it</div>",
            sdkBlob: Buffer.from('[["who wrote it","https://example.com/a"]]').toString("base64"),
          },
          retrievalMetadata: { providerSearchDynamicRetrievalScore: 0.5 },
        },
        urlRetrievalMetadata: { urlRetrievalContexts: [{ retrievedUrl: "https://example.com/a" }] },
        urlContextMetadata: {
          urlMetadata: [
            { retrievedUrl: "https://example.com/a", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" },
            { retrievedUrl: "https://example.com/b", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_ERROR" },
          ],
        },
      }),
    ]),
  ),
];

const refusal = (code: number, status: string, message: string, details?: readonly unknown[]): Json => ({
  error: { code, message, status, ...(details && { details }) },
});
const hello = { contents: asks("Hello.") };
const violations = [
  {
    "@type": "type.googleapis.com/google.rpc.BadRequest",
    fieldViolations: [{ field: "generation_config.temperature", description: "It lies between 0 and 2." }],
  },
];
const unkeyed = wholeTarget.replace("?key=test-key", "");

export const errorExamples: readonly Example[] = [
  {
    ...example(
      "an invalid request that is refused",
      { contents: asks("Hello."), generationConfig: { temperature: 3 } },
      refusal(400, "INVALID_ARGUMENT", "temperature is out of range.", violations),
      400,
    ),
    probe: true,
  },
  {
    ...example("a request without a key", hello, refusal(401, "UNAUTHENTICATED", "A key is missing."), 401, unkeyed),
    probe: true,
  },
  example("a key that is not valid", hello, refusal(401, "UNAUTHENTICATED", "API key not valid."), 401),
  example("a failed precondition", hello, refusal(400, "FAILED_PRECONDITION", "Not from here.", violations), 400),
  example("a refused permission", hello, refusal(403, "PERMISSION_DENIED", "Not for you."), 403),
  example("an unknown model", hello, refusal(404, "NOT_FOUND", "There is no such model."), 404),
  example("a body that is too large", hello, refusal(413, "PAYLOAD_TOO_LARGE", "Too much."), 413),
  example("an exhausted quota", hello, refusal(429, "RESOURCE_EXHAUSTED", "Slow down."), 429),
  example("an internal error", hello, refusal(500, "INTERNAL", "Our fault."), 500),
  example("an overloaded service", hello, refusal(503, "UNAVAILABLE", "Try again."), 503),
  example("a deadline that passed", hello, refusal(504, "DEADLINE_EXCEEDED", "Too slow."), 504),
];
