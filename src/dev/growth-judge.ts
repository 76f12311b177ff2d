/** Exchanges that grow in one respect, for every rule that loops over what was sent. */
import { exchangeOf, jsonResponse } from "../wire/build.ts";
import {
  chat,
  chatOf,
  chatStream,
  delta,
  type Family,
  generate,
  images,
  judging,
  list,
  members,
  messages,
  messagesStream,
} from "./growth-family.ts";

const tool = (i: number) => ({ type: "function", function: { name: `f${i}`, parameters: { type: "object" } } });
const call = (i: number) => ({ id: `c${i}`, type: "function", function: { name: `g${i}`, arguments: "{}" } });
const format = (schema: object) => ({
  response_format: { type: "json_schema", json_schema: { name: "x", strict: true, schema } },
});
/** A reply in the format of a schema of the request's own. */
const output = (schema: object, value: unknown) => chat(format(schema), { content: JSON.stringify(value) });
const half = (n: number): number => Math.ceil(n / 2);

const ofChat: readonly Family[] = [
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

const start = (index: number, type = "text") => ({
  type: "content_block_start",
  index,
  content_block: { type, id: `t${index}`, name: "f" },
});
const piece = (index: number, more: object) => ({ type: "content_block_delta", index, delta: more });

const ofMessages: readonly Family[] = [
  judging("tool results that answer nothing", (n) =>
    messages({
      messages: [
        { role: "user", content: list(n, (i) => ({ type: "tool_result", tool_use_id: `r${i}`, content: "x" })) },
        { role: "assistant", content: list(n, (i) => ({ type: "tool_use", id: `t${i}`, name: "f", input: {} })) },
      ],
    }),
  ),
  judging("tool uses of undeclared tools", (n) =>
    messages(
      { tools: list(n, (i) => ({ name: `f${i}`, input_schema: { type: "object" } })) },
      {
        content: list(n, (i) => ({ type: "tool_use", id: `t${i}`, name: `g${i}`, input: {} })),
        stop_reason: "tool_use",
      },
    ),
  ),
  judging("inputs of many tools", (n) =>
    messages(
      { tools: list(n, (i) => ({ name: `f${i}`, input_schema: { type: "object", required: ["a"] } })) },
      {
        content: list(n, (i) => ({ type: "tool_use", id: `t${i}`, name: `f${i}`, input: { b: 1 } })),
        stop_reason: "tool_use",
      },
    ),
  ),
  judging("stop sequences", (n) =>
    messages({ stop_sequences: list(n, String) }, { stop_reason: "stop_sequence", stop_sequence: "x" }),
  ),
  judging("blocks begun", (n) => messagesStream(list(n, (i) => start(n - i)))),
  judging("interleaved blocks", (n) =>
    messagesStream([...list(half(n), (i) => start(i)), ...list(n, (i) => piece(i % half(n), { text: "x" }))]),
  ),
  judging("a tool's input in many pieces", (n) =>
    messagesStream([start(0, "tool_use"), ...list(n, () => piece(0, { type: "input_json_delta", partial_json: "[" }))]),
  ),
];

const declared = (n: number) => ({
  tools: [{ functionDeclarations: list(n, (i) => ({ name: `f${i}`, parameters: { type: "OBJECT" } })) }],
});
const calls = (n: number) => ({
  content: { role: "model", parts: list(n, (i) => ({ functionCall: { name: `f${i}`, args: {} } })) },
});
const said = (text: string) => ({ content: { role: "model", parts: [{ text }] } });
const json = (responseSchema: object) => ({
  generationConfig: { responseMimeType: "application/json", responseSchema },
});

const ofGenerate: readonly Family[] = [
  judging("parts", (n) =>
    generate({ contents: [{ role: "user", parts: list(n, (i) => ({ text: `x${i}`, thought: true })) }] }),
  ),
  judging("snake-case members", (n) =>
    generate({ contents: list(n, () => ({ parts: [{ inline_data: { mime_type: "x/y" } }] })) }),
  ),
  judging("snake-case members below a long name", (n) =>
    generate(json({ properties: { ["x".repeat(n)]: { properties: members(n, () => ({ min_items: 1 })) } } })),
  ),
  judging("wrong members below a long name", (n) =>
    generate(json({ properties: { ["x".repeat(n)]: { properties: members(n, () => ({ type: 7 })) } } })),
  ),
  judging("supports of a long text", (n) =>
    generate(
      {},
      {
        ...said("é".repeat(n)),
        groundingMetadata: {
          groundingChunks: list(n, () => ({ web: { uri: "http://x", title: "y" } })),
          groundingSupports: list(n, (i) => ({
            segment: { startIndex: i, endIndex: 2 * n - 1, text: "é".repeat(20) },
            groundingChunkIndices: [i],
            confidenceScores: [0.5],
          })),
        },
      },
    ),
  ),
  judging("citations into a long text", (n) =>
    generate(
      {},
      {
        ...said("é".repeat(n)),
        citationMetadata: { citationSources: list(n, (i) => ({ startIndex: i, endIndex: 3 * n })) },
      },
    ),
  ),
  judging("calls of declared functions that are not allowed", (n) =>
    generate(
      {
        ...declared(n),
        toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: list(n, (i) => `g${i}`) } },
      },
      calls(n),
    ),
  ),
  judging("candidates", (n) =>
    generate(
      {},
      {},
      { candidates: list(n, (i) => ({ index: n - i, content: { role: "model", parts: [{}] }, finishReason: "STOP" })) },
    ),
  ),
  judging("safety ratings", (n) =>
    generate(
      { safetySettings: list(n, (i) => ({ category: `C${i}`, threshold: "BLOCK_NONE" })) },
      { safetyRatings: list(n, (i) => ({ category: `C${i}`, probability: "LOW", blocked: true })) },
    ),
  ),
  judging("Schema: enum of texts", (n) =>
    generate(
      json({ type: "ARRAY", items: { type: "STRING", enum: list(n, String) } }),
      said(JSON.stringify(list(n, () => String(n - 1)))),
    ),
  ),
  judging("Schema: members of items", (n) =>
    generate(
      json({ type: "ARRAY", items: { properties: members(n, () => ({ type: "STRING" })) } }),
      said(JSON.stringify(list(n, () => ({})))),
    ),
  ),
  judging("Schema: required members of items", (n) =>
    generate(
      json({ type: "ARRAY", items: { required: list(n, () => "a") } }),
      said(JSON.stringify(list(n, () => ({ a: 1 })))),
    ),
  ),
  judging("candidates and an enum", (n) =>
    generate(
      {
        generationConfig: {
          responseMimeType: "text/x.enum",
          responseSchema: { type: "STRING", enum: list(n, String) },
        },
      },
      {},
      { candidates: list(n, (index) => ({ index, ...said("x"), finishReason: "STOP" })) },
    ),
  ),
];

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const form = (parts: readonly string[]) =>
  exchangeOf(
    {
      method: "POST",
      target: "/v1/images/edits",
      headers: [["content-type", "multipart/form-data; boundary=b"]],
      body: Buffer.from(
        `${parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join("")}--b--\r\n`,
        "latin1",
      ),
    },
    jsonResponse({ created: 1, data: [] }),
  );

const ofImages: readonly Family[] = [
  judging("images", (n) =>
    images(
      { response_format: "b64_json" },
      list(n, () => ({ b64_json: png.toString("base64"), url: "x" })),
    ),
  ),
  judging("fields of a form", (n) => form(list(n, (i) => `name="f${i % 999}"\r\n\r\nx`))),
  judging("images of a form", (n) =>
    form(list(n, () => `name="image[]"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n${png.toString("latin1")}`)),
  ),
];

export const families: readonly Family[] = [...ofChat, ...ofMessages, ...ofGenerate, ...ofImages];
