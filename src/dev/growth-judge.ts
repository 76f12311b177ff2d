/** Exchanges that grow in one respect, for every rule that loops over what was sent. */

import { exchangeOf, jsonResponse } from "../wire/build.ts";
import { pixelPng } from "../wire/sample-files.ts";
import { half, ofChat } from "./growth-chat.ts";
import { type Family, generate, images, judging, list, members, messages, messagesStream } from "./growth-family.ts";

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

const png = Buffer.from(pixelPng, "base64");
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
