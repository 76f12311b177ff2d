import { describe, expect, test } from "vitest";
import { lenient } from "../../check/clause.ts";
import { namesFrom } from "../../check/names.ts";
import { readSubject } from "../../check/subject.ts";
import { examples } from "../../interfaces/chat-completions/examples/index.ts";
import { headers, tool } from "../../interfaces/chat-completions/examples/response.ts";
import { chatCompletions } from "../../interfaces/chat-completions/index.ts";
import { replyOf } from "../../interfaces/chat-completions/reading/reply.ts";
import { catalogue, strictly } from "../../interfaces/chat-completions/request.test-kit.ts";
import { decidable, judged } from "../../interfaces/chat-completions/response.test-kit.ts";
import { jsonRequest } from "../../wire/build.ts";
import type { Exchange, WireRequest } from "../../wire/exchange.ts";
import type { Reply as WireReply } from "../../wire/listen.ts";
import { createReference } from "../reference.ts";

const serve = createReference(catalogue, () => "http://127.0.0.1:1");
const post = (body: object): WireRequest => jsonRequest("/v1/chat/completions", headers, body);
const ask = (text: string, more: object = {}) => ({
  model: "chat-1",
  messages: [{ role: "user", content: text }],
  ...more,
});

function exchangeWith(request: WireRequest): Exchange {
  const { status, headers: sent, pieces } = serve(request);
  return { request, response: { status, headers: sent, body: Buffer.concat(pieces.map(({ bytes }) => bytes)) } };
}

const bodyOf = ({ pieces }: WireReply) => JSON.parse(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString("utf8"));

const tools = [tool("get_weather"), tool("get_time")];
const json = { response_format: { type: "json_object" } };
const wav = { modalities: ["text", "audio"], audio: { format: "wav", voice: "alloy" } };
const directed: readonly object[] = [
  ask("[[say:Grüße 😀 at last]]"),
  ask("[[say:]]"),
  ask("[[words:40]]", { n: 3, max_completion_tokens: 11 }),
  ask("[[words:5]]", { max_tokens: 2 }),
  ask("[[refuse]]", { logprobs: true, top_logprobs: 2 }),
  ask("[[filter]]"),
  ask("[[improbable]]", { logprobs: true, top_logprobs: 20 }),
  ask("[[call]]", { tools }),
  ask("[[call:get_time]]", { tools }),
  ask("[[calls:3]]", { tools }),
  ask("[[calls:3]]", { tools, parallel_tool_calls: false }),
  ask("[[call]] [[refuse]]", { tools }),
  ask("[[call]]", { functions: [{ name: "f" }] }),
  ask("x", { functions: [{ name: "f" }], function_call: { name: "f" } }),
  ask("x", { tools, tool_choice: "required", n: 2, logprobs: true }),
  ask("x", { stop: ["the "] }),
  ask("JSON", { ...json, n: 2 }),
  ask("JSON", { ...json, stop: "{" }),
  ask("JSON", { ...json, max_tokens: 1 }),
  ask("x", { ...wav, n: 2 }),
  ask("x", { ...wav, audio: { format: "mp3", voice: "alloy" } }),
  ask("x", { web_search_options: {} }),
  ask("[[words:4]]", { prediction: { type: "content", content: "word1 word2 other" }, reasoning_effort: "low" }),
  ask("x", { service_tier: "auto" }),
];
const posted = examples
  .filter(({ exchange, probe }) => exchange.request.method === "POST" && !probe)
  .map(({ exchange }) => JSON.parse(Buffer.from(exchange.request.body).toString("utf8")) as object);
const counted = { stream: true, stream_options: { include_usage: true } };
const asked = [...directed, ...posted];
const exchanges = asked.flatMap((body) =>
  [{ stream: undefined, stream_options: undefined }, { stream: true, stream_options: undefined }, counted].map((way) =>
    exchangeWith(post({ ...body, ...way })),
  ),
);

test.each([
  ["default", lenient, []],
  // The member that streams calls, refusals and audio is no documented member of a delta.
  ["strict", strictly, ["chat-completions.streaming.delta-members"]],
] as const)("every reply it sends judges without a finding, readings %s", (_name, policy, allowed) => {
  const found = exchanges.flatMap((exchange) =>
    judged(exchange, policy).findings.filter(({ side, level }) => side === "response" && level !== "note"),
  );
  expect(found.filter(({ clause }) => !(allowed as readonly string[]).includes(clause))).toEqual([]);
});

