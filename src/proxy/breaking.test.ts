/** An upstream that fails, floods or breaks off is noticed at once by the client. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { Exchange } from "../wire/exchange.ts";
import { kept, rawClient, rawServer, rig, until, wireOf } from "./sockets.test-kit.ts";

const get = "GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n";
const headEnds = (text: string): boolean => text.endsWith("\r\n\r\n");

test("an upstream that resets in mid-body resets the client, after what had come", async () => {
  const upstream = await rawServer(async (socket) => {
    await wireOf(socket).until(headEnds);
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
    await until(() => client.text().endsWith("half"));
    socket.resetAndDestroy();
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const client = rawClient(proxy.port, get);
  expect(await client.closed).toBe("ECONNRESET");
  expect(client.text()).toMatch(/half$/);
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]).toMatchObject({ aborted: "upstream", response: { status: 200 } });
  expect(Buffer.from(proxy.exchanges[0]!.response!.body).toString()).toBe("half");
});

test("an upstream that closes in mid-stream closes the client, and never ends the stream for it", async () => {
  const upstream = await rawServer(async (socket) => {
    await wireOf(socket).until(headEnds);
    socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const client = rawClient(proxy.port, get);
  await client.closed;
  expect(client.text()).toBe("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]!.aborted).toBe("upstream");
});

test("an upstream that speaks nonsense in mid-stream breaks the client off", async () => {
  const upstream = await rawServer(async (socket) => {
    await wireOf(socket).until(headEnds);
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nnot a length\r\n");
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  await rawClient(proxy.port, get).closed;
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]!.aborted).toBe("upstream");
});

test.each([
  ["refuses the connection", undefined],
  ["closes without an answer", ""],
  ["speaks nonsense", "SSH-2.0-OpenSSH\r\n"],
  ["sends a status of four digits", "HTTP/1.1 1000 High\r\nContent-Length: 0\r\n\r\n"],
  ["sends a header bomb", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(300_000)}\r\n\r\n`],
])("an upstream that %s becomes one clear line with status 502, and the proxy lives on", async (_, answer) => {
  const upstream = await rawServer(async (socket) => {
    await wireOf(socket).until(headEnds);
    socket.end(answer ?? "");
  });
  kept(upstream);
  if (answer === undefined) upstream.close();
  const proxy = await rig({ upstreams: { default: upstream.url } });
  for (const count of [1, 2]) {
    const reply = await fetch(`${proxy.url}/v1/models?key=secret`);
    expect(reply.status).toBe(502);
    const body = await reply.text();
    expect(body).toMatch(/^touchstone: http:\/\/127\.0\.0\.1:\d+ gave no answer: .+\n$/);
    expect(body + proxy.problems.join()).not.toContain("secret");
    await until(() => proxy.exchanges.length === count);
    expect(proxy.exchanges.at(-1)).toMatchObject({ response: null, aborted: "upstream" });
    expect(proxy.problems).toHaveLength(count);
  }
});

test.each([
  ["one field of 300 KB", `X: ${"x".repeat(300_000)}\r\n`],
  ["a hundred thousand fields", "X: x\r\n".repeat(100_000)],
  ["a path of 300 KB", undefined],
])(
  "a client that sends a header bomb is refused, nothing of it reaches the upstream, and the proxy lives on: %s",
  async (_, fields) => {
    let asked = 0;
    const upstream = http.createServer((_req, res) => {
      asked++;
      res.end("ok");
    });
    upstream.listen(0, "127.0.0.1");
    await once(upstream, "listening");
    const { port } = kept(upstream).address() as AddressInfo;
    const proxy = await rig({ upstreams: { default: new URL(`http://127.0.0.1:${port}`) } });
    const bomb =
      fields === undefined ? `GET /${"x".repeat(300_000)} HTTP/1.1\r\n\r\n` : `GET / HTTP/1.1\r\n${fields}\r\n`;
    const client = rawClient(proxy.port, bomb);
    await client.closed;
    expect(client.text()).toMatch(/^(HTTP\/1\.1 431 |$)/);
    expect([asked, proxy.exchanges.length]).toEqual([0, 0]);
    expect(await (await fetch(proxy.url)).text()).toBe("ok");
  },
);

test("a body that ends with its connection is known to be broken off where the upstream resets it", async () => {
  const upstream = await rawServer(async (socket) => {
    await wireOf(socket).until(headEnds);
    socket.write("HTTP/1.1 200 OK\r\n\r\nhalf");
    await until(() => client.text().includes("half"));
    socket.resetAndDestroy();
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const client = rawClient(proxy.port, get);
  expect(await client.closed).toBe("ECONNRESET");
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]).toMatchObject({ aborted: "upstream", response: { body: { length: 4 } } });
});

test("and where the reset comes together with the last bytes", async () => {
  const upstream = await rawServer(async (socket) => {
    await wireOf(socket).until(headEnds);
    socket.write("HTTP/1.1 200 OK\r\n\r\nhalf");
    socket.resetAndDestroy();
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  await rawClient(proxy.port, get).closed;
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]).toMatchObject({ aborted: "upstream", response: { body: { length: 4 } } });
});

test.each([
  ["of a length told before", "Content-Length: 20\r\n\r\n{half", 15],
  ["in chunks", "Transfer-Encoding: chunked\r\n\r\n5\r\n{half\r\n", 1],
])("a request %s that is answered before its end is known to lack it", async (_, rest, cut) => {
  const upstream = await rawServer(async (socket) => {
    await wireOf(socket).until((text) => text.includes("{half"));
    socket.write("HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\n{}");
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const client = rawClient(proxy.port, `POST /v1/x HTTP/1.1\r\nHost: h\r\n${rest}`);
  await client.until((text) => text.endsWith("{}"));
  await until(() => proxy.exchanges.length === 1);
  const [{ request, aborted }] = proxy.exchanges as [Exchange];
  expect([request.body.length, request.cut, aborted]).toEqual([5, cut, undefined]);
});
