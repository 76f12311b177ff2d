import { describe, expect, test } from "vitest";
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { groundOf } from "../../prove/ground.ts";
import { prove } from "../../prove/prove.ts";
import { editHeader, editTarget } from "../../wire/edit.ts";
import { examples } from "./examples/request.ts";
import { catalogue, decidable, faultsOf, levelsOf, requestOf } from "./request.test-kit.ts";

const names = namesFrom();
const at = { source: "", exchange: 0 };
const ground = await groundOf(catalogue);
const judged = examples.map(({ name, exchange }) => ({
  name,
  exchange,
  result: judge(exchange, at, catalogue, { names, policy: lenient }),
}));

test.each(judged)("a good request has no finding above a note: $name", ({ result }) => {
  expect(result.findings.filter(({ level }) => level !== "note")).toEqual([]);
});

test("every decidable clause on requests passes an example and fails a broken one for its own reason", () => {
  const sections = new Set(decidable.map(({ section }) => section));
  expect(
    prove(catalogue, ground, (clause) => clause.interface === "chat-completions" && sections.has(clause.section)).gaps,
  ).toEqual([]);
});

test("a kind of part that stands elsewhere is named as what may not stand here", () => {
  const exchange = requestOf({ messages: [{ role: "system", content: [{ type: "image_url" }] }] });
  const { findings } = judge(exchange, at, catalogue, { names, policy: lenient });
  expect(findings.map(({ expected, actual }) => [expected, actual])).toEqual([
    ['anything but "image_url"', '"image_url"'],
  ]);
});

describe("one fault gives one finding", () => {
  const user = (...content: unknown[]) => ({ messages: [{ role: "user", content }] });
  const system = (...content: unknown[]) => ({ messages: [{ role: "system", content }] });
  test.each<[string, object, string]>([
    ["a role nobody knows", { messages: [{ role: "robot", content: "x", extra: 1 }] }, "conversation.role-values"],
    ["a message without role", { messages: [{ content: "x" }] }, "conversation.role-required"],
    ["a part type nobody knows", user({ type: "video" }), "conversation.user-content-parts"],
    ["an unknown part in a system message", system({ type: "video" }), "conversation.system-content-parts"],
    ["an image in a system message", system({ type: "image_url" }), "conversation.image-part-place"],
    ["a refusal in a user message", user({ type: "refusal", refusal: "no" }), "conversation.refusal-part-place"],
    [
      "an array as function content",
      { messages: [{ role: "function", name: "f", content: [] }] },
      "conversation.function-content-type",
    ],
    [
      "an assistant without content or call",
      { messages: [{ role: "assistant" }] },
      "conversation.assistant-content-required",
    ],
    [
      "an assistant whose calls are none",
      { messages: [{ role: "assistant", content: null, tool_calls: [] }] },
      "conversation.assistant-content-required",
    ],
    [
      "a format type nobody knows",
      { response_format: { type: "yaml", json_schema: {} } },
      "request.response-format-type-values",
    ],
    ["a bare string as response_format", { response_format: "text" }, "request.response-format-type"],
    ["a schema format without schema", { response_format: { type: "json_schema" } }, "request.json-schema-required"],
    ["a tool of another type", { tools: [{ type: "retrieval", retrieval: {} }] }, "tools.tool-type-values"],
    ["a tool choice nobody knows", { tool_choice: "always" }, "tools.tool-choice-values"],
    ["a fifth stop sequence", { stop: ["a", "b", "c", "d", "e"] }, "request.stop-count"],
    ["top_logprobs without logprobs", { top_logprobs: 2 }, "request.top-logprobs-needs-logprobs"],
    ["top_logprobs with logprobs null", { top_logprobs: 2, logprobs: null }, "request.top-logprobs-needs-logprobs"],
    ["stream options without a stream", { stream_options: {} }, "request.stream-options-needs-stream"],
    ["spoken output without audio", { modalities: ["text", "audio"] }, "request.audio-required-for-output"],
    [
      "spoken output with audio null",
      { modalities: ["audio", "text"], audio: null },
      "request.audio-required-for-output",
    ],
    ["a number where an integer belongs", { n: 1.5 }, "request.n-type"],
    ["a boolean where an integer belongs", { seed: true }, "request.seed-type"],
    [
      "parameters that are no JSON Schema",
      { tools: [{ type: "function", function: { name: "f", parameters: { properties: { city: "string" } } } }] },
      "tools.tool-parameters-valid",
    ],
    [
      "a schema that is no JSON Schema",
      {
        messages: [{ role: "user", content: "JSON, please." }],
        response_format: { type: "json_schema", json_schema: { name: "f", schema: { type: "dictionary" } } },
      },
      "request.json-schema-schema-valid",
    ],
    [
      "a refusal as part of a prediction",
      { prediction: { type: "content", content: [{ type: "refusal" }] } },
      "request.prediction-part-type-values",
    ],
    [
      "a location without type",
      { web_search_options: { user_location: { approximate: {} } } },
      "tools.approximate-type-required",
    ],
  ])("%s", (_name, members, clause) => {
    expect(faultsOf(requestOf(members))).toEqual({ [clause]: "error" });
  });

  test("an unknown member is a warning that names the member it may have meant", () => {
    const { findings } = judge(requestOf({ max_token: 5 }), at, catalogue, { names, policy: lenient });
    expect(findings.map(({ clause, level, message }) => [clause, level, message.includes("max_tokens")])).toEqual([
      ["chat-completions.request.unknown-members", "warning", true],
    ]);
  });
});

