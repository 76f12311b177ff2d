/** Holds what judging may cost: what is too much is said and left undecided, and what was found before stays. */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { type Judgement, judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { redact } from "../redact/redact.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../wire/build.ts";
import type { Exchange } from "../wire/exchange.ts";
import { maxDepth } from "../wire/json.ts";
import { openCatalogue } from "./catalogue.ts";

const catalogue = await openCatalogue();
const judged = (exchange: Exchange): Judgement =>
  judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy: lenient });

const asked = (more: object) =>
  jsonRequest("/v1/chat/completions", [["Authorization", "Bearer k"]], {
    model: "m",
    messages: [{ role: "user", content: "hi" }],
    ...more,
  });
const replied = (content: string) =>
  jsonResponse({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      { index: 0, message: { role: "assistant", content, refusal: null }, logprobs: null, finish_reason: "stop" },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 3 },
  });
const format = (schema: object) => ({
  response_format: { type: "json_schema", json_schema: { name: "x", strict: true, schema } },
});
const undecided = ({ undecided: all }: Judgement): string[] =>
  all.filter(({ needs }) => needs === "too much to judge").map(({ clause }) => clause.replace("chat-completions.", ""));
const found = ({ findings }: Judgement): string[] =>
  findings.map(({ clause }) => clause.replace("chat-completions.", ""));

test("an ordinary exchange is never too much", () => {
  const judgement = judged(exchangeOf(asked(format({ type: "string" })), replied('"x"')));
  expect([judgement.tooMuch, undecided(judgement), found(judgement)]).toEqual([
    false,
    [],
    ["response.total-tokens-sum"],
  ]);
});

test("a schema that takes more than an exchange may cost leaves its clause undecided, and no other", () => {
  const branches = (depth: number): object =>
    depth === 0 ? { const: 0 } : { anyOf: [{ $ref: `#/$defs/d${depth - 1}` }, { $ref: `#/$defs/d${depth - 1}` }] };
  const $defs = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`d${i}`, branches(i)]));
  const judgement = judged(exchangeOf(asked(format({ ...branches(30), $defs })), replied('"x"')));
  expect(judgement.tooMuch).toBe(true);
  expect(undecided(judgement)).toEqual(["exchange.json-schema-followed"]);
  expect(found(judgement)).toEqual(["response.total-tokens-sum"]);
});

test.each<[string, (text: string) => string]>([
  ["a reply's", (text) => text],
  ["a request's", (text) => text],
])("%s body that nests deeper than is read is left undecided", (whose, deep) => {
  const text = deep(`{"model":"m","messages":[],"x":${"[".repeat(maxDepth)}${"]".repeat(maxDepth)}}`);
  const body = Buffer.from(text);
  const exchange =
    whose === "a reply's"
      ? exchangeOf(asked({ temperature: 9 }), { ...replied(""), body })
      : exchangeOf({ ...asked({}), body }, replied("x"));
  const judgement = judged(exchange);
  expect(judgement.tooMuch).toBe(true);
  expect(found(judgement)).toEqual([whose === "a reply's" ? "request.temperature-range" : "response.total-tokens-sum"]);
  expect(undecided(judgement)).toContain(whose === "a reply's" ? "response.id-type" : "request.model-type");
});

test("a stream is judged up to an event that nests deeper than is read", () => {
  const chunk = (index: unknown) =>
    `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":${index},"delta":{}}]}\n\n`;
  const body = Buffer.from(
    `${chunk('"x"')}data: ${"[".repeat(maxDepth + 1)}${"]".repeat(maxDepth + 1)}\n\n${chunk("0")}`,
  );
  const response = { status: 200, headers: [["content-type", "text/event-stream"]] as const, body };
  const judgement = judged(exchangeOf(asked({ stream: true }), response));
  expect(judgement.tooMuch).toBe(true);
  expect(found(judgement)).toContain("streaming.index-type");
  expect(found(judgement)).not.toContain("streaming.event-is-json");
});

test("a body that grows too large on being decoded is too much, not broken", () => {
  const response = { ...replied("x"), body: gzipSync(Buffer.alloc(20 << 20)) };
  const exchange = exchangeOf(asked({}), { ...response, headers: [["content-encoding", "gzip"]] });
  // Redaction keeps none of it, since it cannot be looked through either.
  for (const judgement of [judged(exchange), judged(redact(exchange))]) {
    expect(judgement.tooMuch).toBe(true);
    expect(found(judgement)).toEqual([]);
  }
});

test("a large reply in the format of a union of many kinds is judged to its end", () => {
  const kinds = Array.from({ length: 300 }, (_, i) => ({
    type: "object",
    properties: { kind: { const: `kind ${i}` }, value: { type: "string" } },
    required: ["kind", "value"],
    additionalProperties: false,
  }));
  const schema = { type: "array", items: { anyOf: kinds } };
  const items = Array.from({ length: 5000 }, (_, i) => ({ kind: `kind ${i % 300}`, value: i === 4999 ? 7 : "x" }));
  const judgement = judged(exchangeOf(asked(format(schema)), replied(JSON.stringify(items))));
  expect(judgement.tooMuch).toBe(false);
  expect(found(judgement)).toContain("exchange.json-schema-followed");
});

test("the first of more errors than are looked into are told", () => {
  const many = Object.fromEntries(Array.from({ length: 110_000 }, (_, i) => [`m${i}`, 1]));
  const judgement = judged(exchangeOf(asked({ temperature: 9, ...many }), replied("x")));
  expect(judgement.tooMuch).toBe(true);
  expect(found(judgement)).toContain("request.unknown-members");
  expect(undecided(judgement)).toContain("request.model-type");
  expect(found(judgement)).toContain("response.total-tokens-sum");
});
