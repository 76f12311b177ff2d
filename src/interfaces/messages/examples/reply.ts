/** Good messages replies: whole, streamed, failed. */

import type { Example } from "../../../check/example.ts";
import { exchangeOf, jsonResponse } from "../../../wire/build.ts";
import {
  answered,
  clock,
  ended,
  failed,
  headers,
  request,
  started,
  streamed,
  textBlock,
  toolBlock,
  weather,
  weatherUse,
} from "./parts.ts";

const clockUse = { type: "tool_use", id: "toolu_02", name: "get_time", input: {} };
const thought = { type: "thinking", thinking: "A greeting.", signature: "c2lnbmVk" };
const thinking = { max_tokens: 4096, thinking: { type: "enabled", budget_tokens: 2048 } };

const whole: readonly Example[] = [
  answered("a natural end", {}, {}),
  answered(
    "cache counters",
    {},
    {
      usage: { input_tokens: 8, output_tokens: 7, cache_creation_input_tokens: 12, cache_read_input_tokens: 3 },
    },
  ),
  answered("an empty reply", {}, { content: [], usage: { input_tokens: 8, output_tokens: 2 } }),
  answered("cut by the token limit", { max_tokens: 7 }, { stop_reason: "max_tokens" }),
  answered(
    "ended by a stop sequence",
    { stop_sequences: ["###"] },
    { stop_reason: "stop_sequence", stop_sequence: "###" },
  ),
  answered(
    "a reply that goes on from what the caller began",
    {
      messages: [
        { role: "user", content: "Name a colour." },
        { role: "assistant", content: "My favourite colour is" },
      ],
    },
    { content: [{ type: "text", text: " blue." }] },
  ),
  answered("thinking aloud", thinking, { content: [thought, { type: "text", text: "Hello!" }] }),
  answered(
    "a tool of the model's choice",
    { tools: [weather], tool_choice: { type: "auto", disable_parallel_tool_use: true } },
    {
      stop_reason: "tool_use",
      content: [{ type: "text", text: "Let me look." }, weatherUse],
    },
  ),
  answered(
    "some tool, one only",
    { tools: [weather], tool_choice: { type: "any", disable_parallel_tool_use: true } },
    {
      stop_reason: "tool_use",
      content: [weatherUse],
    },
  ),
  answered(
    "the named tool, one only",
    {
      tools: [weather, clock],
      tool_choice: { type: "tool", name: "get_weather", disable_parallel_tool_use: true },
    },
    { stop_reason: "tool_use", content: [weatherUse] },
  ),
  answered(
    "two tools at once",
    { tools: [weather, clock], tool_choice: { type: "any" } },
    {
      stop_reason: "tool_use",
      content: [weatherUse, clockUse],
    },
  ),
  answered(
    "a tool call cut by the token limit",
    { tools: [weather], max_tokens: 7 },
    {
      stop_reason: "max_tokens",
      content: [{ ...weatherUse, input: {} }],
    },
  ),
];

const streams: readonly Example[] = [
  streamed("a streamed greeting", {}, [
    started,
    ...textBlock(0, "Hello", "!", " How can I help?"),
    ...ended("end_turn"),
  ]),
  streamed("the least a stream can say", {}, [
    { type: "message_start", message: { id: "msg_02", type: "message", role: "assistant", model: "example-model-3" } },
    { type: "content_block_start", index: 0, content_block: { type: "text" } },
    { type: "content_block_delta", index: 0, delta: { text: "Hi" } },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: {
        stop_reason: "end_turn",
        usage: { input_tokens: 8, output_tokens: 7, cache_creation_input_tokens: 2, cache_read_input_tokens: 1 },
      },
    },
    { type: "message_stop" },
  ]),
  streamed("a stream without content", {}, [started, ...ended("end_turn")]),
  streamed("a stream with pings", {}, [
    started,
    { type: "ping" },
    ...textBlock(0),
    { type: "ping" },
    ...textBlock(1, "Hello"),
    ...ended("max_tokens"),
  ]),
  streamed("a stream ended by a stop sequence", { stop_sequences: ["###"] }, [
    started,
    ...textBlock(0, "Hello"),
    ...ended("stop_sequence", { stop_sequence: "###" }),
  ]),
  streamed("a streamed tool call", { tools: [weather, clock], tool_choice: { type: "any" } }, [
    started,
    ...textBlock(0, "Let me look."),
    ...toolBlock(1, "toolu_01", "get_weather", "", '{"city": "Os', 'lo"}'),
    ...toolBlock(2, "toolu_02", "get_time", ""),
    ...ended("tool_use"),
  ]),
  streamed(
    "one streamed tool call",
    {
      tools: [weather],
      tool_choice: { type: "tool", name: "get_weather", disable_parallel_tool_use: true },
    },
    [started, ...toolBlock(0, "toolu_01", "get_weather", '{"city":"Oslo"}'), ...ended("tool_use")],
  ),
  streamed("a stream that thinks aloud", thinking, [
    started,
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "A greeting." } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2lnbmVk" } },
    { type: "content_block_stop", index: 0 },
    ...textBlock(1, "Hello"),
    ...ended("end_turn"),
  ]),
];

const failures: readonly Example[] = [
  failed("parameters not accepted", 400, {
    type: "invalid_request_error",
    message: "prompt is too long",
    code: "too_long",
  }),
  failed("a key not accepted", 401, {
    type: "authentication_error",
    message: "invalid x-api-key",
    code: "invalid_key",
  }),
  failed("too many calls", 429, { type: "rate_limit_error", message: "slow down", code: "rate_limited" }),
  failed("a failing server", 500, { type: "server_error", message: "try again", code: "internal" }),
  failed("a status beside the listed ones", 529, { type: "server_error", message: "overloaded", code: "overloaded" }),
];

/** Requests broken on purpose, refused as the document says. */
const probes: readonly Example[] = [
  {
    name: "no key",
    probe: true,
    exchange: exchangeOf(
      { ...request(), headers: [...headers.slice(1), ["Content-Type", "application/json"]] },
      jsonResponse(
        { type: "error", error: { type: "authentication_error", message: "x-api-key: missing", code: "missing_key" } },
        401,
      ),
    ),
  },
  {
    name: "no room for an answer",
    probe: true,
    exchange: exchangeOf(
      request({ max_tokens: 0 }),
      jsonResponse(
        {
          type: "error",
          error: { type: "invalid_request_error", message: "max_tokens: too small", code: "too_small" },
        },
        400,
      ),
    ),
  },
];

export const replies: readonly Example[] = [...whole, ...streams, ...failures, ...probes];
