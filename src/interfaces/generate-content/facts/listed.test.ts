/** A streamed reply that comes as one list reads as the same reply in events. */
import { expect, test } from "vitest";
import { namesFrom } from "../../../check/names.ts";
import { routeOf } from "../../../check/route.ts";
import { readSubject } from "../../../check/subject.ts";
import { jsonRequest, utf8 } from "../../../wire/build.ts";
import type { ChunkMark, Exchange } from "../../../wire/exchange.ts";
import { interfaces } from "../../index.ts";
import { answerFacts } from "./answer.ts";
import { withListedEvents } from "./listed.ts";

const request = jsonRequest("/v1beta/models/m:streamGenerateContent", [], { contents: [] });
const event = (text: string, more: object = {}): string =>
  JSON.stringify({ candidates: [{ index: 0, content: { parts: [{ text }], role: "model" }, ...more }] }, null, 2);

function listOf(pieces: readonly string[], type = "application/json"): Exchange {
  const bytes = pieces.map(utf8);
  const chunks = bytes.map((one, i): ChunkMark => [10 * (i + 1), one.length]);
  return { request, response: { status: 200, headers: [["content-type", type]], body: Buffer.concat(bytes), chunks } };
}

function factsOf(exchange: Exchange) {
  const read = withListedEvents(exchange);
  const route = routeOf(interfaces, read.request.method, read.request.target)!;
  return answerFacts(readSubject(read, route, namesFrom({})));
}

test("texts with brackets and quotes, an end, and times of their pieces", () => {
  const pieces = [
    `[${event('a ] } "b" \\')}`,
    `,\r\n${event("{c")}`,
    `,\r\n${event("d", { finishReason: "STOP" })}\n]`,
  ];
  const facts = factsOf(listOf(pieces));
  expect(facts).toMatchObject({ streamed: true, ended: true, times: [10, 20, 30] });
  expect(facts!.choices[0]!.parts).toEqual([{ kind: "text", text: 'a ] } "b" \\{cd' }]);
});

test("a list that breaks off is read as far as its items are whole", () => {
  const facts = factsOf(listOf([`[${event("a")}`, `,\r\n${event("b").slice(0, 20)}`]));
  expect(facts).toMatchObject({ streamed: true, ended: false });
  expect(facts!.choices[0]!.parts).toEqual([{ kind: "text", text: "a" }]);
});

test.each([
  ["a stream of events", listOf(["data: {}\n\n"], "text/event-stream")],
  ["an empty list", listOf(["[]"])],
  ["one object", listOf([event("a")])],
])("%s stays as it is", (_, exchange) => expect(withListedEvents(exchange)).toBe(exchange));
