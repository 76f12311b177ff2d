/** Good chat replies have no findings, and each fault in a whole one gives one finding. */
import { describe, expect, test } from "vitest";
import { lenient } from "../../check/clause.ts";
import { namesFrom } from "../../check/names.ts";
import { readSubject } from "../../check/subject.ts";
import { editJson } from "../../wire/edit.ts";
import { interfaces } from "../index.ts";
import { examples as lists } from "./examples/lists.ts";
import { refusals } from "./examples/refusals.ts";
import { call, choice, completion, examples as replies, tool } from "./examples/response.ts";
import { examples as streams } from "./examples/stream.ts";
import { catalogue, strictly } from "./request.test-kit.ts";
import { decidable, faultsOf, judged, whole } from "./response.test-kit.ts";

const chatCompletions = interfaces.find(({ name }) => name === "chat-completions")!;

const text = choice({ content: "Hello there!" });
const called = (...calls: unknown[]) => choice({ tool_calls: calls }, "tool_calls");
const weather = { tools: [tool("get_weather")] };

const good = [...replies, ...streams, ...lists];
const results = new Map(good.map(({ name, exchange }) => [name, judged(exchange)]));

test.each(good)("a good reply has no finding above a note: $name", ({ name }) => {
  expect(results.get(name)?.findings.filter(({ level }) => level !== "note")).toEqual([]);
});

test("good replies exercise every decidable clause but those that need a bad request or several exchanges", () => {
  const together = chatCompletions.laws!.map(({ clause }) => clause);
  const dead = decidable.filter(
    ({ id }) =>
      !together.includes(id) && ![...results.values()].some(({ exercised }) => exercised[catalogue.indexOf(id)]),
  );
  expect(dead.map(({ id }) => id)).toEqual([
    "chat-completions.errors.bad-request-status",
    "chat-completions.errors.invalid-request-refused",
  ]);
});

describe("every rule finds what its spoil breaks, and nothing else", () => {
  const ids = new Set(decidable.map(({ id }) => id));
  const rules = chatCompletions.rules.filter(
    ({ clause }) => ids.has(clause) && !/bad-request-status|request-refused/.test(clause),
  );
  test.each(rules)("$clause", (rule) => {
    const exact = good.some(({ exchange }) => {
      const { method } = exchange.request;
      const operation = chatCompletions.operations.find((one) => one.method === method)!;
      const subject = readSubject(exchange, { interface: chatCompletions, operation }, namesFrom());
      const broken = rule.applies(subject) ? rule.spoil(exchange) : undefined;
      if (!broken) return false;
      return [lenient, strictly].some((policy) => {
        const before = new Set(judged(exchange, policy).findings.map(({ clause }) => clause));
        const { findings } = judged(broken, policy);
        const others = findings.filter(
          ({ clause, level }) => clause !== rule.clause && level !== "note" && !before.has(clause),
        );
        return findings.some(({ clause }) => clause === rule.clause) && others.length === 0;
      });
    });
    expect(exact).toBe(true);
  });
});

test("a broken request that is accepted is found out only where it was sent on purpose", () => {
  const [refused] = refusals;
  const accepted = { ...refused!.exchange, response: whole({}, completion([choice({ content: "Hi." })])).response };
  expect(faultsOf(accepted)).toEqual([]);
});

