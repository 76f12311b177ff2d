/** Chat exchanges that grow in one respect: messages, tools, choices, streams, and output against schemas of the request's own. */
import { exchangeOf } from "../wire/build.ts";
import { chat, chatOf, chatStream, delta, type Family, judging, list, members } from "./growth-family.ts";

/** Half of a size, rounded up. */
export const half = (n: number): number => Math.ceil(n / 2);
const tool = (i: number) => ({ type: "function", function: { name: `f${i}`, parameters: { type: "object" } } });
const call = (i: number) => ({ id: `c${i}`, type: "function", function: { name: `g${i}`, arguments: "{}" } });
const format = (schema: object) => ({
  response_format: { type: "json_schema", json_schema: { name: "x", strict: true, schema } },
});
/** A reply in the format of a schema of the request's own. */
const output = (schema: object, value: unknown) => chat(format(schema), { content: JSON.stringify(value) });

export const ofChat: readonly Family[] = [
  judging("messages", (n) => chat({ messages: list(n, (i) => ({ role: i % 2 ? "user" : "system", content: "x" })) })),
  judging("content parts", (n) =>
    chat({
      messages: [{ role: "user", content: list(n, () => ({ type: "image_url", image_url: { url: "data:," } })) }],
    }),
  ),
  judging("items of the wrong type", (n) => chat({ messages: list(n, () => 7) })),
  judging("null members", (n) => chat({ messages: list(n, () => ({ role: "user", content: null, name: null })) })),
  judging("unknown members", (n) => chat(members(n, () => 1))),
  judging("unknown members below a long name", (n) => chat({ logit_bias: { ["x".repeat(n)]: members(n, () => "x") } })),
  judging("repeated members", (n) => {
    const { request, response } = chat({});
    return exchangeOf({ ...request, body: Buffer.from(`{"model":"m",${'"a":1,'.repeat(n)}"messages":[]}`) }, response);
  }),
  judging("integers with a fraction", (n) => {
    const { request, response } = chat({});
    const body = Buffer.from(`{"model":"m","messages":[],"seed":1.0,"x":[${"1.0,".repeat(n)}1]}`);
    return exchangeOf({ ...request, body }, response);
  }),
  judging("metadata", (n) => chat({ metadata: members(n, () => "\u{1f600}".repeat(200)) })),
  judging("tool messages and calls", (n) =>
    chat({
      messages: [
        { role: "assistant", tool_calls: list(n, call) },
        ...list(n, (i) => ({ role: "tool", tool_call_id: `c${n - i}`, content: "x" })),
      ],
    }),
  ),
  judging("calls of undeclared tools", (n) =>
    chat({ tools: list(n, tool) }, { content: null, tool_calls: list(n, call) }),
  ),
  judging("choices", (n) =>
    chatOf({
      choices: list(n, (i) => ({ index: n - i, message: { role: "assistant", content: "x" }, finish_reason: "stop" })),
    }),
  ),
  judging("log probabilities", (n) =>
    chat(
      { logprobs: true },
      {},
      {
        logprobs: {
          content: list(n, () => ({ token: "xy", logprob: -1, bytes: [120], top_logprobs: [] })),
          refusal: null,
        },
      },
    ),
  ),
  judging("citations of a long text", (n) =>
    chat(
      {},
      {
        content: "\u{1f600}".repeat(n),
        annotations: list(n, (i) => ({
          type: "url_citation",
          url_citation: { start_index: i, end_index: 3 * n, url: "http://x", title: "t" },
        })),
      },
    ),
  ),
  judging("stop sequences and a long text", (n) => chat({ stop: list(n, (i) => `z${i}`) }, { content: "y".repeat(n) })),
  judging("a long stop sequence that nearly matches", (n) =>
    chat({ stop: [`b${"a".repeat(half(n))}c`] }, { content: "a".repeat(n) }),
  ),
  judging("interleaved deltas of calls", (n) =>
    chatStream(list(n, (i) => delta(0, { tool_calls: [{ index: i % half(n), function: { arguments: "{" } }] }))),
  ),
  judging("chunks of many choices", (n) =>
    chatStream(list(n, (i) => delta(i, { role: "assistant", content: "x" }, "stop"))),
  ),
  judging("chunks of no choice", (n) => chatStream(list(n, (i) => delta(i % 2 ? i : "x", { content: "x" })))),
  judging("chunks with usage", (n) =>
    chatStream(list(n, () => ({ ...delta(0, { content: "x" }), usage: { prompt_tokens: 1 } }))),
  ),
  judging("one text in many chunks", (n) => chatStream(list(n, () => delta(0, { content: "xyz" })))),
  judging("schema: enum of texts", (n) =>
    output(
      { items: { enum: list(n, String) } },
      list(n, () => String(n - 1)),
    ),
  ),
  judging("schema: enum of objects", (n) =>
    output(
      { items: { enum: list(n, (a) => ({ a })) } },
      list(n, () => ({ a: n - 1 })),
    ),
  ),
  judging("schema: enum and anyOf", (n) =>
    output(
      { items: { anyOf: [{ enum: list(n, String) }, { type: "string" }] } },
      list(n, () => "x"),
    ),
  ),
  judging("schema: lengths of a long text", (n) =>
    output({ allOf: list(n, (i) => ({ minLength: n + (i % 9), maxLength: 4 * n })) }, "\u{1f600}".repeat(2 * n)),
  ),
  judging("schema: anyOf of lengths", (n) =>
    output({ anyOf: list(n, (i) => ({ maxLength: n + i })) }, "\u{1f600}".repeat(2 * n)),
  ),
  judging("schema: items that may be anything", (n) =>
    output(
      { allOf: list(n, () => ({ items: true })) },
      list(n, () => 0),
    ),
  ),
  judging("schema: required members", (n) =>
    output(
      { items: { required: list(n, String) } },
      list(n, () => ({})),
    ),
  ),
  judging("schema: members", (n) =>
    output(
      { allOf: list(n, () => ({ properties: { a: {} } })) },
      members(n, () => 0),
    ),
  ),
  judging("schema: types", (n) =>
    output(
      { items: { type: list(n, () => "null") } },
      list(n, () => 0),
    ),
  ),
  judging("schema: references with long pointers", (n) =>
    output(
      { allOf: list(n, () => ({ $ref: `#/${"%7E1/".repeat(9)}` })), items: { $ref: `#/${"a~1/".repeat(n)}` } },
      list(n, () => 0),
    ),
  ),
  judging("schema: a reference to itself", (n) =>
    output(
      { anyOf: [{ $ref: "#" }, { $ref: "#" }] },
      list(n, () => 0),
    ),
  ),
  judging("schema: many parts", (n) => chat(format({ properties: members(n, () => ({ type: "strung" })) }))),
  judging("schema: a long name around many parts", (n) =>
    chat(format({ properties: { ["x".repeat(n)]: { properties: members(n, () => ({ minLength: 1 })) } } })),
  ),
];
