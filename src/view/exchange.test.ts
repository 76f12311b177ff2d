/** Shows that what a page gets of an exchange is all there is to see, and bounded. */

import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readCassette } from "../cassette/read.ts";
import { interfaces } from "../interfaces/index.ts";
import { formRequest, jsonRequest, jsonResponse, sseEvent, streamResponse, utf8 } from "../wire/build.ts";
import type { Exchange, WireResponse } from "../wire/exchange.ts";
import { resolvePointer } from "../wire/pointer.ts";
import { pixelPng } from "../wire/sample-files.ts";
import { bounds } from "./bounds.ts";
import { viewedExchange } from "./exchange.ts";
import type { ViewedBody, ViewedExchange } from "./viewed.ts";

const at = { source: "a.json", exchange: 0 };
const request = jsonRequest("/v1/chat/completions?a=b", [], { model: "m", messages: [] });
const view = (response: WireResponse | null, rest: Partial<Exchange> = {}): ViewedExchange =>
  viewedExchange({ request, response, ...rest }, at, interfaces);

const answer = (body: string | Uint8Array, type = "application/json", coding?: string): WireResponse => ({
  status: 200,
  headers: [["content-type", type], ...(coding === undefined ? [] : [["content-encoding", coding] as const])],
  body: typeof body === "string" ? utf8(body) : body,
});

/** The body, of the kind that is meant. */
function bodyOf<K extends ViewedBody["kind"]>({ response }: ViewedExchange, kind: K): Extract<ViewedBody, { kind: K }> {
  const body = response?.body;
  expect(body?.kind).toBe(kind);
  return body as Extract<ViewedBody, { kind: K }>;
}

test("JSON keeps its white space, its repeated members and its numbers as they were written", () => {
  const text = '{ "a": 1.0,\n "a": 12345678901234567890 }';
  expect(bodyOf(view(answer(text)), "json")).toEqual({ kind: "json", text });
});

test("a content encoding is undone, and bytes that cannot be decoded are shown as such", () => {
  expect(bodyOf(view(answer(gzipSync('{"a":1}'), "application/json", "gzip")), "json").text).toBe('{"a":1}');
  expect(bodyOf(view(answer("{}", "application/json", "gzip")), "bytes").hex).toBe("7b7d");
});

test("bytes that are not UTF-8 are told one by one, in bodies and in events", () => {
  const bytes = Buffer.concat([utf8('{"a":"é'), Buffer.from([0xff, 0xc3]), utf8('"}')]);
  const { text, broken } = bodyOf(view(answer(bytes)), "json");
  expect({ text, broken }).toEqual({
    text: '{"a":"é\ufffd\ufffd"}',
    broken: [
      [7, 0xff],
      [8, 0xc3],
    ],
  });
  const stream = Buffer.concat([utf8("data: {}\n\ndata: "), bytes, utf8("\n\n")]);
  const { events } = bodyOf(view(answer(stream, "text/event-stream")), "stream");
  expect(events.map((event) => event.broken)).toEqual([undefined, broken]);
});

