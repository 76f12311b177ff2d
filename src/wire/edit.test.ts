/** Holds the editing of exchanges: one thing changes, and what describes the body stays true. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { jsonRequest, jsonResponse, sseEvent, streamResponse } from "./build.ts";
import { editBody, editEvents, editHeader, editJson, editStatus, editTarget } from "./edit.ts";
import type { Exchange } from "./exchange.ts";

const exchange: Exchange = {
  request: jsonRequest("/v1/x?a=1", [["Authorization", "Bearer k"]], { model: "m", n: 1 }),
  response: jsonResponse({ id: "1" }),
};
const bodyOf = (message: { body: Uint8Array } | null): string => Buffer.from(message!.body).toString("utf8");

describe("a JSON body", () => {
  test("is changed in place or replaced, and the original stays", () => {
    const before = structuredClone(exchange);
    const altered = editJson(exchange, "request", (body: { n: number }) => {
      body.n = 2;
    });
    expect(bodyOf(altered.request)).toBe('{"model":"m","n":2}');
    expect(bodyOf(editJson(exchange, "response", () => [1]).response)).toBe("[1]");
    expect(exchange).toEqual(before);
  });

  test("that was compressed is sent plain, with a true length", () => {
    const body = gzipSync(exchange.response!.body);
    const headers = [
      ["Content-Encoding", "gzip"],
      ["Content-Length", String(body.length)],
    ] as const;
    const packed = { ...exchange, response: { ...exchange.response!, headers, body } };
    const { response } = editJson(packed, "response", (value: { id: string }) => ({ ...value, x: true }));
    expect(bodyOf(response)).toBe('{"id":"1","x":true}');
    expect(response?.headers).toEqual([["Content-Length", "19"]]);
  });

  test("that is none stays as it is", () => {
    const text = editBody(exchange, "response", Buffer.from("no json"));
    expect(editJson(text, "response", () => 1)).toBe(text);
  });
});

test("events are changed one by one, and each is a chunk again", () => {
  const stream: Exchange = {
    ...exchange,
    response: streamResponse([sseEvent({ a: 1 }, "x"), sseEvent("[DONE]")]),
  };
  const { response } = editEvents(stream, (events) => {
    events[0]!.data = { a: 2 };
    return [...events, { data: "late" }];
  });
  const texts = ['event: x\ndata: {"a":2}\n\n', "data: [DONE]\n\n", "data: late\n\n"];
  expect(bodyOf(response)).toBe(texts.join(""));
  expect(response?.chunks?.map(([, length]) => length)).toEqual(texts.map(({ length }) => length));
});

test("a header is set where it stood, added at the end, or removed", () => {
  expect(editHeader(exchange, "request", "authorization", "x").request.headers[0]).toEqual(["authorization", "x"]);
  expect(editHeader(exchange, "request", "new", "x").request.headers.at(-1)).toEqual(["new", "x"]);
  expect(editHeader(exchange, "request", "AUTHORIZATION", undefined).request.headers).toHaveLength(1);
});

test("target and status are replaced; without a response there is none to edit", () => {
  expect(editTarget(exchange, (target) => `${target}&b=2`).request.target).toBe("/v1/x?a=1&b=2");
  expect(editStatus(exchange, 404).response?.status).toBe(404);
  const broken: Exchange = { ...exchange, response: null };
  expect([editStatus(broken, 404), editEvents(broken, () => []), editHeader(broken, "response", "a", "b")]).toEqual([
    broken,
    broken,
    broken,
  ]);
});
