/** Whatever JSON a peer sends, judging it neither throws nor takes long. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { fuzz, sample } from "../../dev/random.test-kit.ts";
import { jsonResponse } from "../../wire/build.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { examples } from "./examples/index.ts";
import {
  type Data,
  ended,
  message,
  request,
  started,
  stream,
  textBlock,
  toolBlock,
  weather,
} from "./examples/parts.ts";
import { messages } from "./index.ts";
import { catalogue, faults } from "./judge.test-kit.ts";

const strictly = { strict: "all", openEnums: true } as const;

function judged(exchange: Exchange): unknown {
  const of = (policy: typeof lenient | typeof strictly) =>
    judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy, probe: true });
  return [of(lenient), of(strictly)];
}

const odd: readonly unknown[] = [
  null,
  [],
  {},
  [null],
  [[]],
  "",
  "\ud800",
  0,
  -1,
  1e308,
  true,
  [[[{}]]],
  JSON.parse('{"__proto__":{"type":"text"},"constructor":1,"type":"tool_use"}'),
  [{ type: "tool_use" }, { type: "tool_result", content: [null] }],
  { type: "object", properties: { a: null }, required: [1], enum: 4, items: [7] },
];

/** Every copy of a document with the value at one place replaced. */
function* replaced(value: unknown, by: unknown): Generator<unknown> {
  yield by;
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    const child = (value as Data)[key];
    for (const other of replaced(child, by)) {
      const copy = structuredClone(value) as Data;
      copy[key] = other;
      yield copy;
    }
  }
}

const rich: Data = {
  ...JSON.parse(
    Buffer.from(request({ tools: [weather], tool_choice: { type: "tool", name: "get_weather" } }).body).toString(),
  ),
  thinking: { type: "enabled", budget_tokens: 1024 },
  metadata: { user_id: "x" },
  stop_sequences: ["#"],
  messages: [
    { role: "assistant", content: [{ type: "tool_use", id: "a", name: "b", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "x" }] }] },
  ],
};
const called = message({ content: [{ type: "tool_use", id: "a", name: "get_weather", input: { city: "O" } }] });
const events = [started, ...textBlock(0, "Hi"), ...toolBlock(1, "a", "get_weather", "{}"), ...ended("tool_use")];

describe("odd values in every place", () => {
  test("of a request", () => {
    for (const [i, by] of odd.entries())
      for (const body of sample(replaced(rich, by), 4, i))
        judged({ request: { ...request(), body: Buffer.from(JSON.stringify(body)) }, response: jsonResponse(called) });
  });

  test("of a whole reply, a failure included", () => {
    for (const [i, by] of odd.entries())
      for (const body of sample(replaced(called, by), 4, i)) {
        judged({ request: request({ tools: [weather] }), response: jsonResponse(body) });
        judged({ request: request(), response: jsonResponse({ error: body }, 400) });
      }
  });

  test("of every event", () => {
    for (const [i, by] of odd.entries())
      for (const [at, event] of events.entries())
        for (const other of sample(replaced(event, by), 4, i + at)) {
          const all = events.map((one, i) => (i === at ? (other as Data) : one));
          const response = stream(
            all.map((one) => (typeof one === "string" ? { type: one } : (one ?? { type: null }))),
          );
          judged({ request: request({ stream: true, tools: [weather] }), response });
        }
  });
});

test("any JSON for a body on either side", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      fc.jsonValue({ maxDepth: 4 }),
      fc.integer({ min: 100, max: 700 }),
      (asks, says, status) => {
        judged({
          request: { ...request(), body: Buffer.from(JSON.stringify(asks)) },
          response: jsonResponse(says, status),
        });
      },
    ),
    fuzz(300),
  );
});

test("any order of events", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...events), { maxLength: 30 }), (all) => {
      judged({ request: request({ stream: true }), response: stream(all) });
    }),
    fuzz(300),
  );
});

test("the operation is told from its neighbours", () => {
  const { at } = messages.operations[0]!;
  const matches = (target: string): boolean => at(target) >= 0;
  expect(["/v1/messages", "/proxy/anthropic/v1/messages", "/messages"].filter(matches)).toHaveLength(3);
  expect(
    ["/v1/messages/batches", "/v1/messages/count_tokens", "/v1/threads/t1/messages", "/v1/xmessages"].filter(matches),
  ).toEqual([]);
});

test("a good exchange is judged the same twice", () => {
  for (const { exchange } of examples) expect(judged(exchange)).toEqual(judged(exchange));
});

describe("a request at fault is one fault, whatever reply it got", () => {
  const events = [started, ...textBlock(0, "Hi"), ...ended("end_turn")];
  const named = (name: string): Data => ({
    tools: [{ ...weather, name }],
    messages: [{ role: "user", content: "Hi" }],
  });
  test.each([
    ["stream is no boolean", { ...request({ stream: "yes" }), reply: stream(events) }, "request.stream-type"],
    ["the body is no JSON", { ...request(), body: Buffer.from("{"), reply: stream(events) }, "request.body-json"],
    [
      "a tool's name is too long",
      { ...request(named("x".repeat(65))), reply: jsonResponse({ ...called, stop_reason: "tool_use" }) },
      "tools.name-max-length",
    ],
    [
      "max_tokens is out of range",
      { ...request({ max_tokens: 0 }), reply: jsonResponse(message()) },
      "request.max-tokens-range",
    ],
    [
      "the key is missing",
      { ...request(), headers: request().headers.slice(1), reply: jsonResponse(message()) },
      "auth.key-required",
    ],
    [
      "an image source is a link",
      {
        ...request({ messages: [{ role: "user", content: [{ type: "image", source: { type: "url", url: "x" } }] }] }),
        reply: jsonResponse(message()),
      },
      "content.image-source-type-value",
    ],
  ])("%s", (_what, { reply, ...asking }, clause) => {
    expect(faults({ request: asking, response: reply })).toEqual([`${clause} error`]);
  });
});
