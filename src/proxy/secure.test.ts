/** Upstreams behind TLS are verified unless it is said by name that they need not be. */
import { once } from "node:events";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { cert, key } from "../wire/certificate.test-kit.ts";
import { kept, rig, until } from "./sockets.test-kit.ts";

async function secureUpstream(): Promise<URL> {
  const server = https.createServer({ key, cert }, (req, res) => req.pipe(res)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return new URL(`https://127.0.0.1:${(kept(server).address() as AddressInfo).port}`);
}

test("a certificate that cannot be verified is an upstream that cannot be reached", async () => {
  const proxy = await rig({ upstreams: { default: await secureUpstream() } });
  const reply = await fetch(proxy.url, { method: "POST", body: "secret" });
  expect([reply.status, await reply.text()]).toEqual([502, expect.stringContaining("self-signed certificate")]);
});

test("for a WebSocket as well", async () => {
  const server = https.createServer({ key, cert }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(data, { binary: false })));
  kept({
    close() {
      for (const client of sockets.clients) client.terminate();
      server.close();
    },
  });
  const upstream = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const strict = await rig({ upstreams: { default: upstream } });
  const refused = new WebSocket(strict.url);
  expect(String(await once(refused, "error"))).toContain("502");
  expect(strict.problems).toEqual([expect.stringContaining("self-signed certificate")]);
  const proxy = await rig({ upstreams: { default: upstream }, insecure: true });
  const client = new WebSocket(proxy.url);
  await once(client, "open");
  client.send("echo");
  expect(String((await once(client, "message"))[0])).toBe("echo");
  client.close();
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]).toMatchObject({ origin: upstream.origin, response: { upgraded: { received: 6 + 2 } } });
});

test("an insecure upstream is taken when asked for, and exchanges name it", async () => {
  const upstream = await secureUpstream();
  const proxy = await rig({ upstreams: { default: upstream }, insecure: true });
  expect(await (await fetch(proxy.url, { method: "POST", body: "echo" })).text()).toBe("echo");
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]!.origin).toBe(upstream.origin);
});
