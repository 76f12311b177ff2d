import { expect, test } from "vitest";
import type { WireResponse } from "../wire/exchange.ts";
import { isStreamed, valuesIn } from "./incident.ts";

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
