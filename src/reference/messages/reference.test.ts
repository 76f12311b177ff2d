/** The reference implementation of messages: judged without findings, directed as documented, understood by the vendor's SDK. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lenient, type Policy } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { type Bindings, namesFrom } from "../../check/names.ts";
import { home } from "../../home.ts";
import { clock, type Data, pixel, request, weather, weatherUse } from "../../interfaces/messages/examples/parts.ts";
import { catalogue, levels } from "../../interfaces/messages/judge.test-kit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { type Listening, listen, type Reply } from "../../wire/listen.ts";
import { createReference } from "../reference.ts";

const answer = createReference(catalogue, () => "http://localhost");
const strictly: Policy = { strict: "all", openEnums: false };

function exchangeOf(asking: Exchange["request"]): Exchange {
  const reply = answer(asking) as Reply;
  const body = Buffer.concat(reply.pieces.map(({ bytes }) => bytes));
  return { request: asking, response: { status: reply.status, headers: reply.headers, body } };
}

function bodyOf({ response }: Exchange): Data & { content: Data[] } {
  return JSON.parse(Buffer.from(response!.body).toString());
}

const say = (text: string, more: Data = {}): Data => ({ messages: [{ role: "user", content: text }], ...more });
const tools = [weather, clock, { type: "bash_20241022", name: "bash" }];

/** The requests, and the part of the reply that shows the effect. */
const asks: readonly (readonly [string, Data, Data])[] = [
  ["plainly", say("Hello"), { stop_reason: "end_turn", content: [{ type: "text", text: "You said: Hello" }] }],
  ["in someone's words", say("[[say:Good day]]"), { content: [{ type: "text", text: "Good day" }] }],
  ["for words", say("[[words:2]]"), { content: [{ type: "text", text: "word1 word2" }] }],
  [
    "for two blocks",
    say("[[say:Good day]] [[blocks]]"),
    {
      content: [
        { type: "text", text: "Good" },
        { type: "text", text: " day" },
      ],
    },
  ],
  ["for nothing", say("[[empty]]"), { content: [], stop_reason: "end_turn" }],
  ["for more than the limit", say("[[words:9]]", { max_tokens: 3 }), { stop_reason: "max_tokens" }],
  [
    "up to a stop sequence",
    say("a # b", { stop_sequences: ["%", "#"] }),
    { stop_reason: "stop_sequence", stop_sequence: "#" },
  ],
  ["with a stop", say("a [[stop]]", { stop_sequences: ["#"] }), { stop_reason: "stop_sequence", stop_sequence: "#" }],
  ["with a call", say("[[call]]", { tools }), { stop_reason: "tool_use" }],
  [
    "with two calls",
    say("[[call:get_time,bash]]", { tools, tool_choice: { type: "auto" } }),
    { stop_reason: "tool_use" },
  ],
  [
    "for one of two calls",
    say("[[call:get_time,bash]]", { tools, tool_choice: { type: "any", disable_parallel_tool_use: true } }),
    { stop_reason: "tool_use" },
  ],
  ["for any tool", say("Go.", { tools, tool_choice: { type: "any" } }), { stop_reason: "tool_use" }],
  ["for a named tool", say("Go.", { tools, tool_choice: { type: "tool", name: "bash" } }), { stop_reason: "tool_use" }],
  ["for a call beyond the limit", say("[[call]]", { tools, max_tokens: 2 }), { stop_reason: "max_tokens" }],
  [
    "to go on",
    {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Well" },
      ],
    },
    { content: [{ type: "text", text: " and so it goes on." }] },
  ],
  [
    "to complete JSON",
    {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: '{"country":"France", "capital": "' },
      ],
    },
    { content: [{ type: "text", text: 'and so it goes on"}' }] },
  ],
  [
    "after a tool result",
    {
      tools,
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: [weatherUse] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_01", content: "4" }] },
      ],
    },
    { stop_reason: "end_turn" },
  ],
];

describe("asked", () => {
  test.each(asks)("%s", (_how, ask, shows) => {
    const exchange = exchangeOf(request(ask));
    expect(bodyOf(exchange)).toMatchObject(shows);
    expect(levels(exchange)).toEqual([]);
    expect(exchangeOf(request(ask))).toEqual(exchange);
  });

  test.each(asks)("%s, as a stream that means the same", (_how, ask) => {
    const exchange = exchangeOf(request({ ...ask, stream: true }));
    expect(levels(exchange)).toEqual([]);
    expect(exchange.response?.headers).toContainEqual(["Content-Type", "text/event-stream"]);
  });

  test("strictly, only what clients need beside the documented members is found", () => {
    const strictLevels = (stream: boolean) =>
      levels(exchangeOf(request(say("Hello", { stream, system: "Be brief." }))), strictly);
    expect(strictLevels(false)).toEqual([]);
    expect(strictLevels(true)).toEqual(["streaming.described-members warning"]);
  });

  test("to think aloud and to ping, only notes are found", () => {
    const more = { max_tokens: 4096, thinking: { type: "enabled", budget_tokens: 2048 }, stream: true };
    expect(levels(exchangeOf(request(say("[[think]] [[ping]]", more))))).toEqual([
      "streaming.event-types note",
      "response.block-type-values note",
    ]);
  });
});

