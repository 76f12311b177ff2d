/** Answers that a test scripts, as clients see them, and the requests that came. */
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { check, serve, watch } from "../index.ts";

async function served() {
  const server = await serve();
  onTestFinished(() => server.close());
  return server;
}

test("an official SDK meets the scripted failures in order, asks again, and reaches the reference behind them", async () => {
  const server = await served();
  server.next({ status: 429, headers: { "retry-after-ms": "1" } }, { status: 503, headers: { "retry-after-ms": "1" } });
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "a-key", maxRetries: 2 });
  const { choices } = await client.chat.completions.create({
    model: "m",
    messages: [{ role: "user", content: "[[say:Here.]]" }],
  });
  expect(choices[0]?.message.content).toBe("Here.");
  expect(server.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(
    Array(3).fill("POST /v1/chat/completions"),
  );
  expect(server.requests[2]?.body).toMatchObject({ model: "m", messages: [{ role: "user" }] });
});

const asked: readonly [path: string, body: object, headers: Readonly<Record<string, string>>][] = [
  ["/v1/chat/completions", { model: "m", messages: [{ role: "user", content: "Hi." }] }, { authorization: "Bearer k" }],
  ["/v1/images/generations", { prompt: "A circle." }, { authorization: "Bearer k" }],
  [
    "/v1/messages",
    { model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi." }] },
    { "x-api-key": "k", "anthropic-version": "2023-06-01" },
  ],
  ["/v1beta/models/m:generateContent", { contents: [{ parts: [{ text: "Hi." }] }] }, { "x-goog-api-key": "k" }],
];

test.each(asked)("a scripted failure of %s has the error body of its interface", async (path, body, headers) => {
  const server = await served();
  for (const status of [400, 401, 404, 429, 500, 503]) {
    server.next({ status });
    const { fetch, exchanges } = watch();
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    };
    const answer = await fetch(`${server.url}${path}`, init);
    await answer.text();
    expect(answer.status).toBe(status);
    const { findings } = await check(exchanges, { preset: "vendors" });
    expect(findings.filter(({ level }) => level === "error")).toEqual([]);
  }
});

test("a scripted answer may be any text, may come late, and may break off", async () => {
  const server = await served();
  server.next({ body: "<h1>Busy</h1>", headers: { "content-type": "text/html" }, delay: 20 }, { abort: true });
  const answer = await fetch(server.url);
  expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
    404,
    "text/html",
    "<h1>Busy</h1>",
  ]);
  await expect(fetch(server.url)).rejects.toThrow("fetch failed");
  expect(() => server.next({ status: 99 })).toThrow("status: 99");
});

const circular: { self?: unknown } = {};
circular.self = circular;

test.each([
  ["a status of no response", { status: 99 }],
  ["a line break in a header", { headers: { "x-a": "b\r\nset-cookie: c" } }],
  ["a line break in the name of a header", { headers: { "x\na": "b" } }],
  ["a header without a value", { headers: { "x-a": undefined as unknown as string } }],
  ["a negative delay", { delay: -1 }],
  ["an endless delay", { delay: Number.POSITIVE_INFINITY }],
  ["a delay that is no number", { delay: Number.NaN }],
  ["a delay beyond the timers of Node", { delay: 2 ** 31 }],
  ["a circular body", { body: circular }],
  ["a number without JSON form", { body: 1n }],
  ["a function", { body: () => 1 }],
])("next() rejects %s, and takes none of the responses of that call", async (_, answer) => {
  const server = await served();
  expect(() => server.next({ status: 503 }, answer)).toThrow(/^next\(/);
  const [path, body, headers] = asked[0]!;
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
});
