/** Holds how spellings are read as one, and how pointers find back to what was sent. */
import { expect, test } from "vitest";
import { canonicalOf, canonicalOfStream } from "./spelling.ts";

test("documents in the reference spelling are handed through as they are", () => {
  const body = { contents: [{ parts: [{ text: "a" }] }], generationConfig: { topK: 1 } };
  expect(canonicalOf(body, "request").value).toBe(body);
  expect(canonicalOf(body, "request").spelling).toBeUndefined();
});

test("snake-case names become camelCase, and pointers lead back", () => {
  const { value, original, spelling } = canonicalOf(
    { generation_config: { speech_config: { language_code: "en-US" } }, contents: { parts: { text: "a" } } },
    "request",
  );
  expect(value).toEqual({
    generationConfig: { speechConfig: { languageCode: "en-US" } },
    contents: [{ parts: [{ text: "a" }] }],
  });
  expect(original("/generationConfig/speechConfig/languageCode")).toBe(
    "/generation_config/speech_config/language_code",
  );
  expect(original("/generationConfig/speechConfig/unknown")).toBe("/generation_config/speech_config/unknown");
  expect(original("/contents/0/parts/0/text")).toBe("/contents/parts/text");
  expect(original("/tools")).toBe("/tools");
  expect(spelling?.singles).toEqual(["/contents", "/contents/parts"]);
});

test("names inside user data stay as they are", () => {
  const body = {
    contents: [
      {
        parts: [
          { functionCall: { name: "f", args: { inline_data: 1 } } },
          { functionResponse: { name: "f", response: { mime_type: 1 } } },
        ],
      },
    ],
    tools: [{ functionDeclarations: [{ name: "f", parameters: { properties: { top_k: { min_items: 1 } } } }] }],
    generationConfig: {
      responseSchema: { type: "OBJECT", properties: { max_items: { type: "STRING", example: { a_b: 1 } } } },
    },
  };
  expect(canonicalOf(body, "request").value).toBe(body);
});

test("keywords of schemas within user-named properties are read in both spellings", () => {
  const body = { generationConfig: { responseSchema: { properties: { a_b: { min_items: 1 } } } } };
  expect(canonicalOf(body, "request").value).toEqual({
    generationConfig: { responseSchema: { properties: { a_b: { minItems: 1 } } } },
  });
});

test("if both spellings stand, the reference one counts and the other is told", () => {
  const { value, spelling } = canonicalOf({ tool_config: 1, toolConfig: 2 }, "request");
  expect(value).toEqual({ toolConfig: 2 });
  expect(spelling?.aliases).toEqual([
    { pointer: "/tool_config", name: "tool_config", camel: "toolConfig", both: true },
  ]);
});

test("replies are read in both spellings, single objects in them are not lists", () => {
  expect(canonicalOf({ candidates: [{ finish_reason: "STOP" }] }, "response").value).toEqual({
    candidates: [{ finishReason: "STOP" }],
  });
  const single = { candidates: { content: {} } };
  expect(canonicalOf(single, "response").value).toBe(single);
});

test("an error in an array of one is read as the error, for the streaming operation only", () => {
  const wrapped = [{ error: { code: 400 } }];
  const { value, original } = canonicalOfStream(wrapped, "response");
  expect(value).toEqual({ error: { code: 400 } });
  expect(original("/error/code")).toBe("/0/error/code");
  expect(original("/0/error/code")).toBe("/0/error/code");
  expect(canonicalOf(wrapped, "response").value).toBe(wrapped);
});

test("prototype names and deep nesting are data like any other", () => {
  const hostile = JSON.parse('{"__proto__": {"a": 1}, "generation_config": {}}');
  expect(Object.keys(canonicalOf(hostile, "request").value as object)).toEqual(["__proto__", "generationConfig"]);
  let schema: object = {};
  for (let i = 0; i < 5000; i++) schema = { items: schema };
  expect(() => canonicalOf({ generation_config: { response_schema: schema } }, "request")).not.toThrow();
});