describe("one fault in a whole reply gives one finding", () => {
  test.each<[string, object, unknown, string]>([
    ["an error under a success status", {}, { error: { message: "No." } }, "error errors.no-error-in-success"],
    ["no choices", {}, completion([]), "error exchange.choice-count"],
    [
      "an extra choice",
      {},
      completion([text, choice({ content: "Hi." }, "stop", { index: 1 })]),
      "error exchange.choice-count",
    ],
    ["a choice too few", { n: 2 }, completion([text]), "error exchange.choice-count"],
    [
      "the first of two choices missing",
      { n: 2 },
      completion([choice({ content: "Hi." }, "stop", { index: 1 })]),
      "error exchange.choice-count",
    ],
    ["an index twice", { n: 2 }, completion([text, text]), "error response.index-position"],
    [
      "an index counted from one",
      {},
      completion([choice({ content: "Hi." }, "stop", { index: 1 })]),
      "error response.index-position",
    ],
    [
      "choices out of order",
      { n: 2 },
      completion([choice({ content: "Hi." }, "stop", { index: 1 }), text]),
      "warning response.index-position",
    ],
    ["a null choice", {}, completion([null]), "error response.choice-type"],
    [
      "a null message",
      {},
      completion([{ index: 0, message: null, finish_reason: "stop" }]),
      "error response.message-type",
    ],
    ["a null usage", {}, completion([text], { usage: null }), "warning response.usage-type"],
    ["no usage", {}, completion([text], { usage: undefined }), "warning response.usage-required"],
    [
      "tool calls as an object",
      weather,
      completion([choice({ content: null, tool_calls: {} })]),
      "error response.tool-calls-type",
    ],
    [
      "arguments as an object",
      weather,
      completion([called({ id: "c", type: "function", function: { name: "get_weather", arguments: {} } })]),
      "error response.tool-call-arguments-type",
    ],
    [
      "a call without function",
      weather,
      completion([called({ id: "c", type: "function" })]),
      "error response.tool-call-function-required",
    ],
    [
      "log probabilities of the wrong type",
      { logprobs: true },
      completion([choice({ content: "Hi." }, "stop", { logprobs: { content: {}, refusal: null } })]),
      "error response.logprobs-content-type",
    ],
    [
      "no call of the function named the old way",
      { functions: [{ name: "get_weather" }], function_call: { name: "get_weather" } },
      completion([text]),
      "warning exchange.function-call-function",
    ],
    [
      "a call nobody declared",
      weather,
      completion([called(call("c", "launch", "Oslo"))]),
      "warning exchange.tool-name-declared",
    ],
    [
      "a call without tools",
      {},
      completion([called(call("c", "get_weather", "Oslo"))]),
      "error exchange.no-tools-no-calls",
    ],
    [
      "a call with tool choice none and no tools",
      { tool_choice: "none" },
      completion([called(call("c", "get_weather", "Oslo"))]),
      "error exchange.tool-choice-none",
    ],
    [
      "another function than the chosen one",
      {
        tools: [tool("get_weather"), tool("get_time")],
        tool_choice: { type: "function", function: { name: "get_time" } },
      },
      completion([called(call("c", "get_weather", "Oslo"))]),
      "error exchange.tool-choice-function",
    ],
    [
      "a finish reason without its calls",
      weather,
      completion([choice({ content: "Hi." }, "tool_calls")]),
      "error response.finish-reason-tool-calls",
    ],
    [
      "an unknown finish reason",
      {},
      completion([choice({ content: "Hi." }, "eos")]),
      "error response.finish-reason-values",
    ],
    [
      "a sum that does not add up",
      {},
      completion([text], { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 4 } }),
      "error response.total-tokens-sum",
    ],
    ["an integer as text", {}, completion([text], { created: "1735689600" }), "error response.created-type"],
    ["an integer with a fraction", {}, completion([text], { created: 1.5 }), "error response.created-type"],
    ["a stop sequence in the text", { stop: "there" }, completion([text]), "error exchange.stop-excluded"],
    ["more tokens than allowed", { max_completion_tokens: 3 }, completion([text]), "error exchange.token-bound"],
    [
      "text in JSON mode",
      { response_format: { type: "json_object" }, messages: [{ role: "user", content: "JSON" }] },
      completion([text]),
      "error exchange.json-mode",
    ],
    ["no tier though asked", { service_tier: "auto" }, completion([text]), "error exchange.service-tier-present"],
    ["no log probabilities though asked", { logprobs: true }, completion([text]), "error exchange.logprobs-given"],
    [
      "a citation that ends before it starts",
      {},
      completion([
        choice({
          content: "Hi.",
          annotations: [{ type: "url_citation", url_citation: { start_index: 2, end_index: 1, url: "", title: "" } }],
        }),
      ]),
      "error response.citation-order",
    ],
    [
      "audio that is no base64",
      { modalities: ["text", "audio"], audio: { format: "wav", voice: "alloy" } },
      completion([choice({ audio: { id: "a", data: "not base64!", transcript: "", expires_at: 1 } })]),
      "error response.audio-data-base64",
    ],
    [
      "audio in another format",
      { modalities: ["text", "audio"], audio: { format: "mp3", voice: "alloy" } },
      completion([
        choice({ audio: { id: "a", data: Buffer.from("fLaC....").toString("base64"), transcript: "", expires_at: 1 } }),
      ]),
      "error exchange.audio-format",
    ],
  ])("%s", (_what, asked, reply, finding) => {
    expect(faultsOf(whole(asked, reply))).toEqual([finding]);
  });

  test.each<[string, string]>([
    ["a schema unmet in depth", '{"place":{"city":7}}'],
    ["a member too many", '{"place":{"city":"Oslo"},"more":1}'],
    ["a member missing", "{}"],
    ["no JSON", "Oslo"],
  ])("a strict schema: %s", (_what, content) => {
    const schema = {
      type: "object",
      properties: { place: { $ref: "#/$defs/place" } },
      required: ["place"],
      additionalProperties: false,
      $defs: { place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
    };
    const asked = { response_format: { type: "json_schema", json_schema: { name: "place", strict: true, schema } } };
    expect(faultsOf(whole(asked, completion([choice({ content })])))).toEqual(["error exchange.json-schema-followed"]);
  });
});

