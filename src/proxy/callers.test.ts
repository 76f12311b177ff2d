/** Pages of other sites are turned away before anything is observed or forwarded; nobody else is. */

import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { kept, rawClient, rig } from "./sockets.test-kit.ts";

async function guarded() {
  let reached = 0;
  const upstream = http.createServer((_, res) => res.end(String(++reached)));
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  kept(upstream);
  const url = new URL(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
  const callers = { host: "127.0.0.1", origins: ["https://app.example"], onlyPages: true };
  return { proxy: await rig({ upstreams: { default: url }, callers }), reached: () => reached };
}

const webSocket = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\nSec-WebSocket-Version: 13\r\n";

test.each([
  ["a name that was pointed here", "GET /v1/models HTTP/1.1\r\nHost: evil.example\r\n"],
  [
    "a page of another site",
    "POST /v1/x HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\nContent-Length: 0\r\n",
  ],
  [
    "a WebSocket of another site",
    `GET /v1/x HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\n${webSocket}`,
  ],
])("%s gets 403 and reaches nobody", async (_name, head) => {
  const { proxy, reached } = await guarded();
  const client = rawClient(proxy.port, `${head}Connection: close\r\n\r\n`.repeat(2));
  await once(client.socket, "close");
  expect(client.text()).toMatch(/^HTTP\/1\.1 403 /);
  expect(client.text()).toContain("--allow-");
  expect(reached()).toBe(0);
  expect(proxy.exchanges).toEqual([]);
  expect(proxy.problems).toEqual([expect.stringContaining("a request was refused: ")]);
});

test.each([
  ["a client that names what it likes", "Host: recorder"],
  ["a client through a name of this machine", "Host: host.docker.internal:4000"],
  ["a page that is allowed", "Host: localhost\r\nOrigin: https://app.example"],
])("%s is let in", async (_name, head) => {
  const { proxy, reached } = await guarded();
  const client = rawClient(proxy.port, `GET /v1/models HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`);
  await once(client.socket, "close");
  expect(client.text()).toMatch(/^HTTP\/1\.1 200 /);
  expect(reached()).toBe(1);
  expect(proxy.exchanges).toHaveLength(1);
});
