/** A target whose answers do not end is asked a few times, and then no more. */

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { stalled } from "../../wire/send.ts";
import { endlessAnswers, runSender } from "./sender.ts";

const request = { method: "GET", target: "/", headers: [], body: new Uint8Array() };

/** A server that says this and then goes on as long as it is read; every so many milliseconds, where they are given. */
async function endless(head: string, piece: string, every?: number): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => {
      asked++;
      socket.write(head);
      if (every !== undefined) {
        const timer = setInterval(() => socket.write(piece), every);
        return void socket.on("close", () => clearInterval(timer));
      }
      const pour = (): void => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on("drain", pour);
      pour();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

test("after eight answers without end nothing is asked any more, and of each the beginning is kept", async () => {
  const { url, asked } = await endless("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(10_000));
  const sender = runSender({ maxIdleMs: 60_000, maxTimeMs: 600_000, maxBodyBytes: 2 << 20, retries: 0 });
  onTestFinished(() => sender.close());
  for (let i = 0; i < 8; i++) {
    const { exchange, failure } = await sender.send(url, request);
    expect(failure).toMatchObject({ kind: "unanswered", endless: true });
    expect(exchange.response!.body.length).toBeLessThanOrEqual(1 << 20);
    expect(exchange.response!.body.length + exchange.response!.cut!).toBeGreaterThan(2 << 20);
    const kept = exchange.response!.chunks!.reduce((sum, [, length]) => sum + length, 0);
    expect(kept).toBe(exchange.response!.body.length);
  }
  const { failure } = await sender.send(url, request);
  expect(failure).toMatchObject({ kind: "unreachable", problem: expect.stringContaining(endlessAnswers) });
  expect(asked()).toBe(8);
});

test("an answer in pieces without number is broken off before they fill the memory", async () => {
  const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const { url } = await endless(head, "1\r\n:\r\n".repeat(10_000));
  const sender = runSender({ maxIdleMs: 60_000, maxTimeMs: 600_000, maxBodyBytes: 64 << 20, retries: 0 });
  onTestFinished(() => sender.close());
  const { failure } = await sender.send(url, request);
  expect(failure).toMatchObject({ endless: true, problem: expect.stringMatching(/went on after \d+ pieces/) });
});

test.each([
  ["interim answers", "", "HTTP/1.1 103 Early Hints\r\n\r\n"],
  ["headers", "HTTP/1.1 200 OK\r\n", "x: y\r\n"],
  ["a chunk header", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", "x"],
  ["trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "x: y\r\n"],
])("an answer that goes on with %s alone is one without end", async (_, head, piece) => {
  const { url } = await endless(head, piece, 5);
  const sender = runSender({ maxIdleMs: 400, maxTimeMs: 600_000, maxBodyBytes: 64 << 20, retries: 0 });
  onTestFinished(() => sender.close());
  const { failure } = await sender.send(url, request);
  expect(failure).toMatchObject({ kind: "timed-out", endless: true });
});

test("a target whose first two answers go on for too long, and none of which is whole, is asked nothing more", async () => {
  const { url, asked } = await endless("HTTP/1.1 200 OK\r\n", "x: y\r\n", 5);
  const sender = runSender({ maxIdleMs: 400, maxTimeMs: 600_000, maxBodyBytes: 64 << 20, retries: 0 });
  onTestFinished(() => sender.close());
  for (let i = 0; i < 2; i++) expect((await sender.send(url, request)).failure?.kind).toBe("timed-out");
  const { failure } = await sender.send(url, request);
  expect(failure).toMatchObject({ kind: "unreachable", problem: expect.stringContaining(endlessAnswers) });
  expect(asked()).toBe(2);
});

test("an answer that stops within a chunk header stopped, and did not go on", async () => {
  const { url } = await endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;", "", 5);
  const sender = runSender({ maxIdleMs: 100, maxTimeMs: 600_000, maxBodyBytes: 64 << 20, retries: 0 });
  onTestFinished(() => sender.close());
  expect((await sender.send(url, request)).failure).toEqual({ kind: "timed-out", problem: stalled });
});
