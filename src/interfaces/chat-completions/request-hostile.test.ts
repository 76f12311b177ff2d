import fc from "fast-check";
import { expect, test } from "vitest";
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { fuzz } from "../../dev/random.test-kit.ts";
import { utf8 } from "../../wire/build.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { examples } from "./examples/request.ts";
import { catalogue, requestOf, strictly } from "./request.test-kit.ts";

const names = namesFrom({ models: { reasoning: ["r*"] } });

function judgeText(text: string): void {
  const exchange: Exchange = { ...requestOf({}), response: null };
  const sent = { ...exchange, request: { ...exchange.request, body: utf8(text) } };
  for (const policy of [lenient, strictly]) judge(sent, { source: "", exchange: 0 }, catalogue, { names, policy });
}

const hostile = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, [], {}, [null], [[]], { __proto__: null }, 1e308, -0, "\ud800", "", true),
);

/** Every place of a JSON value, as the keys that lead there. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

const bodies = examples.map(({ exchange }) => JSON.parse(Buffer.from(exchange.request.body).toString("utf8")));
const places = bodies.flatMap((body) => placesIn(body).map((path) => ({ body, path })));

function withValueAt(body: unknown, path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<string, unknown>;
  copy[first] = withValueAt(copy[first], rest, value);
  return copy;
}

test("a hostile value at any place of a good request throws nothing", () => {
  fc.assert(
    fc.property(fc.constantFrom(...places), hostile, ({ body, path }, value) => {
      judgeText(JSON.stringify(withValueAt(body, path, value)) ?? "");
    }),
    fuzz(500),
  );
});

test.each<[string, string]>([
  [
    "members named like the prototype",
    '{"__proto__":{"model":1},"messages":[{"__proto__":{}}],"constructor":[],"metadata":{"__proto__":1}}',
  ],
  ["a number beyond all measure", '{"model":"m","messages":[],"n":1e999,"seed":-1e999,"logit_bias":{"1":1e999}}'],
  ["a lone surrogate", '{"model":"\\ud800","messages":[{"role":"\\udfff","content":"\\ud800"}]}'],
  ["a body cut off", '{"model":"m","messages":['],
  ["deep nesting", `{"model":"m","messages":${"[".repeat(4000)}${"]".repeat(4000)}}`],
  ["no text at all", ""],
])("%s throws nothing", (_what, text) => {
  expect(() => judgeText(text)).not.toThrow();
});

test("a very long conversation and very long data are judged in linear time", () => {
  const messages = Array.from({ length: 5_000 }, (_, i) =>
    i % 2 === 0
      ? { role: "assistant", tool_calls: [{ id: `c${i}`, type: "function", function: { name: "f", arguments: "" } }] }
      : { role: "tool", tool_call_id: `c${i - 1}`, content: [{ type: "text", text: "x".repeat(100) }] },
  );
  const part = { type: "input_audio", input_audio: { data: "A".repeat(8_000_000), format: "wav" } };
  judgeText(JSON.stringify({ model: "m", messages: [...messages, { role: "user", content: [part] }] }));
});
