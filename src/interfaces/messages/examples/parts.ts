/** Building blocks of the good messages exchanges. */

import type { Example } from "../../../check/example.ts";
import { exchangeOf, jsonRequest, jsonResponse, sseEvent, streamResponse } from "../../../wire/build.ts";
import type { Exchange, HeaderPairs, WireResponse } from "../../../wire/exchange.ts";

export type Data = Record<string, unknown>;

export const headers: HeaderPairs = [
  ["x-api-key", "sk-example"],
  ["partner-version", "2023-06-01"],
];

export const model = "example-model-3";
export const hello = [{ role: "user", content: "Hello" }];

/** A request with the required members, and what else is given. */
export function request(more: Data = {}, extraHeaders: HeaderPairs = []) {
  return jsonRequest("/v1/messages", [...headers, ...extraHeaders], {
    model,
    max_tokens: 1024,
    messages: hello,
    ...more,
  });
}

/** A whole message that says hello, with what else is given. */
export function message(more: Data = {}): Data {
  return {
    id: "msg_01",
    type: "message",
    role: "assistant",
    model,
    content: [{ type: "text", text: "Hello! How can I help?" }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 8, output_tokens: 7 },
    ...more,
  };
}

export const asked = (name: string, more: Data = {}, extraHeaders: HeaderPairs = []): Example => ({
  name,
  exchange: exchangeOf(request(more, extraHeaders), null),
});

export const answered = (name: string, more: Data, reply: Data): Example => ({
  name,
  exchange: exchangeOf(request(more), jsonResponse(message(reply))),
});

/** A stream with `event:` lines, as it is commonly sent. */
export function stream(events: readonly Data[]): WireResponse {
  return streamResponse(events.map((data) => sseEvent(data, String(data["type"]))));
}

export const streamed = (name: string, more: Data, events: readonly Data[]): Example => ({
  name,
  exchange: exchangeOf(request({ stream: true, ...more }), stream(events)),
});

export const failed = (name: string, status: number, error: Data, exchange?: Exchange["request"]): Example => ({
  name,
  exchange: exchangeOf(exchange ?? request(), jsonResponse({ type: "error", error }, status)),
});

/** `message_start` with everything a message has. */
export const started: Data = {
  type: "message_start",
  message: message({ content: [], stop_reason: null, usage: { input_tokens: 8, output_tokens: 1 } }),
};

/** A text block in pieces. */
export const textBlock = (index: number, ...pieces: string[]): Data[] => [
  { type: "content_block_start", index, content_block: { type: "text", text: "" } },
  ...pieces.map((text) => ({ type: "content_block_delta", index, delta: { type: "text_delta", text } })),
  { type: "content_block_stop", index },
];

/** A tool_use block whose input comes in pieces. */
export const toolBlock = (index: number, id: string, name: string, ...pieces: string[]): Data[] => [
  { type: "content_block_start", index, content_block: { type: "tool_use", id, name, input: {} } },
  ...pieces.map((partial_json) => ({
    type: "content_block_delta",
    index,
    delta: { type: "input_json_delta", partial_json },
  })),
  { type: "content_block_stop", index },
];

/** The last two events; usage stands inside and beside. */
export function ended(stop_reason: string, more: Data = {}): Data[] {
  const usage = { input_tokens: 8, output_tokens: 7 };
  return [
    { type: "message_delta", delta: { stop_reason, stop_sequence: null, usage, ...more }, usage },
    { type: "message_stop" },
  ];
}

export const weather: Data = {
  name: "get_weather",
  description: "The weather at a place, now or on one of the next seven days.",
  input_schema: {
    type: "object",
    properties: {
      city: { type: "string", minLength: 1 },
      days: { type: "integer", minimum: 0, maximum: 7 },
      units: { enum: ["metric", "imperial"] },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["city"],
    additionalProperties: false,
  },
};
export const clock: Data = { name: "get_time", type: "custom", input_schema: { type: "object" } };

export const weatherUse: Data = {
  type: "tool_use",
  id: "toolu_01",
  name: "get_weather",
  input: { city: "Oslo", days: 2, units: "metric", tags: ["wind"] },
};

/** One transparent pixel. */
export const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