test("a chat request sent with GET is told so", () => {
  const exchange = whole({}, completion([text]));
  const { findings } = judged({ ...exchange, request: { ...exchange.request, method: "GET" } });
  expect(findings.map(({ clause }) => clause)).toContain("chat-completions.request.method");
});

describe("what a request asks for wrongly, the reply does not owe", () => {
  const spoken = { modalities: ["text", "audio"], audio: { format: "aac", voice: "alloy" } };
  const forced = (name: string) => ({ tool_choice: { type: "function", function: { name } } });
  test.each<[string, object]>([
    ["an unknown tier", { service_tier: "fast" }],
    ["too many log probabilities", { logprobs: true, top_logprobs: 21 }],
    ["audio in an unknown format", spoken],
    ["a call, with no tools", { tool_choice: "required" }],
    ["an undeclared tool", { ...weather, ...forced("launch") }],
    ["an undeclared function", { functions: [{ name: "launch" }], function_call: { name: "land" } }],
  ])("%s", (_what, asked) => {
    expect(faultsOf(whole(asked, completion([text])))).toEqual([]);
  });
});

test("audio that only begins like a WAV file may be samples", () => {
  const asked = { modalities: ["text", "audio"], audio: { format: "pcm16", voice: "alloy" } };
  const audio = (data: string) => ({
    id: "a",
    data: Buffer.from(data).toString("base64"),
    transcript: "",
    expires_at: 1,
  });
  const reply = (data: string) => whole(asked, completion([choice({ audio: audio(data) })]));
  expect(faultsOf(reply("RIFF------"))).toEqual([]);
  expect(faultsOf(reply("RIFF----WAVEfmt "))).toEqual(["error exchange.audio-format"]);
});

test("nothing is held against a request that could not be read", () => {
  const exchange = whole({}, completion([called(call("c", "get_weather", "Oslo"))]));
  const cut = { ...exchange, request: { ...exchange.request, cut: 10 } };
  expect(faultsOf(cut)).toEqual([]);
});

test("a listed completion is judged like any other, and its counts too", () => {
  const { exchange } = lists.find(({ name }) => name === "a list of completions")!;
  const broken = editJson(exchange, "response", (body: { data: { usage: { total_tokens: number } }[] }) => {
    body.data[1]!.usage.total_tokens = 1;
  });
  expect(faultsOf(broken)).toEqual(["error response.total-tokens-sum"]);
});