describe("the credential", () => {
  const withHeader = (value: string | undefined) => editHeader(requestOf({}), "request", "authorization", value);
  test.each<[string | undefined, string]>([
    [undefined, "auth.authorization-required"],
    ["Basic YTpi", "auth.authorization-scheme"],
    ["a-key", "auth.authorization-scheme"],
    ["Bearer", "auth.authorization-key"],
    ["Bearer  two-spaces", "auth.authorization-key"],
    ["Bearer\tkey", "auth.authorization-key"],
  ])("%j breaks one clause", (value, clause) => {
    expect(levelsOf(withHeader(value))).toEqual({ [clause]: "error" });
  });

  test("its absence proves nothing where recorders may drop it", () => {
    const bound = namesFrom({ credentials: "may-be-dropped" });
    const { findings, undecided } = judge(withHeader(undefined), at, catalogue, { names: bound, policy: lenient });
    expect(findings).toEqual([]);
    expect(undecided.map(({ clause }) => clause)).toEqual(["chat-completions.auth.authorization-required"]);
  });

  test("a finding does not repeat a key", () => {
    const { findings } = judge(withHeader("Token s3cret-key"), at, catalogue, { names, policy: lenient });
    expect(JSON.stringify(findings)).not.toContain("s3cret");
  });
});

describe("the path", () => {
  const withPath = (path: string) => editTarget(requestOf({}), () => path);
  test.each<[string, Record<string, string>]>([
    ["/api/v1/chat/completions", {}],
    ["/v1/chat/completions?api-version=1", {}],
    ["/v4/chat/completions", { "request.path-version": "error" }],
    ["/chat/completions", { "request.path-version": "warning" }],
    ["/openai/deployments/x/chat/completions", { "request.path-version": "warning" }],
  ])("%s", (path, levels) => {
    expect(levelsOf(withPath(path))).toEqual(levels);
  });
});

describe("models of the reasoning series", () => {
  const judgeWith = (members: object, models: Record<string, string[]>) =>
    judge(requestOf(members), at, catalogue, { names: namesFrom({ models }), policy: lenient });

  test("their rules give no verdict for a model nobody bound", () => {
    const system = { messages: [{ role: "system", content: "x" }] };
    const { findings, undecided } = judgeWith({ ...system, reasoning_effort: "low", max_tokens: 5 }, {});
    expect(findings.map(({ level }) => level)).toEqual(["note"]);
    expect(undecided.map(({ clause }) => clause.replace(/.*\./, "")).sort()).toEqual([
      "max-tokens-models",
      "reasoning-effort-models",
      "system-role-replaced",
    ]);
  });

  test("max_tokens does not go to them, reasoning_effort to no others", () => {
    const models = { reasoning: ["r*"], "not-reasoning": ["s*"] };
    const clauses = (members: object) =>
      judgeWith(members, models)
        .findings.filter(({ level }) => level === "error")
        .map(({ clause }) => clause);
    expect(clauses({ model: "r1", max_tokens: 5, reasoning_effort: "low" })).toEqual([
      "chat-completions.request.max-tokens-models",
    ]);
    expect(clauses({ model: "s1", max_tokens: 5, reasoning_effort: "low" })).toEqual([
      "chat-completions.request.reasoning-effort-models",
    ]);
  });
});
