/** `touchstone record` in front of a server of WebSockets: what passes, what is kept, and what nobody is to read. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import type { ExchangeJson } from "../cassette/format.ts";
import { key, record } from "./recorder.test-kit.ts";

test("a WebSocket passes unjudged, with --enforce too, and its key is in nothing that is written or shown", async () => {
  const upstream = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => upstream.close());
  upstream.on("connection", (socket) => socket.on("message", (data) => socket.send(`${data} ${key}`)));
  await once(upstream, "listening");
  const session = await record(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`, "--enforce");
  const protocols = ["realtime", `openai-insecure-api-key.${key}`];
  const headers = { Authorization: `Bearer ${key}` };
  const client = new WebSocket(`${session.url}/v1/chat/completions?key=${key}`, protocols, { headers });
  await once(client, "open");
  client.send(`{"temperature":9,"key":"${key}"}`);
  expect(String((await once(client, "message"))[0])).toContain(key);
  client.close();
  await once(client, "close");
  expect(await session.end()).toBe(0);
  const written = readFileSync(session.out, "utf8");
  for (const text of [written, session.stdout(), session.stderr()]) expect(text).not.toContain(key);
  const { request, response }: ExchangeJson = JSON.parse(written.split("\n")[1]!);
  expect(request.headers).toContainEqual(["Upgrade", "websocket"]);
  expect(response).toMatchObject({ status: 101, upgraded: { sent: expect.any(Number), received: expect.any(Number) } });
  expect(session.stdout()).toMatch(/^ +0 {2}GET \/v1\/chat\/completions {2}101 /m);
  expect(session.stdout()).not.toContain("error ");
  expect(session.stderr()).toContain("passed --enforce without being judged: it asks for a WebSocket");
});
