/** Streamed replies: pieces of text, calls and JSON that mean something only together. */

import type { Example } from "../../../check/example.ts";
import { exchangeOf, jsonRequest, sseEvent, streamResponse, utf8 } from "../../../wire/build.ts";
import { told, usage } from "./reply.ts";
import { asks, fruitSchema, streamTarget, weatherTool } from "./request.ts";

type Json = Readonly<Record<string, unknown>>;

/** Events as services of this kind send them: lines that end in CR LF. */
const event = (data: unknown): string => `data: ${JSON.stringify(data)}\r\n\r\n`;
const stamp: Json = { modelVersion: "gemini-2.0-flash", responseId: "r-1" };

const example = (name: string, request: object, events: readonly Json[]): Example => ({
  name,
  exchange: exchangeOf(
    jsonRequest(streamTarget, [], request),
    streamResponse(events.map((data) => event({ ...data, ...stamp }))),
  ),
});

const piece = (text: string, index = 0): Json => ({ content: { role: "model", parts: [{ text }] }, index });

export const streamExamples: readonly Example[] = [
  {
    name: "a streamed text whose lines end in line feeds",
    exchange: exchangeOf(
      jsonRequest(streamTarget, [], { contents: asks("Hello.") }),
      streamResponse([
        sseEvent({ candidates: [piece("Hello")], ...stamp }),
        sseEvent({ candidates: [told(".")], usageMetadata: usage(2, 2), ...stamp }),
      ]),
    ),
  },
  example("a streamed text", { contents: asks("Hello.") }, [
    { candidates: [piece("Hello")], usageMetadata: { promptTokenCount: 2, totalTokenCount: 2 } },
    { candidates: [piece(" there")] },
    { candidates: [told(".")], usageMetadata: usage(2, 3) },
  ]),
  example(
    "streamed JSON",
    {
      contents: asks("Name a fruit."),
      generationConfig: { responseMimeType: "application/json", responseSchema: fruitSchema },
    },
    [{ candidates: [piece('{"name":')] }, { candidates: [told('"apple"}')], usageMetadata: usage(4, 5) }],
  ),
  example("two streamed candidates", { contents: asks("Hello."), generationConfig: { candidateCount: 2 } }, [
    { candidates: [piece("Hello"), piece("Good", 1)] },
    { candidates: [told(".")] },
    { candidates: [told(" day.", { index: 1 })], usageMetadata: usage(2, 5) },
  ]),
  example("a streamed function call", { contents: asks("What is the weather?"), tools: [weatherTool] }, [
    {
      candidates: [
        { content: { role: "model", parts: [{ functionCall: { name: "get_weather", args: {} } }] }, index: 0 },
      ],
    },
    { candidates: [{ content: { role: "model" }, finishReason: "STOP", index: 0 }], usageMetadata: usage(6, 4) },
  ]),
  example("a stream whose prompt was blocked", { contents: asks("Tease me.") }, [
    {
      promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
      usageMetadata: { promptTokenCount: 2, totalTokenCount: 2 },
    },
  ]),
  {
    // The answer of the streaming operation without alt=sse is left open; services send an array.
    name: "a stream asked for without alt",
    exchange: exchangeOf(jsonRequest(streamTarget.replace("alt=sse&", ""), [], { contents: asks("Hello.") }), {
      status: 200,
      headers: [["content-type", "application/json"]],
      body: utf8(JSON.stringify([{ candidates: [piece("Hello")] }, { candidates: [told(".")] }])),
    }),
  },
];