test("every clause on replies is reached by some request", () => {
  const lists = ["/v1/chat/completions", "/v1/chat/completions/x/messages"].map((target) =>
    exchangeWith({ method: "GET", target, headers, body: new Uint8Array() }),
  );
  const reached = [...exchanges, ...lists].map((exchange) => judged(exchange).exercised);
  const ofLaws = new Set(chatCompletions.laws?.map(({ clause }) => clause));
  const never = decidable.filter(
    ({ id }) => !ofLaws.has(id) && !reached.some((exercised) => exercised[catalogue.indexOf(id)]),
  );
  expect(never.map(({ id }) => id)).toEqual([
    "chat-completions.errors.bad-request-status",
    "chat-completions.errors.invalid-request-refused",
  ]);
});

test("a stream put together again means what the whole reply means", () => {
  const operation = chatCompletions.operations[0]!;
  const meaning = (exchange: Exchange) =>
    replyOf(readSubject(exchange, { interface: chatCompletions, operation }, namesFrom()))?.choices.map((one) => ({
      index: one.index,
      text: one.content || null,
      refusal: one.refusal || null,
      calls: one.calls.map(({ name, arguments: given }) => [name, given]),
      functionCall: one.functionCall && [one.functionCall.name, one.functionCall.arguments],
      tokens: one.entries.map(({ value }) => value["token"]),
      annotations: one.annotations.map(({ value }) => value),
      finish: one.finish,
    }));
  for (const body of directed) {
    const whole = meaning(exchangeWith(post({ ...body, stream: undefined })));
    expect(whole?.length).toBeGreaterThan(0);
    expect(meaning(exchangeWith(post({ ...body, ...counted })))).toEqual(whole);
  }
});

test("the same request gets the same bytes", () => {
  const request = post(ask("[[calls:2]]", { tools, n: 2, logprobs: true }));
  expect(serve(request)).toEqual(serve(request));
});

describe("it refuses", () => {
  const withKey = (value: string | undefined): WireRequest =>
    jsonRequest("/v1/chat/completions", value === undefined ? [] : [["Authorization", value]], ask("x"));
  test.each<[string, WireRequest, number, string | null]>([
    ["a missing key", withKey(undefined), 401, null],
    ["a wrong key", withKey("Bearer wrong-key"), 401, null],
    ["a scheme it does not know", withKey("Basic abc"), 401, null],
    ["an unknown model", post({ ...ask("x"), model: "unknown-1" }), 404, "model"],
    ["a value out of range", post(ask("x", { temperature: 3 })), 400, "temperature"],
    [
      "a fault in depth",
      post(ask("x", { tools: [{ type: "function", function: {} }] })),
      400,
      "tools[0].function.name",
    ],
    ["no JSON", { ...post({}), body: Buffer.from("{") }, 400, null],
    ["another method", { ...post(ask("x")), method: "PUT" }, 405, null],
    ["another version", { ...post(ask("x")), target: "/v9/chat/completions" }, 404, null],
    ["a forced call without tools", post(ask("x", { tool_choice: "required" })), 400, "tool_choice"],
    ["what it is told to", post(ask("[[error:429]]")), 429, null],
  ])("%s", (_what, request, status, param) => {
    const reply = serve(request);
    expect(reply.status).toBe(status);
    expect(bodyOf(reply).error).toMatchObject({ message: expect.any(String), type: expect.any(String), param });
  });
});

test("directives break a stream off and slow it down", () => {
  const { pieces, abort } = serve(post(ask("[[break:2]] [[pace:5]]", { stream: true })));
  expect(abort).toBe(true);
  expect(pieces.map(({ after }) => after)).toEqual([5, 5]);
});

test("a tool's result is answered, not asked for again", () => {
  const messages = [
    { role: "user", content: "[[call]]" },
    {
      role: "assistant",
      tool_calls: [{ id: "c", type: "function", function: { name: "get_weather", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "c", content: "Sun." },
  ];
  const { choices } = bodyOf(serve(post({ model: "chat-1", messages, tools })));
  expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: expect.stringMatching(/./) } });
});
