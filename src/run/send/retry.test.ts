/** Holds how long a run waits before it asks again, and what it asks again at all. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { jsonRequest } from "../../wire/build.ts";
import { createSender, type Sender } from "../../wire/send.ts";
import { type Clock, delayBefore, withRate, withRetries } from "./retry.ts";

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

test("a wait that is no number of seconds and no date is none that it said", () => {
  for (const said of ["0x10", "-5", "1e9", "", "later"]) expect(delayBefore(told(said), 1, 0, 0.5)).toBe(500);
});

test("each wait is twice the one before, give or take a half, if the answer does not say", () => {
  expect([1, 2, 3].map((attempt) => delayBefore(null, attempt, 0, 0.5))).toEqual([500, 1000, 2000]);
  expect(delayBefore(told("soon"), 1, 0, 0)).toBe(250);
});

test("a request that is answered 429 or 503, or reset before an answer, is sent again as often as allowed; a refused one is not", async () => {
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

/** A clock that stands still but for waiting, and a target that answers as a function of its time. */
function scripted(answer: (at: number) => number, retryAfter = "20") {
  let now = 0;
  const asked: number[] = [];
  const clock: Clock = {
    now: () => now,
    wait: async (milliseconds) => void (now += milliseconds),
  };
  const sender: Sender = {
    async send(origin, request) {
      asked.push(now);
      const response = { status: answer(now), headers: [["retry-after", retryAfter]] as const, body: Buffer.alloc(0) };
      return { exchange: { origin, started: 0, request, response } };
    },
    close: async () => undefined,
  };
  return { clock, sender, asked };
}

test("a path that says nothing but later is waited for three minutes in all, and then asked once a request", async () => {
  const { clock, sender, asked } = scripted(() => 429, "60");
  const patient = withRetries(sender, 20, clock);
  const ask = () => patient.send("http://127.0.0.1", jsonRequest("/v1/messages", [], {}));
  expect((await ask()).exchange.response?.status).toBe(429);
  expect(asked).toEqual([0, 60_000, 120_000, 180_000]);
  for (let i = 0; i < 5; i++) await ask();
  expect(asked).toHaveLength(9);
});

test("while a target asks to wait, no other request is sent to the same path, and others are", async () => {
  const { clock, sender, asked } = scripted((at) => (at < 20_000 ? 429 : 200));
  const patient = withRetries(sender, 3, clock);
  const ask = (path: string) => patient.send("http://127.0.0.1", jsonRequest(path, [], {}));
  await ask("/v1/messages");
  await ask("/v1/messages?again");
  expect(asked).toEqual([0, 20_000, 20_000]);
});

test("requests begin no faster than the rate, those asked again among them", async () => {
  const { clock, sender, asked } = scripted((at) => (at < 1000 ? 503 : 200), "0");
  const slow = withRetries(withRate(sender, 4, clock), 3, clock);
  for (let i = 0; i < 3; i++) await slow.send("http://127.0.0.1", jsonRequest(`/${i}`, [], {}));
  expect(asked).toEqual([250, 500, 750, 1000, 1250, 1500]);
});

test("a connection that is refused soon after a reset is no attempt, and one that is refused later is", async () => {
  let now = 0;
  const clock: Clock = { now: () => now, wait: async (milliseconds) => void (now += milliseconds) };
  /** A server that resets the first connection and is back after a time. */
  const restarting = (back: number): Sender & { sent: number } => ({
    sent: 0,
    async send(origin, request) {
      this.sent++;
      const exchange = { origin, request, response: null, aborted: "upstream" as const };
      if (this.sent === 1) return { exchange, failure: { kind: "reset", problem: "reset" } };
      if (now < back) return { exchange, failure: { kind: "unreachable", problem: "refused" } };
      return { exchange: { origin, request, response: { status: 200, headers: [], body: Buffer.of() } } };
    },
    close: async () => {},
  });
  const ask = (sender: Sender, retries: number) =>
    withRetries(sender, retries, clock).send("http://a.example", jsonRequest("/v1/messages", [], {}));
  expect((await ask(restarting(4000), 1)).exchange.response?.status).toBe(200);
  now = 0;
  expect((await ask(restarting(60_000), 3)).failure?.kind).toBe("unreachable");
  const once = restarting(0);
  expect([(await ask(once, 0)).failure?.kind, once.sent]).toEqual(["reset", 1]);
});

test("a time-out is not asked again: it may have cost what it was to cost", async () => {
  let asked = 0;
  const server = createServer(() => void asked++);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const sender = withRetries(createSender({ maxIdleMs: 60, maxTimeMs: 60_000, maxBodyBytes: 1000 }), 3);
  onTestFinished(() => sender.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sent = await sender.send(origin, jsonRequest("/v1/messages", [], {}));
  expect([sent.failure?.kind, asked]).toEqual(["timed-out", 1]);
});
