/** Streams as they come: what is legal passes, one departure from the order is one fault. */
import { describe, expect, test } from "vitest";
import { replaceText } from "../../../replace-text.test-kit.ts";
import { streamResponse, utf8 } from "../../../wire/build.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { type Data, ended, request, started, textBlock, toolBlock, weather } from "../examples/parts.ts";
import { faults, judgementOf, streamed } from "../judge.test-kit.ts";

const events = [started, ...textBlock(0, "Hel", "lo"), ...textBlock(1, "World"), ...ended("end_turn")];
const written = (text: string, more: Partial<Exchange> = {}): Exchange => ({
  request: request({ stream: true }),
  response: streamResponse([text]),
  ...more,
});
const asText = (all: readonly Data[], line = "\n"): string =>
  all.map((data) => `event: ${data["type"]}${line}data: ${JSON.stringify(data)}${line}${line}`).join("");

describe("legal streams", () => {
  test.each([
    ["event lines", written(asText(events))],
    ["CRLF", written(asText(events, "\r\n"))],
    ["comments and ids", written(`: hello\n\nid: 1\nretry: 5\n${asText(events)}: bye\n\n`)],
    ["a byte order mark", written(`\uFEFF${asText(events)}`)],
    [
      "pings first, between and last",
      streamed({ type: "ping" }, started, { type: "ping" }, ...events.slice(1), { type: "ping" }),
    ],
    ["events of types nobody knows", streamed(started, { type: "weather_report", sun: true }, ...events.slice(1))],
    ["blocks without deltas", streamed(started, ...textBlock(0), ...textBlock(1), ...ended("end_turn"))],
    ["unknown members everywhere", streamed(...events.map((event) => ({ ...event, extra: { nested: null } })))],
  ])("%s", (_name, exchange) => {
    expect(faults(exchange)).toEqual([]);
  });

  test("without event lines nothing but these is missed", () => {
    const bare = replaceText(asText(events), /^event: .*\n/gm, "");
    expect([...new Set(faults(written(bare)))]).toEqual(["streaming.event-line-present warning"]);
  });

  test("an aborted stream owes no end", () => {
    expect(faults({ ...streamed(...events.slice(0, 4)), aborted: "client" })).toEqual([]);
  });

  test("an error in mid-stream ends what is demanded", () => {
    expect(faults(streamed(...events.slice(0, 3), { type: "error", error: { type: "server_error" } }))).toEqual([]);
  });
});

test("an event that nobody can read is one fault, whatever the call it cut off lacks", () => {
  const input = { type: "content_block_delta", index: 0, delta: "{" };
  const unreadable = replaceText(asText([started, toolBlock(0, "toolu_01", "get_weather")[0]!, input]), '"{"', '"{');
  const exchange = {
    ...written(unreadable + asText(ended("tool_use"))),
    request: request({ stream: true, tools: [weather] }),
  };
  expect(faults(exchange)).toEqual(["streaming.events-json error"]);
});