test.each([0, 1, 2, 3, 4, 5])(
  "the two ends of a long string are kept, and how much lies between, %i characters on",
  (n) => {
    const string = `${"-".repeat(n)}${"é\\u000a".repeat(50_000)}end`;
    const body = bodyOf(view(answer(`{"a":"${string}","b":1}`)), "json");
    expect(body.text.length).toBeLessThan(bounds.string + 100);
    expect(body.text).toMatch(/end","b":1}$/);
    const [[cut, left]] = body.cuts as [readonly [number, number]];
    expect(body.text.length + left).toBe(string.length + 14);
    // The rest is JSON, and no half of an escape became text.
    expect(JSON.parse(body.text).a.replaceAll("é\n", "")).toBe(`${"-".repeat(n)}end`);
    expect(string.startsWith(body.text.slice(6, cut))).toBe(true);
  },
);

const many = 400_000;
test.each([
  ["nesting", "[".repeat(many) + "]".repeat(many)],
  ["nesting that does not end", '{"a":'.repeat(many)],
  ["values between it", '["a",1,'.repeat(many)],
  ["numbers, then a long string", `["a",${"1,".repeat(many)}"${"b".repeat(70_000)}"]`],
])("a body of any shape is held within its bound: %s", (_, body) => {
  expect(bodyOf(view(answer(body)), "json").text.length).toBeLessThan(1.1 * bounds.body);
});

test("an image that claims to be huge, or is, is not handed to a browser", () => {
  const huge = Buffer.from(pixelPng, "base64");
  huge.writeUInt32BE(60_000, 16);
  huge.writeUInt32BE(60_000, 20);
  expect(bodyOf(view(answer(huge, "image/png")), "image").image).toEqual({
    format: "png",
    width: 60_000,
    height: 60_000,
    alpha: true,
    bytes: huge.length,
  });
});

test("events come with the time of their last byte, whatever pieces they came in", () => {
  const chunks = ['data: {"a":1}\n', "\nda", "ta: 2\n\n", "data: torn"];
  const body = utf8(chunks.join(""));
  const response = {
    ...answer(body, "text/event-stream"),
    chunks: chunks.map((text, i) => [10 * i, text.length] as const),
  };
  const stream = bodyOf(view(response), "stream");
  expect(stream.events.map(({ time, text }) => [time, text])).toEqual([
    [10, '{"a":1}'],
    [20, "2"],
    [30, "torn"],
  ]);
  expect(stream.events[2]!.problem).toMatch(/^Unexpected token/);
  expect(stream.terminated).toBe(false);
});

test("the first and the last of very many events are listed, and those that findings name", () => {
  const response = streamResponse(Array.from({ length: 9_000 }, (_, i) => sseEvent({ i })));
  const wanted = viewedExchange({ request, response }, at, interfaces, { events: new Set([5_000]) });
  const { count, events } = bodyOf(wanted, "stream");
  const listed = new Set(events.map(({ position }) => position));
  expect(count).toBe(9_000);
  expect(listed.size).toBeLessThanOrEqual(bounds.events);
  expect([0, 5_000, 8_999].every((position) => listed.has(position))).toBe(true);
});

test("a form shows its texts, its images by their facts, and other files by their first bytes", () => {
  const form = formRequest(
    "/v1/images/edits",
    [],
    [
      ["prompt", "a ‮lamp"],
      ["image", { filename: "a.png", contentType: "image/png", bytes: Buffer.from(pixelPng, "base64") }],
      ["file", { filename: "b.bin", bytes: Buffer.from([0, 1, 2]) }],
    ],
  );
  const { body } = viewedExchange({ request: form, response: null }, at, interfaces).request;
  expect(body).toMatchObject({
    kind: "form",
    count: 3,
    fields: [
      { name: "prompt", value: { text: "a ‮lamp" } },
      {
        name: "image",
        filename: "a.png",
        contentType: "image/png",
        image: { format: "png", width: 1, data: pixelPng },
      },
      { name: "file", filename: "b.bin", hex: "000102" },
    ],
  });
});

test("bodies that are neither JSON nor text, and those that should have been JSON, say so", () => {
  expect(bodyOf(view(answer("{'a'}")), "text").problem).toContain("JSON");
  expect(bodyOf(view(answer("hello", "text/plain")), "text").problem).toBeUndefined();
  expect(bodyOf(view(answer(Buffer.alloc(20))), "bytes").hex).toBe("00".repeat(20));
});

/** The texts that the pieces of every part make together. */
function wordsOf({ replyParts, response }: ViewedExchange): string[] {
  const body = response?.body;
  const sent = (event: number | undefined): unknown =>
    JSON.parse(body?.kind === "stream" ? body.events[event!]!.text : (body as { text: string }).text);
  return (replyParts ?? []).map(({ kind, name, pieces }) => {
    const texts = pieces.map(({ event, pointer }) => resolvePointer(sent(event), pointer));
    return `${kind}${name === undefined ? "" : ` ${name}`}: ${texts.map((one) => (typeof one === "object" ? JSON.stringify(one) : one)).join("")}`;
  });
}

test.each([
  ["chat-completions/streaming/two-tool-calls", ["call get_weather: {", "call get_time: {", "end: tool_calls"]],
  ["chat-completions/tools/named-function", ["call get_weather: {", "end: "]],
  ["chat-completions/streaming/text", ["text: Hello from the", "end: stop"]],
  ["messages/streaming/tool-use", ["call get_weather: {", "end: tool_use"]],
  ["messages/response/text", ["text: You said: What", "end: end_turn"]],
  ["generate-content/streaming/function-call", ["call get_weather: {", "end: STOP"]],
])("the reply of %s is put together from its pieces", async (name, parts) => {
  const { exchanges } = await readCassette(`recordings/${name}.json`);
  const words = wordsOf(viewedExchange(exchanges[0]!.exchange, at, interfaces));
  expect(words).toEqual(parts.map((part) => expect.stringContaining(part)));
});

test("thoughts, blocks under way at the same time, and a reply that breaks off are put together as far as they came", () => {
  const block = (index: number, type: string) => ({ type: "content_block_start", index, content_block: { type } });
  const delta = (index: number, member: string, text: string) =>
    sseEvent({ type: "content_block_delta", index, delta: { [member]: text } });
  const response = streamResponse([
    sseEvent(block(0, "thinking")),
    delta(0, "thinking", "so "),
    sseEvent(block(1, "text")),
    delta(1, "text", "it "),
    delta(0, "thinking", "what"),
    delta(1, "text", "is"),
  ]);
  const asked = jsonRequest("/v1/messages", [], {});
  expect(wordsOf(viewedExchange({ request: asked, response, aborted: "upstream" }, at, interfaces))).toEqual([
    "thinking: so what",
    "text: it is",
  ]);
});

test("the first hundred of thousands of alternatives are read", () => {
  const choice = (index: number) => ({ index, message: { role: "assistant", content: "hi" }, finish_reason: "stop" });
  const { replyParts } = view(jsonResponse({ id: "c", choices: Array.from({ length: 3000 }, (_, i) => choice(i)) }));
  expect(replyParts?.filter(({ kind }) => kind === "text")).toHaveLength(100);
});
