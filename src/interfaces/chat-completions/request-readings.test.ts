import { expect, test } from "vitest";
import { utf8 } from "../../wire/build.ts";
import { editBody, editHeader } from "../../wire/edit.ts";
import { outcomesOf, type ReadingCase, requestOf } from "./request.test-kit.ts";

const messages = (...list: object[]) => ({ messages: list });
const schemaNamed = (name: string) => ({ response_format: { type: "json_schema", json_schema: { name } } });
const header = (name: string, value: string) => editHeader(requestOf({}), "request", name, value);
const withText = (n: string) =>
  editBody(requestOf({}), "request", utf8(`{"model":"m","messages":[{"role":"user","content":"x"}],"n":${n}}`));

const cases: readonly ReadingCase[] = [
  ["X-NULL", "a null optional member", { user: null }, "request.user-type", "warning", "error"],
  ["X-NULL", "a null required member", { model: null }, "request.model-type", "error", "error"],
  ["X-EXTRA", "an unknown member", { verbosity: "low" }, "request.unknown-members", "warning", "error"],
  ["X-INCLUSIVE", "an end of a range", { temperature: 2 }, "request.temperature-range", "silent", "silent"],
  ["X-EMPTY", "no messages", messages(), "request.messages-not-empty", "warning", "error"],
  [
    "X-CHARS",
    "64 characters in more UTF-16 units",
    { metadata: { ["😀".repeat(64)]: "" } },
    "request.metadata-length-unit",
    "note",
    "error",
  ],
  [
    "X-CHARS",
    "64 characters in more bytes",
    { metadata: { ["é".repeat(64)]: "" } },
    "request.metadata-length-unit",
    "note",
    "note",
  ],
  [
    "X-CHARS",
    "65 characters",
    { metadata: { ["😀".repeat(65)]: "" } },
    "request.metadata-key-length",
    "error",
    "error",
  ],
  [
    "X-HEADER-CASE",
    "bearer in lower case",
    header("Authorization", "bearer k"),
    "auth.authorization-scheme",
    "silent",
    "error",
  ],
  [
    "X-CT-PARAMS",
    "a charset",
    header("Content-Type", "application/json; charset=utf-8"),
    "request.content-type",
    "silent",
    "error",
  ],
  ["X-INT", "an integer as 1.0", withText("1.0"), "request.n-type", "warning", "error"],
  ["X-INT", "an integer as text", { n: "1" }, "request.n-type", "error", "error"],
  ["X-DUP", "a member twice", withText('1,"n":2'), "request.duplicate-keys", "warning", "error"],
  [
    "C-ADVICE",
    "temperature and top_p",
    { temperature: 0.1, top_p: 0.1 },
    "request.temperature-or-top-p",
    "note",
    "warning",
  ],
  [
    "C-ADVICE",
    "both, one at its default",
    { temperature: 1, top_p: 0.1 },
    "request.temperature-or-top-p",
    "silent",
    "warning",
  ],
  [
    "C-MODALITIES",
    "audio alone",
    { modalities: ["audio"], audio: { format: "mp3", voice: "ash" } },
    "request.modalities-combination",
    "warning",
    "error",
  ],
  [
    "C-MODALITIES",
    "another order",
    { modalities: ["audio", "text"], audio: { format: "mp3", voice: "ash" } },
    "request.modalities-combination",
    "silent",
    "error",
  ],
  [
    "C-PREDICTION-PART",
    "an image predicted",
    { prediction: { type: "content", content: [{ type: "image_url", text: "x" }] } },
    "request.prediction-part-type-values",
    "error",
    "error",
  ],
  ["C-TOPP", "top_p above 1", { top_p: 1.1 }, "request.top-p-range", "warning", "error"],
  ["C-TOPP", "top_p 0", { top_p: 0 }, "request.top-p-range", "silent", "error"],
  ["C-N-RANGE", "no choices", { n: 0 }, "request.n-range", "warning", "error"],
  ["C-N-RANGE", "no tokens", { max_completion_tokens: 0 }, "request.max-completion-tokens-range", "warning", "error"],
  [
    "C-BOTH-MAX",
    "two bounds",
    { max_tokens: 5, max_completion_tokens: 5 },
    "request.one-token-bound",
    "warning",
    "warning",
  ],
  ["C-LOGIT-NULL", "logit_bias null", { logit_bias: null }, "request.logit-bias-null", "silent", "warning"],
  ["C-LOGIT-NULL", "a word as token id", { logit_bias: { cat: 1 } }, "request.logit-bias-keys", "warning", "error"],
  ["C-RF-DEFAULT", "a bare format", { response_format: "text" }, "request.response-format-type", "error", "error"],
  [
    "C-JSON-MODE",
    "JSON mode nobody speaks of",
    { response_format: { type: "json_object" } },
    "request.json-mode-instruction",
    "warning",
    "warning",
  ],
  ["C-NAME", "letters beyond ASCII", schemaNamed("été"), "request.json-schema-name-characters", "error", "error"],
  ["C-NAME", "an empty name", schemaNamed(""), "request.json-schema-name-characters", "error", "error"],
];

test.each(cases)("%s: %s", (_reading, _what, sent, clause, byDefault, strict) => {
  expect(outcomesOf(sent, clause)).toEqual([byDefault, strict]);
});
