/** Which members of its request a refusal names. */
import { expect, test } from "vitest";
import type { SentRecord } from "../../verdict/sent-record.ts";
import { namedMembers } from "./answer-signs.ts";

const named = (body: object, message: string): string[] =>
  namedMembers({
    request: { body: Buffer.from(JSON.stringify(body)) },
    response: { status: 400, headers: [], body: Buffer.from(JSON.stringify({ error: { message } })) },
  } as unknown as SentRecord["passed"]);

test.each([
  [{ messages: [], tool_choice: "none" }, "tool_choice is not allowed", ["tool_choice"]],
  [{ messages: [], tool_choice: "none", tools: [] }, "Tool choice: none is not allowed", ["tool_choice"]],
  [{ seed: 1, user: "u" }, "Unknown field: body.seed", ["seed"]],
  [{ generationConfig: { topK: 5 } }, "Invalid JSON payload: generationConfig.topK", ["topK"]],
  [{ generationConfig: { topK: 5 } }, "top_k is unknown", ["topK"]],
  [{ seed: 1 }, "The request is odd", []],
  [{ messages: [] }, "messages is empty", []],
  [{ messages: [{ role: "system", content: "s" }] }, "System role not supported", ["system"]],
  [{ messages: [{ role: "user", content: "s" }] }, "System role not supported", []],
  [{ systemInstruction: {} }, "Developer instruction is not enabled for this model", ["systemInstruction"]],
  [{ system_instruction: {} }, "This model takes no system prompts: system_prompt", ["system_instruction"]],
  [{ system: "s", seed: 1 }, "System message is not supported", ["system"]],
  [{ prompt: "p", response_format: "b64_json" }, "b64_json is not supported", ["b64_json"]],
  [{ prompt: "p", response_format: "url" }, "b64_json is not supported", []],
  [{ stop: null, n: false }, "stop and n", []],
])("%j, %s", (body, message, names) => {
  expect(named(body, message)).toEqual(names);
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
  expect(namedMembers(passed as unknown as SentRecord["passed"])).toEqual(["b64_json", "response_format"]);
});
