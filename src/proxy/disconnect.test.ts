import { expect, test } from "vitest";
import { kept, rawClient, rawServer, rig, until, wireOf } from "./sockets.test-kit.ts";

const get = "GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n";
const headEnds = (text: string): boolean => text.endsWith("\r\n\r\n");

/** An upstream that starts a stream and never ends it. */
async function endless() {
  const upstream = await rawServer(async (socket) => {
    await wireOf(socket).until(headEnds);
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n");
  });
  return kept(upstream);
}

test("fifty clients that leave in mid-stream leave no request open at the upstream", async () => {
  const upstream = await endless();
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const clients = Array.from({ length: 50 }, () => rawClient(proxy.port, get));
  await Promise.all(clients.map((client) => client.until((text) => text.includes("body"))));
  expect(upstream.sockets.size).toBe(50);
  for (const { socket } of clients) socket.destroy();
  await until(() => upstream.sockets.size === 0);
  await until(() => proxy.exchanges.length === 50);
  expect(proxy.exchanges.every(({ aborted }) => aborted === "client")).toBe(true);
  expect(proxy.exchanges.every(({ response }) => Buffer.from(response!.body).toString() === "body")).toBe(true);
  expect(proxy.inFlight().count).toBe(0);
});

test("a client that leaves before any answer ends the upstream's request", async () => {
  const upstream = kept(await rawServer((socket) => void wireOf(socket)));
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const client = rawClient(proxy.port, get);
  await until(() => upstream.sockets.size === 1);
  client.socket.resetAndDestroy();
  await until(() => upstream.sockets.size === 0 && proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]).toMatchObject({ response: null, aborted: "client" });
});

test("a client that leaves in the middle of its upload ends the upstream's request, and what came is kept", async () => {
  const upstream = kept(await rawServer((socket) => void wireOf(socket)));
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const client = rawClient(proxy.port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
  await until(() => upstream.sockets.size === 1);
  client.socket.destroy();
  await until(() => upstream.sockets.size === 0 && proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]!.aborted).toBe("client");
  expect(Buffer.from(proxy.exchanges[0]!.request.body).toString()).toBe("half");
});

test("pipelined requests of a client that leaves all end", async () => {
  const upstream = kept(await rawServer((socket) => void wireOf(socket)));
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const client = rawClient(proxy.port, get + get + get);
  await until(() => upstream.sockets.size === 3);
  client.socket.destroy();
  await until(() => upstream.sockets.size === 0 && proxy.exchanges.length === 3);
  expect(proxy.inFlight().count).toBe(0);
});

test("closing breaks off what is in flight, and the observer gets its end", async () => {
  const upstream = await endless();
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const client = rawClient(proxy.port, get);
  await client.until((text) => text.includes("body"));
  await proxy.close();
  await client.closed;
  await until(() => upstream.sockets.size === 0);
  expect(proxy.exchanges).toHaveLength(1);
  expect(proxy.exchanges[0]!.aborted).toBe("client");
});
