/** Which members of its request a refusal names. */
import { expect, test } from "vitest";
import type { Asked } from "../verdict/asked.ts";
import { namedMembers } from "./answer-signs.ts";

const named = (body: object, message: string): string[] =>
  namedMembers({
    request: { body: Buffer.from(JSON.stringify(body)) },
    response: { status: 400, headers: [], body: Buffer.from(JSON.stringify({ error: { message } })) },
  } as unknown as Asked["passed"]);

test.each([
  [{ messages: [], tool_choice: "none" }, "tool_choice is not allowed", ["tool_choice"]],
  [{ messages: [], tool_choice: "none", tools: [] }, "Tool choice: none is not allowed", ["tool_choice"]],
  [{ seed: 1, user: "u" }, "Unknown field: body.seed", ["seed"]],
  [{ generationConfig: { topK: 5 } }, "Invalid JSON payload: generationConfig.topK", ["topK"]],
  [{ generationConfig: { topK: 5 } }, "top_k is unknown", ["topK"]],
  [{ seed: 1 }, "The request is odd", []],
  [{ messages: [] }, "messages is empty", []],
  [{ stop: null, n: false }, "stop and n", []],
])("%j, %s", (body, message, names) => {
  expect(named(body, message)).toEqual(names);
});
