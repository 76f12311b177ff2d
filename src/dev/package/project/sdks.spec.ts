/** The official SDKs in a test of their own: what they send and get through a watched fetch conforms. */
import { readFileSync } from "node:fs";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI, { toFile } from "openai";
import { type Server, serve, watch } from "touchstone";
import "touchstone/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";

let server: Server;
beforeAll(async () => void (server = await serve()));
afterAll(() => server.close());

const question = [{ role: "user" as const, content: "What is the weather in Paris?" }];

test("openai", async () => {
  const { fetch, exchanges } = watch();
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "test-key", fetch });
  await client.chat.completions.create({ model: "m", messages: question });
  let chunks = 0;
  for await (const _ of await client.chat.completions.create({ model: "m", messages: question, stream: true }))
    chunks++;
  await client.images.generate({ model: "dall-e-2", prompt: "a cat", response_format: "b64_json" });
  const image = await toFile(readFileSync("cat.png"), "cat.png", { type: "image/png" });
  await client.images.edit({ model: "dall-e-2", image, prompt: "a dog" });
  expect(chunks).toBeGreaterThan(1);
  expect(exchanges.map(({ request }) => request.target)).toEqual([
    "/v1/chat/completions",
    "/v1/chat/completions",
    "/v1/images/generations",
    "/v1/images/edits",
  ]);
  expect(exchanges).toConform({ preset: "vendors" });
});

test("@anthropic-ai/sdk", async () => {
  const { fetch, exchanges } = watch();
  const client = new Anthropic({ baseURL: server.url, apiKey: "test-key", fetch });
  await client.messages.create({ model: "m", max_tokens: 100, messages: question });
  const stream = client.messages.stream({ model: "m", max_tokens: 100, messages: question });
  expect((await stream.finalMessage()).role).toBe("assistant");
  expect(exchanges).toHaveLength(2);
  expect(exchanges).toConform({ preset: "vendors" });
});

test("@google/genai", async () => {
  const { fetch, exchanges } = watch();
  const client = new GoogleGenAI({ apiKey: "test-key", httpOptions: { baseUrl: server.url, fetch } });
  await client.models.generateContent({ model: "m", contents: "What is the weather in Paris?" });
  const stream = await client.models.generateContentStream({ model: "m", contents: "And in Rome?" });
  for await (const { text } of stream) expect(typeof text).not.toBe("object");
  expect(exchanges).toHaveLength(2);
  expect(exchanges).toConform({ preset: "vendors" });
});

test("options are known to the compiler", () => {
  // @ts-expect-error: there is no such option
  expect([]).toConform({ allowEmpty: true, presets: "vendors" });
});