describe("refuses", () => {
  const keyless = { ...request(), headers: request().headers.slice(1) };
  const wrongKey = { ...request(), headers: [["x-api-key", "wrong-key"] as const, ...request().headers.slice(1)] };
  test.each([
    ["no key", keyless, 401, "authentication_error"],
    ["a wrong key", wrongKey, 401, "authentication_error"],
    ["a broken parameter", request({ max_tokens: 0 }), 400, "invalid_request_error"],
    ["a body that is no JSON", { ...request(), body: Buffer.from("{") }, 400, "invalid_request_error"],
    ["an unknown model", request({ model: "unknown-1" }), 404, "invalid_request_error"],
    ["a choice without tools", request({ tool_choice: { type: "any" } }), 400, "invalid_request_error"],
    ["to work too often", request(say("[[fail:429]]")), 429, "rate_limit_error"],
    ["to work at all", request(say("[[fail:500]]", { stream: true })), 500, "server_error"],
  ])("%s", (_what, asking, status, type) => {
    const exchange = exchangeOf(asking);
    expect(exchange.response?.status).toBe(status);
    expect(bodyOf(exchange)).toMatchObject({ type: "error", error: { type } });
    const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, {
      names: namesFrom(),
      policy: lenient,
      side: "response",
    });
    expect(findings).toEqual([]);
  });
});

describe("the vendor's SDK", () => {
  const vendors = JSON.parse(readFileSync(join(home, "schemas", "presets", "vendors.json"), "utf8")) as Bindings;
  const names = namesFrom(vendors, { credentials: "kept" });
  let listening: Listening;
  let client: Anthropic;
  const ask = (text: string, more: object = {}) => ({
    model: "example-model-3",
    max_tokens: 1024,
    messages: [{ role: "user" as const, content: text }],
    ...more,
  });
  const vendorTools = [weather, clock] as unknown as Anthropic.Tool[];

  beforeAll(async () => {
    listening = await listen(createReference(catalogue, () => listening.url, names));
    client = new Anthropic({ apiKey: "sk-example", baseURL: listening.url, maxRetries: 0 });
  });
  afterAll(() => listening.close());

  test("reads a whole reply", async () => {
    const reply = await client.messages.create(ask("Hello"));
    expect(reply.content).toEqual([{ type: "text", text: "You said: Hello" }]);
    expect(reply.stop_reason).toBe("end_turn");
  });

  test("puts a stream together to the whole reply", async () => {
    const texts: string[] = [];
    const stream = client.messages.stream(ask("Hello over there, how are you?")).on("text", (text) => texts.push(text));
    const reply = await stream.finalMessage();
    const whole = await client.messages.create(ask("Hello over there, how are you?"));
    expect(texts.join("")).toBe("You said: Hello over there, how are you?");
    expect({ ...reply, id: "", parsed_output: null }).toMatchObject({ ...whole, id: "" });
  });

  test("puts streamed tool calls together", async () => {
    const params = ask("[[call:get_weather,get_time]]", { tools: vendorTools });
    const reply = await client.messages.stream(params).finalMessage();
    expect(reply.stop_reason).toBe("tool_use");
    expect(reply.content.filter(({ type }) => type === "tool_use")).toMatchObject([
      { name: "get_weather", input: { city: expect.any(String) } },
      { name: "get_time", input: {} },
    ]);
  });

  test("sends images and tool results that are accepted", async () => {
    const reply = await client.messages.create({
      ...ask(""),
      tools: vendorTools,
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } },
            { type: "text", text: "What is this?" },
          ],
        },
        { role: "assistant", content: [weatherUse as unknown as Anthropic.ToolUseBlockParam] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_01", content: "a pixel" }] },
      ],
    });
    expect(reply.stop_reason).toBe("end_turn");
  });

  test("thinks aloud", async () => {
    const params = ask("[[think]] [[ping]] Hello", {
      max_tokens: 4096,
      thinking: { type: "enabled" as const, budget_tokens: 2048 },
    });
    const reply = await client.messages.stream(params).finalMessage();
    expect(reply.content).toMatchObject([
      { type: "thinking", thinking: "The caller wants me to think aloud.", signature: "c2lnbmVk" },
      { type: "text", text: "You said: Hello" },
    ]);
  });

  test("knows the errors by their status", async () => {
    await expect(client.messages.create(ask("Hi", { max_tokens: 0 }))).rejects.toThrow(Anthropic.BadRequestError);
    await expect(client.messages.create(ask("[[fail:429]]"))).rejects.toThrow(Anthropic.RateLimitError);
    await expect(client.messages.create(ask("[[fail:500]]"))).rejects.toThrow(Anthropic.InternalServerError);
    await expect(client.messages.create(ask("Hi", { model: "unknown-1" }))).rejects.toThrow(Anthropic.NotFoundError);
    const stranger = new Anthropic({ apiKey: "wrong-key", baseURL: listening.url, maxRetries: 0 });
    await expect(stranger.messages.stream(ask("Hi")).finalMessage()).rejects.toThrow(Anthropic.AuthenticationError);
  });
});
