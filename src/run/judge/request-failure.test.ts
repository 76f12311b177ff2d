import { expect, test } from "vitest";
import type { WireResponse } from "../../wire/exchange.ts";
import { errorDespiteSuccess, isStreamed, valuesIn } from "./request-failure.ts";

const answer = (body: string, type?: string): WireResponse => ({
  status: 200,
  headers: type === undefined ? [] : [["Content-Type", type]],
  body: Buffer.from(body),
  chunks: [[0, body.length]],
});

test("a stream is read as one by how it begins, whatever type it has or has not, and one object is none", () => {
  const stream = 'data: {"a":1}\n\ndata: {"a":2}\n\ndata: [DONE]\n\n';
  for (const type of [undefined, "text/plain; charset=utf-8", "application/json", "text/event-stream"]) {
    const response = answer(stream, type);
    expect([isStreamed(response), valuesIn({ response })]).toEqual([true, [{ a: 1 }, { a: 2 }]]);
  }
  const response = answer('{"a":1}');
  expect([isStreamed(response), valuesIn({ response }), isStreamed(null)]).toEqual([false, [{ a: 1 }], false]);
});

test.each([
  ["application/x-ndjson", '{"a":1}\n\n{"a":2}\n{broken\n'],
  ["application/jsonl; charset=utf-8", '{"a":1}\r\n{"a":2}'],
  ["application/json-seq", '\x1e{"a":1}\n\x1e{"a":2}\n'],
])("the lines of %s are events", (type, body) => {
  const response = answer(body, type);
  expect([isStreamed(response), valuesIn({ response })]).toEqual([true, [{ a: 1 }, { a: 2 }]]);
});

test.each([
  ["an error of its own", "The model broke.", true, "server-error", undefined],
  ["too much to do", "overloaded_error", true, "rate-limited", undefined],
  ["that streams are not supported", "Streaming is not supported.", false, "refused", true],
  ["that something is not supported, behind a text", "Streaming is not supported.", true, "server-error", undefined],
])("a stream that ends in an error event is no answer: %s", (_, message, hasContent, kind, notOffered) => {
  const request = { method: "POST", target: "/v1/messages?a=b", headers: [], body: Buffer.from("") };
  const stream = answer(`data: {"a":1}\n\ndata: {"error":{"message":"${message}"}}\n\n`, "text/event-stream");
  const told = errorDespiteSuccess(request, stream, hasContent);
  expect([told.kind, told.notOffered]).toEqual([kind, notOffered]);
  expect(told.problem).toContain("POST /v1/messages was answered with status 200, and a stream that ends in an error");
});
