/** Holds the translator as a server: answers, streams that pass as they come, failures, cuts and clients that leave. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { Catalogue } from "../../check/catalogue.ts";
import { namesFrom } from "../../check/names.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { serveReference } from "../../reference/serve.ts";
import { sseEvent } from "../../wire/build.ts";
import type { Route } from "../trip.ts";
import { breakFact, combineChanges } from "./break-fact.ts";
import { serveTranslator } from "./serve.ts";
import { type Change, noChange } from "./translate.ts";

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await openCatalogue();
});

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function gateway(route: Route, upstream: string, change: Change = noChange): Promise<string> {
  const server = await serveTranslator({
    route,
    upstream,
    change,
    catalogue,
    names: namesFrom(),
    now: () => 1_750_000_000,
  });
  open.push(server.close);
  return server.url;
}

/** An upstream that answers as a test says. */
async function upstreamOf(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const chatToMessages: Route = { from: "chat-completions", to: "messages" };
const hello = {
  model: "messages-model",
  messages: [{ role: "user" as const, content: "[[say:Good day to you all.]]" }],
};

const ask = (base: string, body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer a-key", "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

test("the client of one interface gets answers of another, whole and streamed", async () => {
  const reference = await serveReference(catalogue);
  open.push(reference.close);
  const client = new OpenAI({
    apiKey: "a-key",
    baseURL: `${await gateway(chatToMessages, reference.url)}/v1`,
    maxRetries: 0,
  });
  const whole = await client.chat.completions.create(hello);
  expect(whole.choices[0]?.message.content).toBe("Good day to you all.");
  expect(whole.usage?.completion_tokens).toBeGreaterThan(0);
  const stream = await client.chat.completions.create({ ...hello, stream: true });
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  expect(text).toBe("Good day to you all.");
});

test("calls of tools come through with their ids, and their results go back", async () => {
  const reference = await serveReference(catalogue);
  open.push(reference.close);
  const client = new OpenAI({
    apiKey: "a-key",
    baseURL: `${await gateway(chatToMessages, reference.url)}/v1`,
    maxRetries: 0,
  });
  const tools = [
    {
      type: "function" as const,
      function: {
        name: "look_up",
        parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      },
    },
  ];
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "[[call]]" }];
  const first = await client.chat.completions.create({ model: "messages-model", messages, tools });
  const [call] = first.choices[0]?.message.tool_calls ?? [];
  expect(first.choices[0]?.finish_reason).toBe("tool_calls");
  expect(call).toMatchObject({
    id: expect.stringMatching(/^toolu_/),
    function: { name: "look_up", arguments: '{"city":"text"}' },
  });
  messages.push(first.choices[0]!.message, { role: "tool", tool_call_id: call!.id, content: "11 °C" });
  const second = await client.chat.completions.create({ model: "messages-model", messages, tools });
  expect(second.choices[0]?.finish_reason).toBe("stop");
});

test("the first piece of a stream passes before the upstream has sent the last one", async () => {
  let finish = (): void => {};
  const upstream = await upstreamOf((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(sseEvent({ type: "message_start", message: { id: "m", model: "x" } }, "message_start"));
    response.write(sseEvent({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }));
    response.write(sseEvent({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "first" } }));
    finish = () => {
      response.write(
        sseEvent({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } }),
      );
      response.end(sseEvent({ type: "message_stop" }));
    };
  });
  const response = await ask(await gateway(chatToMessages, upstream), { ...hello, stream: true });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("first")) text += (await reader.read()).value;
  expect(text).not.toContain('finish_reason":"stop');
  finish();
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
  expect(text).toContain('finish_reason":"stop');
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
});

test("a stream that the upstream breaks off is broken off for the client, without an end", async () => {
  const upstream = await upstreamOf((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(sseEvent({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "half" } }));
    setImmediate(() => response.destroy());
  });
  const response = await ask(await gateway(chatToMessages, upstream), { ...hello, stream: true });
  await expect(response.text()).rejects.toThrow();
});

test("an error amid a stream is told as one", async () => {
  const upstream = await upstreamOf((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(sseEvent({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "half" } }));
    response.end(sseEvent({ type: "error", error: { type: "rate_limit_error", message: "Slow down." } }));
  });
  const text = await (await ask(await gateway(chatToMessages, upstream), { ...hello, stream: true })).text();
  expect(text).toContain('"message":"Slow down."');
  expect(text).not.toContain("[DONE]");
});

test("a failure keeps its class and its retry-after, and the key moves to its place", async () => {
  const keys: unknown[] = [];
  const upstream = await upstreamOf((request, response) => {
    keys.push(request.headers["x-api-key"]);
    response.writeHead(429, { "retry-after": "7", "content-type": "application/json" });
    response.end(
      JSON.stringify({ type: "error", error: { type: "rate_limit_error", message: "Slow down.", code: "x" } }),
    );
  });
  const response = await ask(await gateway(chatToMessages, upstream), hello);
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
  expect(((await response.json()) as { error: object }).error).toMatchObject({ message: "Slow down.", code: "rate" });
  expect(keys).toEqual(["a-key"]);
});

test.each([
  [noChange, true],
  [breakFact("answer", "disconnect", "change"), false],
])("a client that leaves ends the work of the upstream, unless that is broken", async (change, isTold) => {
  let arrived = (): void => {};
  const asked = new Promise<void>((resolve) => (arrived = resolve));
  let isClosed = false;
  const upstream = await upstreamOf((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(sseEvent({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "x" } }));
    response.once("close", () => (isClosed = true));
    arrived();
  });
  const leaving = new AbortController();
  const response = await ask(
    await gateway(chatToMessages, upstream, change),
    { ...hello, stream: true },
    leaving.signal,
  );
  await asked;
  leaving.abort();
  await response.text().catch(() => "");
  if (isTold) await expect.poll(() => isClosed, { timeout: 10_000 }).toBe(true);
  else expect(isClosed).toBe(false);
});

test("between clients and an upstream of one interface, bytes pass as they are", async () => {
  const reference = await serveReference(catalogue);
  open.push(reference.close);
  const base = await gateway({ from: "chat-completions", to: "chat-completions" }, reference.url);
  const answers = await Promise.all(
    [base, reference.url].map(async (url) => (await ask(url, { ...hello, service_tier: "flex" })).json()),
  );
  const [through, direct] = answers.map((answer) => ({ ...(answer as object), created: 0 }));
  expect(through).toEqual(direct);
});

test("what is no request of the clients' interface is refused in its words", async () => {
  const base = await gateway(chatToMessages, "http://127.0.0.1:9");
  const response = await fetch(`${base}/v1/models`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { message: "This is no request of chat-completions." } });
});

test("an upstream that is not there is told as one that gave no answer", async () => {
  const closed = await upstreamOf(() => {});
  await open.pop()!();
  const response = await ask(await gateway(chatToMessages, closed), hello);
  expect(response.status).toBe(502);
});

test("several facts are broken together", async () => {
  const received: string[] = [];
  const upstream = await upstreamOf(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push(body);
    response.writeHead(500).end("{}");
  });
  const drop = (fact: string): Change => breakFact("request", fact, "drop");
  const url = await gateway(
    chatToMessages,
    upstream,
    combineChanges([drop("sampling.temperature"), drop("stop.sequences")]),
  );
  await ask(url, { ...hello, temperature: 0.5, top_p: 0.5, stop: ["END"] });
  const body = JSON.parse(received[0]!);
  expect(body).toMatchObject({ top_p: 0.5 });
  expect(body).not.toHaveProperty("temperature");
  expect(body).not.toHaveProperty("stop_sequences");
});
