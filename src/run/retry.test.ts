/** Holds how long a run waits before it asks again, and what it asks again at all. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { jsonRequest } from "../wire/build.ts";
import { createSender } from "../wire/send.ts";
import { delayBefore, withRetries } from "./retry.ts";

const told = (retryAfter: string) => ({
  status: 429,
  headers: [["Retry-After", retryAfter]] as const,
  body: Buffer.alloc(0),
});

test("a target says how long to wait, in seconds or as a date, and no wait is longer than a minute", () => {
  const now = Date.parse("2026-01-02T03:04:05Z");
  expect(delayBefore(told("3"), 1, now)).toBe(3000);
  expect(delayBefore(told("Fri, 02 Jan 2026 03:04:15 GMT"), 1, now)).toBe(10_000);
  expect(delayBefore(told("Fri, 02 Jan 2026 03:04:00 GMT"), 1, now)).toBe(0);
  expect(delayBefore(told("86400"), 1, now)).toBe(60_000);
});

test("where it does not say, each wait is twice the one before, give or take a half", () => {
  expect([1, 2, 3].map((attempt) => delayBefore(null, attempt, 0, 0.5))).toEqual([500, 1000, 2000]);
  expect(delayBefore(told("soon"), 1, 0, 0)).toBe(250);
});

test("what is answered 429 or 503, or reset before an answer, is asked again as often as allowed; a refusal is not", async () => {
  const script: (number | "reset")[] = [429, "reset", 503, 200, 400, 429, 429, 429];
  let asked = 0;
  const server = createServer((request, response) => {
    const next = script[asked++]!;
    if (next === "reset") return void request.socket.destroy();
    response.writeHead(next, { "retry-after": "0" }).end("{}");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const sender = withRetries(createSender(), 3);
  onTestFinished(() => sender.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (): Promise<number | undefined> =>
    (await sender.send(origin, jsonRequest("/v1/messages", [], {}))).exchange.response?.status;
  expect([await ask(), asked]).toEqual([200, 4]);
  expect([await ask(), asked]).toEqual([400, 5]);
  const patient = withRetries(createSender(), 2);
  onTestFinished(() => patient.close());
  expect((await patient.send(origin, jsonRequest("/v1/messages", [], {}))).exchange.response?.status).toBe(429);
  expect(asked).toBe(8);
});
