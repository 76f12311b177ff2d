/** Each reading that concerns streams grades as decided, by default and when strict. */
import { describe, expect, test } from "vitest";
import { editEvents } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { type Data, ended, message, started, textBlock } from "./examples/parts.ts";
import { bystanders, graded, type ReadingCase, streamed } from "./judge.test-kit.ts";

const usage = { input_tokens: 8, output_tokens: 7 };
const end = (event: Data): Data[] => [{ type: "message_delta", ...event }, { type: "message_stop" }];
const talk = (...after: Data[]): Exchange => streamed(started, ...textBlock(0, "Hi"), ...after);
const deltaOf = (delta: Data): Exchange =>
  streamed(
    started,
    { type: "content_block_start", index: 0, content_block: { type: "text" } },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    ...ended("end_turn"),
  );
const named = (exchange: Exchange, event: string): Exchange =>
  editEvents(exchange, (all) => void Object.assign(all[0]!, { event }));

const cases: readonly ReadingCase[] = [
  [
    "M-DELTA-SHAPE",
    "a delta with its type",
    deltaOf({ type: "text_delta", text: "Hi" }),
    "streaming.described-members",
    "off",
    "warning",
  ],
  [
    "X-SSE",
    "an event line of another type",
    named(talk(...ended("end_turn")), "message"),
    "streaming.event-line",
    "warning",
    "error",
  ],
  [
    "X-STREAM-ERROR",
    "an error in mid-stream",
    streamed(started, { type: "error", error: { type: "server_error" } }),
    "streaming.error-event",
    "note",
    "error",
  ],
  [
    "M-START-FIELDS",
    "no stop_reason at the start",
    streamed(
      { type: "message_start", message: { id: "m", type: "message", role: "assistant", model: "x" } },
      ...textBlock(0, "Hi"),
      ...ended("end_turn"),
    ),
    "streaming.start-stop-reason-present",
    "off",
    "error",
  ],
  [
    "M-START-FIELDS",
    "a stop_reason at the start",
    streamed({ type: "message_start", message: message({ content: [] }) }, ...textBlock(0, "Hi"), ...ended("end_turn")),
    "streaming.start-stop-reason-null",
    "error",
    "error",
  ],
  [
    "M-DELTA-USAGE",
    "usage beside delta",
    talk(...end({ delta: { stop_reason: "end_turn" }, usage })),
    "streaming.usage-place",
    "note",
    "error",
  ],
  [
    "M-DELTA-USAGE",
    "no usage",
    talk(...end({ delta: { stop_reason: "end_turn" } })),
    "streaming.usage-required",
    "error",
    "error",
  ],
  [
    "M-DELTA-USAGE",
    "no output_tokens",
    talk(...end({ delta: { stop_reason: "end_turn", usage: { input_tokens: 8 } } })),
    "streaming.output-tokens-required",
    "error",
    "error",
  ],
  [
    "M-DELTA-USAGE",
    "no input_tokens",
    talk(...end({ delta: { stop_reason: "end_turn", usage: { output_tokens: 7 } } })),
    "streaming.input-tokens-required",
    "warning",
    "error",
  ],
  [
    "M-DELTA-STOP",
    "stop_reason null at the end",
    talk(...end({ delta: { stop_reason: null, usage } })),
    "streaming.stop-reason-not-null",
    "error",
    "error",
  ],
  ["M-DELTA-SHAPE", "a text delta without text", deltaOf({}), "streaming.delta-text-required", "error", "error"],
  [
    "M-DELTA-SHAPE",
    "a delta of another kind in a text block",
    deltaOf({ type: "citations_delta", citation: {} }),
    "streaming.delta-text-required",
    "warning",
    "error",
  ],
  [
    "M-EMPTY-REPLY",
    "no block in a stream",
    streamed(started, ...ended("end_turn")),
    "streaming.block-cycle",
    "off",
    "error",
  ],
  ["M-PING", "a ping", talk({ type: "ping" }, ...ended("end_turn")), "streaming.event-types", "note", "error"],
  [
    "M-INDEX",
    "blocks counted from 1",
    streamed(started, ...textBlock(1, "Hi"), ...ended("end_turn")),
    "streaming.index-sequence",
    "warning",
    "error",
  ],
  [
    "M-DONE",
    "[DONE] at the end",
    editEvents(talk(...ended("end_turn")), (all) => void all.push({ data: "[DONE]" })),
    "streaming.done",
    "warning",
    "error",
  ],
];

describe("readings", () => {
  test.each(cases)("%s: %s", (...one) => {
    expect(graded(one)).toEqual([one[4], one[5]]);
  });

  test.each(cases.filter(([, , , , byDefault]) => byDefault !== "off"))("%s: %s breaks nothing else", (...one) => {
    expect(bystanders(one)).toEqual([]);
  });
});
