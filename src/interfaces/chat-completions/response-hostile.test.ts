import fc from "fast-check";
import { expect, test } from "vitest";
import { lenient } from "../../check/clause.ts";
import { fuzz } from "../../dev/random.test-kit.ts";
import { sseEvent } from "../../wire/build.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { parseEvents } from "../../wire/sse.ts";
import { examples as lists } from "./examples/lists.ts";
import { examples as replies } from "./examples/response.ts";
import { examples as streams } from "./examples/stream.ts";
import { strictly } from "./request.test-kit.ts";
import { judged } from "./response.test-kit.ts";

const hostile = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, [], {}, [null], [[]], [{}], { __proto__: null }, 1e308, -0, -1, "\ud800", "", true),
);

/** Every place of a JSON value, as the keys that lead there. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

function withValueAt(body: unknown, path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<string, unknown>;
  copy[first] = withValueAt(copy[first], rest, value);
  return copy;
}

const utf8Text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

function withReply(exchange: Exchange, body: string): Exchange {
  return { ...exchange, response: { ...exchange.response!, body: Buffer.from(body) } };
}

function judgeBoth(exchange: Exchange): void {
  for (const policy of [lenient, strictly]) judged(exchange, policy);
}

const wholePlaces = [...replies, ...lists].flatMap(({ exchange }) => {
  const body: unknown = JSON.parse(utf8Text(exchange.response!.body));
  return placesIn(body).map((path) => ({ exchange, body, path }));
});

test("a hostile value at any place of a good whole reply throws nothing", () => {
  fc.assert(
    fc.property(fc.constantFrom(...wholePlaces), hostile, ({ exchange, body, path }, value) => {
      judgeBoth(withReply(exchange, JSON.stringify(withValueAt(body, path, value))));
    }),
    fuzz(500),
  );
});

const streamPlaces = streams.flatMap(({ exchange }) => {
  const events = parseEvents(exchange.response!.body).events.map(({ data }): unknown =>
    data === "[DONE]" ? data : JSON.parse(data),
  );
  return placesIn(events).map((path) => ({ exchange, events, path }));
});

test("a hostile value at any place of a good stream throws nothing", () => {
  fc.assert(
    fc.property(fc.constantFrom(...streamPlaces), hostile, ({ exchange, events, path }, value) => {
      const changed = withValueAt(events, path, value);
      const list = Array.isArray(changed) ? changed : [changed];
      judgeBoth(withReply(exchange, list.map((event) => sseEvent(event)).join("")));
    }),
    fuzz(500),
  );
});

const requestPlaces = [...replies, ...streams]
  .filter(({ exchange }) => exchange.request.method === "POST")
  .flatMap(({ exchange }) => {
    const body: unknown = JSON.parse(utf8Text(exchange.request.body));
    return placesIn(body).map((path) => ({ exchange, body, path }));
  });

test("a hostile value at any place of the request of a good reply throws nothing", () => {
  fc.assert(
    fc.property(fc.constantFrom(...requestPlaces), hostile, ({ exchange, body, path }, value) => {
      const request = { ...exchange.request, body: Buffer.from(JSON.stringify(withValueAt(body, path, value))) };
      judgeBoth({ ...exchange, request });
    }),
    fuzz(400),
  );
});

test.each<[string, string]>([
  ["a body cut off", '{"choices":['],
  [
    "members named like the prototype",
    '{"__proto__":{"choices":[]},"choices":[{"__proto__":{"index":0}}],"constructor":1}',
  ],
  ["numbers beyond all measure", '{"choices":[{"index":1e999}],"created":-1e999,"usage":{"total_tokens":1e400}}'],
  [
    "a lone surrogate",
    '{"choices":[{"index":0,"message":{"role":"assistant","content":"\\ud800"},"finish_reason":"stop"}]}',
  ],
  ["deep nesting", `{"choices":${"[".repeat(4000)}${"]".repeat(4000)}}`],
  ["events of nothing", "data:\n\ndata: null\n\ndata: []\n\ndata: [DONE]\n\n"],
  ["no text at all", ""],
])("%s throws nothing", (_what, body) => {
  for (const { exchange } of [replies[0]!, streams[0]!])
    expect(() => judgeBoth(withReply(exchange, body))).not.toThrow();
});

test("a schema that refers to itself without end is given up, not followed for ever", () => {
  const { exchange } = replies.find(({ name }) => name === "a strict JSON schema")!;
  const knot = { anyOf: [{ $ref: "#/$defs/knot" }, { $ref: "#/$defs/knot" }, { $ref: "#/$defs/knot" }] };
  const schema = { $ref: "#/$defs/knot", $defs: { knot } };
  const body = JSON.parse(utf8Text(exchange.request.body));
  body.response_format.json_schema.schema = schema;
  const request = { ...exchange.request, body: Buffer.from(JSON.stringify(body)) };
  expect(judged({ ...exchange, request }).findings.filter(({ side }) => side === "response")).toEqual([]);
});

test("a fault that a stream repeats is told a hundred times, and counted", () => {
  const { findings, groups } = judged(withReply(streams[0]!.exchange, "data: x\n\n".repeat(10_900)));
  const broken = findings.filter(({ message }) => message.includes("JSON"));
  expect(broken).toHaveLength(100);
  expect(groups.find(({ clause }) => clause === broken[0]!.clause)?.count).toBe(10_900);
});

test("a stream of more lines than memory has room for is judged as far as it is read", () => {
  const good = Buffer.from(streams[0]!.exchange.response!.body).toString();
  const found = (body: string): number => judged(withReply(streams[0]!.exchange, body)).findings.length;
  const lines = ":\n".repeat(1_000_000);
  expect(found(`${lines.slice(2)}data: x\n\n`)).toBeGreaterThan(0);
  expect(found(`data: x\n\n${lines}`)).toBeGreaterThan(0);
  // The lines behind are not read, and so an end is not missed.
  expect(found(`${lines}data: x\n\n`)).toBe(0);
  expect(found(`${good.slice(0, good.indexOf("\n\n") + 2)}${lines}`)).toBe(0);
});
