/** A request is sent again where its kept-alive connection was stale, and in no other case. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { kept, rawClient, rawServer, rig, wireOf } from "./sockets.test-kit.ts";

test("a kept-alive connection that the upstream closed just now is replaced, and the request sent again", async () => {
  let connections = 0;
  const asked: string[] = [];
  const upstream = await rawServer(async (socket) => {
    const first = connections++ === 0;
    const wire = wireOf(socket);
    await wire.until((text) => text.endsWith("body"));
    asked.push("answered");
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    if (!first) return;
    // The second request on this connection is never read: what a close that crosses it looks like.
    await wire.until((text) => text.split("POST").length === 3);
    asked.push("closed");
    socket.destroy();
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody";
  const client = rawClient(proxy.port, post);
  await client.until((text) => text.endsWith("ok"));
  // The close comes just now, however long this machine takes for it.
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => void vi.restoreAllMocks());
  client.socket.write(post);
  const text = await client.until((all) => all.split("HTTP/1.1 ").length === 3 && all.endsWith("ok"));
  expect(text).not.toContain("502");
  expect(asked).toEqual(["answered", "closed", "answered"]);
  expect(proxy.exchanges.map(({ aborted }) => aborted)).toEqual([undefined, undefined]);
});

test.each([
  ["POST", 502, 2],
  ["GET", 200, 3],
])(
  "a %s that the upstream has had for long when it breaks off ends as %d: asked %d times",
  async (method, status, times) => {
    let asked = 0;
    const upstream = await rawServer(async (socket) => {
      const wire = wireOf(socket);
      for (let here = 1; ; here++) {
        await wire.until((text) => text.split("HTTP/1.1").length > here);
        if (++asked === 2) {
          const { now } = performance;
          vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + 2000);
          return void socket.destroy();
        }
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      }
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const proxy = await rig({ upstreams: { default: kept(upstream).url } });
    expect((await fetch(proxy.url, { method })).status).toBe(200);
    expect((await fetch(proxy.url, { method })).status).toBe(status);
    expect(asked).toBe(times);
  },
);

test("a fresh connection that dies without an answer is not tried again", async () => {
  let connections = 0;
  const upstream = await rawServer(async (socket) => {
    connections++;
    await wireOf(socket).until((text) => text.endsWith("body"));
    socket.destroy();
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  expect((await fetch(proxy.url, { method: "POST", body: "body" })).status).toBe(502);
  expect(connections).toBe(1);
});

test("connections to the upstream are kept and used again", async () => {
  let connections = 0;
  const upstream = http.createServer((_, res) => res.end("ok"));
  upstream.on("connection", () => connections++);
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  kept(upstream);
  const { port } = upstream.address() as AddressInfo;
  const proxy = await rig({ upstreams: { default: new URL(`http://127.0.0.1:${port}`) } });
  for (let i = 0; i < 5; i++) expect(await (await fetch(proxy.url)).text()).toBe("ok");
  expect(connections).toBe(1);
});