describe("one departure is one fault", () => {
  const without = (at: number): Data[] => events.filter((_, i) => i !== at);
  const swapped = (a: number): Data[] =>
    events.map((event, i) => (i === a ? events[a + 1]! : i === a + 1 ? events[a]! : event));
  test.each([
    ["no message_start", without(0), "starts-with-message-start"],
    ["no start of the first block", without(1), "delta-in-block"],
    ["no stop of the first block", without(4), "block-stopped"],
    ["no stop of the last block", without(7), "block-stopped"],
    ["no message_delta", without(8), "message-delta-present"],
    ["no message_stop", without(9), "message-stop-present"],
    ["the first block before message_start", swapped(0), "starts-with-message-start"],
    ["a delta before its block", swapped(1), "delta-in-block"],
    ["a delta behind its block", swapped(3), "delta-in-block"],
    ["message_delta before the last stop", swapped(7), "block-stopped"],
    ["message_stop before message_delta", swapped(8), "message-delta-present"],
    [
      "a block opened inside another",
      [...events.slice(0, 3), ...events.slice(5, 7), events[3]!, events[4]!, ...events.slice(7)],
      "block-stopped",
    ],
  ])("%s", (_name, all, clause) => {
    const errors = faults(streamed(...all)).filter((line) => line.endsWith(" error"));
    expect(errors.slice(0, 1)).toEqual([`streaming.${clause} error`]);
  });

  test("a stream without any event lacks its end", () => {
    expect(faults(written(": nothing\n\n"))).toEqual(["streaming.message-stop-present error"]);
  });

  test.each([
    ["an index that is no integer", 2, { index: 0.5 }, "streaming.block-delta-index-type"],
    [
      "a null usage and no other",
      8,
      { delta: { stop_reason: "end_turn", usage: null }, usage: undefined },
      "streaming.usage-required",
    ],
  ])("%s", (_name, at, change, clause) => {
    const all = events.map((event, i) => (i === at ? { ...event, ...change } : event));
    expect(faults(streamed(...all)).filter((line) => line.endsWith(" error"))).toEqual([`${clause} error`]);
  });

  test("ten thousand blocks that never stop are one fault each, found in no time", () => {
    const blocks = Array.from({ length: 10_000 }, (_, index) => textBlock(index)[0]!);
    const { groups } = judgementOf(streamed(started, ...blocks, ...ended("end_turn")));
    expect(groups).toMatchObject([{ clause: "messages.streaming.block-stopped", level: "error", count: 10_000 }]);
  });
});

describe("a stream put together means the same as a whole reply", () => {
  const calling = (...blocks: Data[][]): Exchange => ({
    ...streamed(started, ...blocks.flat(), ...ended("tool_use")),
    request: request({ stream: true, tools: [weather], tool_choice: { type: "any", disable_parallel_tool_use: true } }),
  });
  test.each([
    ["one call", calling(toolBlock(0, "a", "get_weather", '{"ci', 'ty":"Oslo"}')), []],
    [
      "two calls where one is allowed",
      calling(toolBlock(0, "a", "get_weather", '{"city":"O"}'), toolBlock(1, "b", "get_weather", '{"city":"P"}')),
      ["tools.choice-any-exactly-one error"],
    ],
    [
      "one id twice",
      calling(toolBlock(0, "a", "get_weather", '{"city":"O"}'), toolBlock(1, "a", "get_weather", '{"city":"P"}')),
      ["response.tool-use-id-unique error", "tools.choice-any-exactly-one error"],
    ],
    ["a tool nobody declared", calling(toolBlock(0, "a", "get_time", "{}")), ["tools.called-tool-declared error"]],
    [
      "input of another shape",
      calling(toolBlock(0, "a", "get_weather", '{"city":', "4}")),
      ["tools.input-fits-schema warning"],
    ],
    [
      "input that is no JSON",
      calling(toolBlock(0, "a", "get_weather", '{"city":')),
      ["streaming.input-json-object warning"],
    ],
    [
      "talk where a call is demanded",
      calling(textBlock(0, "No.")),
      ["response.tool-use-reason error", "tools.choice-any-uses-tool error"],
    ],
  ])("%s", (_name, exchange, expected) => {
    expect(faults(exchange).sort()).toEqual([...expected].sort());
  });
});

test("a stream of bytes that are no UTF-8 is judged", () => {
  const { request: asking, response } = written("");
  const body = Buffer.concat([utf8("data: {"), Buffer.from([0xff, 0xfe, 0xc3]), utf8("\n\n")]);
  expect(faults({ request: asking, response: { ...response!, body } })).toContain("streaming.events-json error");
});

test.each(["", "<h1>Hello</h1>"])("%j is no stream", (text) => {
  const { request: asking, response } = written(text);
  const exchange = { request: asking, response: { ...response!, headers: [["content-type", "text/html"]] as const } };
  expect(faults(exchange)).toEqual(["streaming.stream-when-asked error"]);
});
