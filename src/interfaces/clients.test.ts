/** A clause that official clients cannot do without warns by default, is an error if X-CLIENTS is strict, and accuses nobody else. */
import { expect, test } from "vitest";
import { lenient, type Policy } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { editStatus } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { openCatalogue } from "./catalogue.ts";
import { chunk } from "./chat-completions/examples/stream.ts";
import { calls, first, said, stream, weather } from "./chat-completions/readings.test-kit.ts";
import { streamed as chat } from "./chat-completions/response.test-kit.ts";
import { examples } from "./examples.ts";
import * as content from "./generate-content/readings.test-kit.ts";
import { ended, started, textBlock } from "./messages/examples/parts.ts";
import { streamed as message } from "./messages/judge.test-kit.ts";

const catalogue = await openCatalogue();
const strict: Policy = { strict: new Set(["X-CLIENTS"]), openEnums: false };

/** Found of blocks that think aloud, whoever reads them. */
const undocumented = new Set(["messages.response.block-type-values"]);
/** The clauses that are found at warning level or above. */
const found = (exchange: Exchange, policy: Policy, probe = false): string[] =>
  judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy, side: "response", probe })
    .findings.filter(({ clause, level }) => level !== "note" && !undocumented.has(clause))
    .map(({ clause, level }) => `${clause} ${level}`);

const piece = (call: object): object => chunk({ tool_calls: [call] });
const called = (...pieces: object[]): Exchange =>
  chat(weather, [chunk({ role: "assistant", content: null }), ...pieces.map(piece), chunk({}, "tool_calls"), "[DONE]"]);
const start = (index: unknown, id: string, name = "get_weather"): object => ({
  ...(index !== undefined && { index }),
  id,
  type: "function",
  function: { name, arguments: '{"city":"Oslo"}' },
});
const cut = (exchange: Exchange, by: "client" | "upstream" = "upstream"): Exchange => ({ ...exchange, aborted: by });
const delta = (more: object, block: object = { type: "text", text: "" }): Exchange =>
  message(
    started,
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta: { text: "Hi", ...more } },
    { type: "content_block_stop", index: 0 },
    ...ended("end_turn"),
  );
const unnamed = (exchange: Exchange): Exchange => {
  const body = replaceText(Buffer.from(exchange.response!.body).toString(), /^event: .*\n/gm, "");
  const { chunks: _chunks, ...response } = exchange.response!;
  return { ...exchange, response: { ...response, body: Buffer.from(body) } };
};
const told = (usageMetadata: object): Exchange =>
  content.ask({}, content.reply([content.candidate()], { usageMetadata }));
const events = (...ids: string[]): Exchange =>
  content.streamed(
    ...ids.map((responseId, i) => ({
      candidates: [content.candidate(i === ids.length - 1 ? {} : { finishReason: undefined })],
      responseId,
    })),
  );
const refused = (of: string, status: number): Exchange =>
  editStatus(
    examples[of]!.find(({ probe, exchange }) => probe && (exchange.response?.status ?? 0) >= 400)!.exchange,
    status,
  );

test.each<[string, Exchange, string]>([
  [
    "a tool call without index",
    called(start(undefined, "a")),
    "chat-completions.streaming.delta-tool-call-index-required",
  ],
  [
    "two tool calls of one index",
    called(start(0, "a"), start(0, "b")),
    "chat-completions.streaming.delta-tool-call-index-distinct",
  ],
  ["stop after a tool call", said(calls, weather, "stop"), "chat-completions.response.tool-calls-finish-reason"],
  ["a body that goes on after [DONE]", cut(stream(first, chunk({}, "stop"))), "chat-completions.streaming.body-ends"],
  [
    "events without names",
    unnamed(message(started, ...textBlock(0, "Hi"), ...ended("end_turn"))),
    "messages.streaming.event-line-present",
  ],
  ["a delta without type", delta({}), "messages.streaming.delta-type"],
  ["text in a delta of another type", delta({ type: "text" }), "messages.streaming.delta-type"],
  ["a body that goes on after message_stop", cut(delta({ type: "text_delta" })), "messages.streaming.body-ends"],
  ["another responseId", events("r", "s"), "generate-content.streaming.response-id-constant"],
  ["a body that goes on after the last finishReason", cut(events("r")), "generate-content.streaming.body-ends"],
  [
    "a total beyond its parts",
    told({ promptTokenCount: 2, candidatesTokenCount: 3, totalTokenCount: 6 }),
    "generate-content.response.total-token-parts",
  ],
  [
    "a total without the thoughts",
    told({ promptTokenCount: 2, candidatesTokenCount: 3, thoughtsTokenCount: 4, totalTokenCount: 5 }),
    "generate-content.response.total-token-parts",
  ],
])("%s", (_what, exchange, clause) => {
  const one = (policy: Policy) => [...new Set(found(exchange, policy))];
  expect(one(lenient)).toEqual([`${clause} warning`]);
  expect(one(strict)).toEqual([`${clause} error`]);
});

test("a stream without finishReason", () => {
  const exchange = content.streamed({ candidates: [content.candidate({ finishReason: undefined })] });
  const clause = "generate-content.streaming.finish-reason-last";
  expect(found(exchange, lenient)).toEqual([`${clause} warning`]);
  expect(found(exchange, strict)).toEqual([`${clause} error`]);
  expect(found(exchange, { strict: new Set(["G-STREAM-PAYLOAD"]), openEnums: false })).toContain(`${clause} error`);
});

test.each(["chat-completions", "images"])("a bad request of %s answered with 500", (of) => {
  const clause = `${of}.errors.bad-request-status`;
  expect(found(refused(of, 500), lenient, true)).toEqual([`${clause} warning`]);
  expect(found(refused(of, 500), strict, true)).toEqual([`${clause} error`]);
  for (const status of [400, 422, 503]) expect(found(refused(of, status), strict, true)).toEqual([]);
});

test.each<[string, Exchange]>([
  [
    "an id that comes again with every piece",
    called(start(0, "a"), { index: 0, id: "a", function: { arguments: "" } }),
  ],
  ["an id that changes, of one call", called(start(0, "a"), { index: 0, id: "b", function: { arguments: "" } })],
  ["two calls with indexes of their own", called(start(0, "a"), start(1, "b"))],
  ["a client that left after [DONE]", cut(stream(first, chunk({}, "stop")), "client")],
  [
    "a thought's delta",
    delta({ text: undefined, type: "thinking_delta", thinking: "Hm." }, { type: "thinking", thinking: "" }),
  ],
  ["a total whose prompt is not told", told({ candidatesTokenCount: 3, totalTokenCount: 600 })],
  ["one responseId", events("r", "r")],
  ["no tool call at all", said({ content: "Hi." })],
])("nothing is found of %s", (_what, exchange) => {
  expect(found(exchange, strict)).toEqual([]);
});
