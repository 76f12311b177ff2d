/** Each reading that concerns requests grades as decided, by default and when strict. */
import { describe, expect, test } from "vitest";
import { utf8 } from "../../wire/build.ts";
import { editHeader } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { type Data, pixel, weather, weatherUse } from "./examples/parts.ts";
import { asked, bystanders, faults, graded, type ReadingCase } from "./judge.test-kit.ts";

const image = (data: string): Exchange =>
  asked({
    model: "third-generation",
    messages: [
      { role: "user", content: [{ type: "image", source: { type: "base64", media_type: "image/png", data } }] },
    ],
  });
const saying = (content: unknown): Data => ({ messages: [{ role: "user", content }] });
const trip = (...rest: Data[]): Exchange =>
  asked({
    tools: [weather],
    messages: [{ role: "user", content: "Go." }, { role: "assistant", content: [weatherUse] }, ...rest],
  });
const result = { type: "tool_result", tool_use_id: "toolu_01", content: "4" };
const thinking = (budget_tokens: number): Exchange =>
  asked({ max_tokens: 2000, thinking: { type: "enabled", budget_tokens } });
const written = (text: string): Exchange => {
  const { request, response } = asked({});
  return { request: { ...request, body: utf8(text) }, response };
};

const cases: readonly ReadingCase[] = [
  ["M-TEMP", "temperature 1", asked({ temperature: 1 }), "request.temperature-range", "note", "error"],
  ["M-TEMP", "temperature 0", asked({ temperature: 0 }), "request.temperature-range", "note", "error"],
  ["M-TEMP", "temperature 1.1", asked({ temperature: 1.1 }), "request.temperature-range", "error", "error"],
  ["M-MAXTOK", "max_tokens 1", asked({ max_tokens: 1 }), "request.max-tokens-range", "warning", "error"],
  ["M-MAXTOK", "max_tokens 0", asked({ max_tokens: 0 }), "request.max-tokens-range", "error", "error"],
  ["M-TOPP", "top_p 1", asked({ top_p: 1 }), "request.top-p-range", "warning", "error"],
  ["M-TOPP", "top_p 1.5", asked({ top_p: 1.5 }), "request.top-p-range", "error", "error"],
  [
    "C-ADVICE",
    "temperature and top_p adjusted",
    asked({ temperature: 0.5, top_p: 0.5 }),
    "request.temperature-or-top-p",
    "note",
    "warning",
  ],
  [
    "C-ADVICE",
    "top_p adjusted, temperature its default",
    asked({ temperature: 1, top_p: 0.5 }),
    "request.temperature-or-top-p",
    "off",
    "warning",
  ],
  ["M-BUDGET", "budget 1024", thinking(1024), "request.budget-minimum", "off", "error"],
  ["M-BUDGET", "budget 1023", thinking(1023), "request.budget-minimum", "error", "error"],
  ["M-BUDGET", "budget equal to max_tokens", thinking(2000), "request.budget-below-max-tokens", "error", "error"],
  [
    "M-THINKING-BLOCK",
    "thinking sent back",
    asked({
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: [{ type: "thinking", thinking: "Hm." }] },
      ],
    }),
    "content.no-thinking-blocks",
    "warning",
    "error",
  ],
  [
    "M-EMPTY-STRING",
    "content is an empty string",
    asked(saying("")),
    "request.content-string-not-empty",
    "warning",
    "error",
  ],
  [
    "M-TOOLRESULT",
    "a result that answers nothing",
    trip({ role: "user", content: [{ ...result, tool_use_id: "other" }] }),
    "tools.result-answers-use",
    "error",
    "error",
  ],
  [
    "M-TOOLRESULT",
    "a result from the assistant",
    trip({ role: "assistant", content: [result] }),
    "tools.result-from-user",
    "error",
    "error",
  ],
  [
    "M-TOOLRESULT",
    "a result in a later turn",
    trip(
      { role: "user", content: "Wait." },
      { role: "assistant", content: "Yes." },
      { role: "user", content: [result] },
    ),
    "tools.result-follows-use",
    "warning",
    "error",
  ],
  [
    "M-TOOLRESULT",
    "no result",
    trip({ role: "user", content: "Never mind." }),
    "tools.use-answered",
    "warning",
    "error",
  ],
  [
    "M-TOOLRESULT",
    "two results",
    trip({ role: "user", content: [result, result] }),
    "tools.use-answered-once",
    "warning",
    "error",
  ],
  [
    "M-TC",
    "tool_choice none",
    asked({ tools: [weather], tool_choice: { type: "none" } }),
    "tools.choice-type-values",
    "error",
    "error",
  ],
  [
    "M-TC",
    "tool_choice without tools",
    asked({ tool_choice: { type: "auto" } }),
    "tools.choice-with-tools",
    "warning",
    "error",
  ],
  [
    "M-TC",
    "tool_choice of an undeclared tool",
    asked({ tools: [weather], tool_choice: { type: "tool", name: "x" } }),
    "tools.choice-name-declared",
    "warning",
    "error",
  ],
  [
    "M-VERSION",
    "another version",
    editHeader(asked({}), "request", "partner-version", "2030-01-01"),
    "request.version-sample",
    "off",
    "warning",
  ],
  [
    "M-VERSION",
    "no version",
    editHeader(asked({}), "request", "partner-version", undefined),
    "request.version-required",
    "error",
    "error",
  ],
  ["M-BETA", "an empty beta name", asked({}, [["partner-beta", "beta1, ,beta2"]]), "request.beta-list", "off", "error"],
  [
    "M-FIRST-ROLE",
    "the assistant opens",
    asked({ messages: [{ role: "assistant", content: "Hi" }] }),
    "request.first-role",
    "off",
    "warning",
  ],
  [
    "M-BUILTIN-BETA",
    "a built-in tool without a beta name",
    asked({ tools: [{ type: "bash_20241022", name: "bash" }] }),
    "tools.built-in-beta",
    "off",
    "note",
  ],
  [
    "M-DOC-SOURCE",
    "a document of any source",
    asked(saying([{ type: "document", source: { url: 4 } }])),
    "content.document-source-object",
    "off",
    "off",
  ],
  ["X-NULL", "null for an optional member", asked({ system: null }), "request.system-type", "warning", "error"],
  ["X-NULL", "null for a required member", asked({ model: null }), "request.model-type", "error", "error"],
  [
    "X-EXTRA",
    "an unknown member of a request",
    asked({ temprature: 1 }),
    "request.unknown-members",
    "warning",
    "error",
  ],
  [
    "X-EXTRA",
    "fields of disabled thinking",
    asked({ thinking: { type: "disabled", budget_tokens: 2000 } }),
    "request.thinking-disabled-fields",
    "warning",
    "error",
  ],
  ["X-EMPTY", "no messages", asked({ messages: [] }), "request.messages-not-empty", "warning", "error"],
  ["X-EMPTY", "no content blocks", asked(saying([])), "request.content-blocks-not-empty", "warning", "error"],
  ["X-EMPTY", "no tools", asked({ tools: [], stop_sequences: [] }), "tools.tools-array", "off", "off"],
  [
    "X-CHARS",
    "256 characters of two UTF-16 units",
    asked({ model: "\u{1F600}".repeat(256) }),
    "request.length-units",
    "note",
    "error",
  ],
  ["X-CHARS", "256 characters of two bytes", asked({ model: "é".repeat(256) }), "request.length-units", "note", "note"],
  ["X-CHARS", "257 characters", asked({ model: "é".repeat(257) }), "request.model-max-length", "error", "error"],
  ["X-BASE64", "URL-safe and unpadded", image("_-8"), "content.image-data-canonical", "off", "error"],
  ["X-BASE64", "bits left over", image("iVBORw0KGh=="), "content.image-data-canonical", "warning", "error"],
  [
    "X-BASE64",
    "a line break",
    image(`${pixel.slice(0, 8)}\n${pixel.slice(8)}`),
    "content.image-data-base64",
    "error",
    "error",
  ],
  ["X-BASE64", "nothing", image(""), "content.image-data-base64", "error", "error"],
  [
    "X-INT",
    "an integer with a fraction",
    written('{"model":"m","max_tokens":9.0,"messages":[{"role":"user","content":"Hi"}]}'),
    "request.max-tokens-type",
    "warning",
    "error",
  ],
  ["X-INT", "a text for an integer", asked({ max_tokens: "9" }), "request.max-tokens-type", "error", "error"],
  [
    "X-DUP",
    "a member twice",
    written('{"model":"m","model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}'),
    "request.duplicate-keys",
    "warning",
    "error",
  ],
  [
    "X-CT-PARAMS",
    "a charset",
    editHeader(asked({}), "request", "Content-Type", "application/json; charset=utf-8"),
    "request.content-type-json",
    "off",
    "error",
  ],
];

describe("readings", () => {
  test.each(cases)("%s: %s", (...one) => {
    expect(graded(one)).toEqual([one[4], one[5]]);
  });

  test.each(cases.filter(([, , , , byDefault]) => byDefault !== "off"))("%s: %s breaks nothing else", (...one) => {
    expect(bystanders(one)).toEqual([]);
  });
});

describe("a message nobody can read may have held the tool use that a result answers", () => {
  test.each<[unknown, string]>([
    [7, "request.message-object"],
    [{ role: "assistant", content: 7 }, "request.content-type"],
    [{ role: "assistant", content: [7] }, "content.block-object"],
    [{ role: "assistant", content: [{ ...weatherUse, type: 7 }] }, "content.type-string"],
    [{ role: "assistant", content: [{ ...weatherUse, id: 7 }] }, "content.tool-use-id-type"],
  ])("%j", (unreadable, clause) => {
    const messages = [{ role: "user", content: "Go." }, unreadable, { role: "user", content: [result] }];
    expect(faults(asked({ tools: [weather], messages }))).toEqual([`${clause} error`]);
  });
});
