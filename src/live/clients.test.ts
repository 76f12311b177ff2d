/** Clients of the page's server that send what no browser does, or never read: who asks well is answered. */

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import net, { type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { headerLine } from "../cassette/write.ts";
import { shippedClauses } from "../interfaces/clause-data.ts";
import { interfaces } from "../interfaces/index.ts";
import { judgingFrom } from "../interfaces/judging.ts";
import type { Exchange } from "../wire/exchange.ts";
import { received } from "../wire/raw-client.test-kit.ts";
import type { Watcher } from "./in-flight.ts";
import type { Reader } from "./reader.ts";
import { openLive } from "./server.ts";
import { watch } from "./watch.ts";

async function opened() {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-clients-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const out = join(folder, "session.jsonl");
  writeFileSync(out, `${headerLine({})}\n`);
  const nothing = { count: 0, open: [], streams: [], ended: [] };
  const session = { url: "http://127.0.0.1:9", out, look: async () => nothing, lag: async () => 0 };
  const options = { interfaces, clauses: shippedClauses.clauses, upstreams: [], keys: {}, keepHeaders: [], redact: [] };
  const live = await openLive(session, judgingFrom({}, shippedClauses), options);
  onTestFinished(() => live.close());
  const { port, search } = new URL(live.url);
  const connect = (): Socket => {
    const socket = net.connect(Number(port), "127.0.0.1").on("error", () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { port, search, connect, well: async () => (await fetch(live.url)).status };
}

/** The bytes that come back until the server ends the connection. */
function answerTo(socket: Socket, bytes: string): Promise<string> {
  socket.write(Buffer.from(bytes, "latin1"));
  return received(socket);
}

test("bytes that are no request of a browser get a refusal at most, and others are answered as before", async () => {
  const { port, search, connect, well } = await opened();
  const asking = (path: string, host: string, more = ""): string =>
    `GET ${path} HTTP/1.1\r\n${host}${more}Connection: close\r\n\r\n`;
  const own = `Host: 127.0.0.1:${port}\r\n`;
  const bad: [bytes: string, status: number][] = [
    ["\x00\x16\x03\x01 no HTTP at all\r\n\r\n", 400],
    [asking(`/${search}`, ""), 400],
    [asking("/?token=\xff", own), 400],
    [asking(`/${search}`, own + own), 403],
    ...[
      `127.0.0.1.nip.io:${port}`,
      `localhost.:${port}`,
      `0.0.0.0:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      "127.0.0.1",
    ].map((host): [string, number] => [asking(`/${search}`, `Host: ${host}\r\n`), 403]),
    ...["/\\[", "/\\evil.example/", "//[", "/?token=%", "/%00", "*"].map((path): [string, number] => [
      asking(path, own),
      403,
    ]),
    [asking(`/\\[${search}`, own), 403],
  ];
  const statusOf = async (bytes: string): Promise<number> => Number((await answerTo(connect(), bytes)).slice(9, 12));
  const got: [string, number][] = [];
  for (const [bytes] of bad) got.push([bytes, await statusOf(bytes)]);
  expect(got).toEqual(bad);
  // The rest of so long a head is not read: the connection may be reset before its refusal arrives.
  expect([431, 0]).toContain(await statusOf(asking(`/${search}`, own, `X: ${"a".repeat(100_000)}\r\n`)));
  expect(await answerTo(connect(), asking(`/${search}`, `Host: [::1]:${port}\r\n`))).toMatch(/^HTTP\/1.1 200 /);
  expect(await well()).toBe(200);
});

test("a client that keeps asking without reading is cut off", async () => {
  const { port, search, connect, well } = await opened();
  const socket = connect();
  socket.pause();
  const one = `GET /live.js${search} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
  socket.write(one.repeat(1_000));
  await new Promise((resolve) => socket.once("close", resolve).resume());
  expect(socket.bytesRead).toBeLessThan(
    100 * (await fetch(`http://127.0.0.1:${port}/live.js${search}`).then((one) => one.text())).length,
  );
  expect(await well()).toBe(200);
});

test("those who connect and say nothing keep no page away, nor end one that listens", async () => {
  const { port, search, connect, well } = await opened();
  const listening = connect();
  listening.write(`GET /events${search} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await once(listening, "data");
  const silent = Array.from({ length: 300 }, connect);
  await Promise.all(silent.map((socket) => once(socket, "connect")));
  // Half a head, and heads that are refused, are as good as nothing.
  for (const socket of silent.slice(150, 225)) socket.write("GET / HTTP/1.1\r\nX-A: ");
  for (const socket of silent.slice(225)) socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  for (let i = 0; i < 5; i++) expect(await well()).toBe(200);
  expect(listening.destroyed).toBe(false);
});

test("a page that reads slowly leaves nothing behind for each piece it was sent", async () => {
  let watcher: Watcher | undefined;
  const flights = {
    watch(_: number, one: Watcher) {
      watcher = one;
      return () => {};
    },
  };
  const reader = { ask: async () => `"${"x".repeat(64 << 10)}"` } as unknown as Reader;
  const counts: number[] = [];
  const server = http.createServer((_, res) => {
    watch({ flights }, 1, res, reader);
    const exchange = { request: { method: "GET", target: "/", headers: [], body: new Uint8Array(0) } };
    const changed = (): void =>
      watcher!.changed({
        id: 1,
        exchange: () => exchange as unknown as Exchange,
        held: () => [],
        later: () => undefined,
      });
    res.on("drain", () => {
      counts.push(res.listenerCount("close"));
      changed();
    });
    changed();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const abort = new AbortController();
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { signal: abort.signal });
  const body = response.body!.getReader();
  while (counts.length < 8) await body.read();
  abort.abort();
  expect(Math.max(...counts)).toBe(counts[0]);
});
