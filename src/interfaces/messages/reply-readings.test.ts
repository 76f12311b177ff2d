/** Each reading that concerns whole replies and errors grades as decided, by default and when strict. */
import { describe, expect, test } from "vitest";
import { editHeader } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { type Data, ended, message, request, started, textBlock, weather, weatherUse } from "./examples/parts.ts";
import { bystanders, failed, faults, graded, type ReadingCase, replied, streamed } from "./judge.test-kit.ts";

const usage = { input_tokens: 8, output_tokens: 7 };
/** The type is left out, and other headers are there. */
const withoutType = (exchange: Exchange): Exchange => ({
  ...exchange,
  response: { ...exchange.response!, headers: [["server", "x"]] },
});
const talk = (...after: Data[]): Exchange => streamed(started, ...textBlock(0, "Hi"), ...after);

const begun = (text: string): Data => ({
  messages: [
    { role: "user", content: "Name a colour." },
    { role: "assistant", content: [{ type: "text", text }] },
  ],
});
const saying = (text: string): Data => ({ content: [{ type: "text", text }] });

const cases: readonly ReadingCase[] = [
  [
    "X-PLAUSIBLE",
    "what the caller began, again",
    replied(begun("My favourite colour is"), saying("My favourite colour is blue.")),
    "plausible.begun-text-not-repeated",
    "warning",
    "error",
  ],
  [
    "X-PLAUSIBLE",
    "the beginning of what the caller began",
    replied(begun("My favourite colour is"), saying("My favourite one.")),
    "plausible.begun-text-not-repeated",
    "off",
    "off",
  ],
  [
    "X-PLAUSIBLE",
    "a short text again",
    replied(begun("Ha ha ha"), saying("Ha ha ha ha!")),
    "plausible.begun-text-not-repeated",
    "off",
    "off",
  ],
  ["M-USAGE", "no cache counters", replied({}, {}), "response.cache-read-required", "off", "error"],
  [
    "M-USAGE",
    "a cache counter of 0",
    replied({}, { usage: { ...usage, cache_creation_input_tokens: 0, cache_read_input_tokens: 2 } }),
    "response.cache-creation-range",
    "off",
    "error",
  ],
  [
    "M-USAGE",
    "a cache counter below 0",
    replied({}, { usage: { ...usage, cache_creation_input_tokens: -1 } }),
    "response.cache-creation-range",
    "error",
    "error",
  ],
  [
    "M-USAGE",
    "output_tokens 0",
    replied({}, { usage: { ...usage, output_tokens: 0 } }),
    "response.output-tokens-range",
    "error",
    "error",
  ],
  [
    "M-THINKING-BLOCK",
    "thinking unasked",
    replied({}, { content: [{ type: "thinking", thinking: "Hm." }] }),
    "response.block-type-values",
    "warning",
    "error",
  ],
  [
    "M-THINKING-BLOCK",
    "thinking asked",
    replied(
      { thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 2048 },
      { content: [{ type: "thinking", thinking: "Hm." }] },
    ),
    "response.block-type-values",
    "note",
    "error",
  ],
  ["M-EMPTY-REPLY", "no block", replied({}, { content: [] }), "response.content-not-empty", "off", "error"],
  [
    "M-EMPTY-REPLY",
    "an empty text block",
    replied({}, { content: [{ type: "text", text: "" }] }),
    "response.text-min-length",
    "error",
    "error",
  ],
  [
    "M-TOOLUSE-STOP",
    "a tool_use block and end_turn",
    replied({ tools: [weather] }, { content: [weatherUse] }),
    "response.tool-use-stops",
    "warning",
    "error",
  ],
  [
    "M-TOOLUSE-STOP",
    "a tool_use block and stop_sequence",
    replied(
      { tools: [weather], stop_sequences: ["#"] },
      { content: [weatherUse], stop_reason: "stop_sequence", stop_sequence: "#" },
    ),
    "response.tool-use-stops",
    "off",
    "error",
  ],
  [
    "M-TOOLUSE-STOP",
    "a tool_use block and max_tokens",
    replied({ tools: [weather] }, { content: [weatherUse], stop_reason: "max_tokens" }),
    "response.tool-use-stops",
    "off",
    "off",
  ],
  [
    "M-TOOLUSE-STOP",
    "tool_use without a block",
    replied({ tools: [weather] }, { stop_reason: "tool_use" }),
    "response.tool-use-reason",
    "error",
    "error",
  ],
  [
    "M-INPUT-SCHEMA",
    "input of another shape",
    replied({ tools: [weather] }, { content: [{ ...weatherUse, input: { city: 4 } }], stop_reason: "tool_use" }),
    "tools.input-fits-schema",
    "warning",
    "error",
  ],
  [
    "M-ERR",
    "an error without code",
    failed(400, { type: "invalid_request_error", message: "no" }),
    "errors.code-required",
    "warning",
    "error",
  ],
  [
    "M-ERR",
    "an error whose code is null",
    failed(400, { type: "invalid_request_error", message: "no", code: null }),
    "errors.code-string",
    "warning",
    "error",
  ],
  [
    "M-ERR",
    "an error without message",
    failed(400, { type: "invalid_request_error", code: "no" }),
    "errors.message-required",
    "error",
    "error",
  ],
  [
    "M-ERR",
    "a type of another status",
    failed(400, { type: "server_error", message: "no", code: "no" }),
    "errors.bad-request-type",
    "warning",
    "error",
  ],
  [
    "M-ERR",
    "a status that is not listed",
    failed(413, { type: "invalid_request_error", message: "no", code: "no" }),
    "errors.status-range",
    "off",
    "off",
  ],
  [
    "X-OPEN-ENUM",
    "an error type that is not listed",
    failed(404, { type: "not_found_error", message: "no", code: "no" }),
    "errors.type-values",
    "error",
    "error",
  ],
  [
    "M-STOP-TEXT",
    "text with its stop sequence",
    replied(
      { stop_sequences: ["#"] },
      { content: [{ type: "text", text: "Hi#" }], stop_reason: "stop_sequence", stop_sequence: "#" },
    ),
    "response.stop-sequence-excluded",
    "off",
    "warning",
  ],
  [
    "X-EXTRA",
    "an unknown member of a reply",
    replied({}, { mood: "fine" }),
    "response.unknown-members",
    "off",
    "warning",
  ],
  [
    "X-CT-RESPONSE",
    "JSON under text/plain",
    editHeader(replied({}, {}), "response", "content-type", "text/plain"),
    "response.media-type",
    "warning",
    "error",
  ],
  [
    "X-CT-RESPONSE",
    "a stream without a type",
    withoutType(talk(...ended("end_turn"))),
    "response.media-type",
    "warning",
    "error",
  ],
  ["X-MODEL-ECHO", "another model", replied({}, { model: "other" }), "response.model-echo", "off", "warning"],
  [
    "X-MODEL-ECHO",
    "a stream of another model",
    streamed({ type: "message_start", message: message({ model: "other" }) }),
    "response.model-echo",
    "off",
    "warning",
  ],
  [
    "X-CHARS",
    "the longest text in more UTF-16 units",
    replied({}, { content: [{ type: "text", text: `\u{1F600}${"x".repeat(4_999_999)}` }] }),
    "response.text-max-length",
    "note",
    "error",
  ],
];

test("more tokens than allowed are an error, whole and streamed", () => {
  const over = ["response.output-within-max-tokens error"];
  expect(faults(replied({ max_tokens: 6 }, {}))).toEqual(over);
  expect(faults({ ...talk(...ended("end_turn")), request: request({ stream: true, max_tokens: 6 }) })).toEqual(over);
});

describe("readings", () => {
  test.each(cases)("%s: %s", (...one) => {
    expect(graded(one)).toEqual([one[4], one[5]]);
  });

  test.each(cases.filter(([, , , , byDefault]) => byDefault !== "off"))("%s: %s breaks nothing else", (...one) => {
    expect(bystanders(one)).toEqual([]);
  });
});
