/** A refusal names members of its request. */

import { expect, test } from "vitest";
import type { Interface } from "../../check/interface.ts";
import { chatCompletions } from "../../interfaces/chat-completions/index.ts";
import { generateContent } from "../../interfaces/generate-content/index.ts";
import { images } from "../../interfaces/images/index.ts";
import { messages } from "../../interfaces/messages/index.ts";
import type { SentRecord } from "../../verdict/sent-record.ts";
import { namedMembers } from "./answer-signs.ts";

const named = (of: Interface, body: object, message: string): string[] =>
  namedMembers(
    {
      request: { body: Buffer.from(JSON.stringify(body)) },
      response: { status: 400, headers: [], body: Buffer.from(JSON.stringify({ error: { message } })) },
    } as unknown as SentRecord["passed"],
    of,
  );

test.each([
  [chatCompletions, { messages: [], tool_choice: "none" }, "tool_choice is not allowed", ["tool_choice"]],
  [
    chatCompletions,
    { messages: [], tool_choice: "none", tools: [] },
    "Tool choice: none is not allowed",
    ["tool_choice"],
  ],
  [chatCompletions, { seed: 1, user: "u" }, "Unknown field: body.seed", ["seed"]],
  [generateContent, { generationConfig: { topK: 5 } }, "Invalid JSON payload: generationConfig.topK", ["topK"]],
  [generateContent, { generationConfig: { topK: 5 } }, "top_k is unknown", ["topK"]],
  [chatCompletions, { seed: 1 }, "The request is odd", []],
  [chatCompletions, { messages: [] }, "messages is empty", []],
  [chatCompletions, { messages: [{ role: "system", content: "s" }] }, "System role not supported", ["system"]],
  [chatCompletions, { messages: [{ role: "user", content: "s" }] }, "System role not supported", []],
  [
    generateContent,
    { systemInstruction: {} },
    "Developer instruction is not enabled for this model",
    ["systemInstruction"],
  ],
  [
    generateContent,
    { system_instruction: {} },
    "This model takes no system prompts: system_prompt",
    ["system_instruction"],
  ],
  [messages, { system: "s", seed: 1 }, "System message is not supported", ["system"]],
  [images, { prompt: "p", response_format: "b64_json" }, "b64_json is not supported", ["b64_json"]],
  [images, { prompt: "p", response_format: "url" }, "b64_json is not supported", []],
  [chatCompletions, { stop: null, n: false }, "stop and n", []],
] as const)("of $0.name: $1, $2", (of, body, message, names) => {
  expect(named(of, body, message)).toEqual(names);
});

test("a refusal names members of a form, too", () => {
  const part = (name: string, value: string): string =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const body = Buffer.from(`${part("prompt", "p")}${part("response_format", "b64_json")}${part("user", "u")}--b--\r\n`);
  const message = Buffer.from('{"error":{"message":"response_format b64_json is not supported"}}');
  const passed = {
    request: { headers: [["content-type", "multipart/form-data; boundary=b"]], body },
    response: { status: 400, headers: [], body: message },
  };
  expect(namedMembers(passed as unknown as SentRecord["passed"], images)).toEqual(["b64_json", "response_format"]);
});
