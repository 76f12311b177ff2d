/** WebSockets through the proxy: what passes, how they end on either side, and what is recorded of them. */
import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { home } from "../home.ts";
import { kept, rawClient, rawServer, rig, until, type Wire, wireOf } from "./sockets.test-kit.ts";

const headEnds = (text: string): boolean => text.includes("\r\n\r\n");
const ask = "GET /v1/realtime?model=m HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
const switched = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

/** A server of WebSockets that echoes. */
async function echo(): Promise<{ url: URL; server: WebSocketServer }> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: ([first]) => first ?? false });
  kept({
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  });
  server.on("connection", (socket) => {
    socket.on("error", () => {});
    socket.on("message", (data, binary) => socket.send(data, { binary }));
  });
  await once(server, "listening");
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), server };
}

/** An upstream that takes one upgrade, behind a proxy, and a client of both; all bare sockets. */
async function pair(options: { readonly halfOpenFor?: number } = {}) {
  let take = (_: Wire): void => {};
  const taken = new Promise<Wire>((resolve) => (take = resolve));
  const upstream = await rawServer(async (socket) => {
    const wire = wireOf(socket);
    await wire.until(headEnds);
    socket.write(switched);
    take(wire);
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url }, ...options });
  const client = rawClient(proxy.port, ask);
  await client.until(headEnds);
  return { proxy, client, upstream: await taken };
}

test("the library that carries WebSockets is not loaded before one is asked for", () => {
  const proxy = JSON.stringify(pathToFileURL(join(home, "dist", "src", "proxy", "proxy.js")).href);
  const loaded = `Object.keys(createRequire(${proxy}).cache).some((path) => path.includes("http-proxy"))`;
  const code = `import { createRequire } from "node:module"; await import(${proxy}); const before = ${loaded};
    await import("http-proxy"); console.log(before, ${loaded});`;
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: home, encoding: "utf8" });
  expect(said).toBe("false true\n");
});

test("messages and close pass both ways, and are one exchange: its heads, its end, bytes each way", async () => {
  const upstream = await echo();
  const proxy = await rig({ upstreams: { default: upstream.url } });
  expect(await (await fetch(proxy.url)).text()).toContain("Upgrade Required");
  const client = new WebSocket(`${proxy.url}/v1/realtime?model=m`, ["one", "two"], { headers: { "X-Case": "ä" } });
  await once(client, "open");
  expect(client.protocol).toBe("one");
  expect(proxy.inFlight()).toMatchObject({ count: 1, longest: [{ method: "GET", target: "/v1/realtime?model=m" }] });
  for (const sent of [Buffer.from("text"), Buffer.alloc(100_000, 7)]) {
    client.send(sent, { binary: sent.length > 4 });
    const [data, binary] = await once(client, "message");
    expect([sent.equals(data), binary]).toEqual([true, sent.length > 4]);
  }
  const [server] = upstream.server.clients;
  const heard = once(server!, "close");
  client.close(4001, "enough");
  expect((await heard).map(String)).toEqual(["4001", "enough"]);
  await until(() => proxy.exchanges.length === 2);
  const { request, response, aborted, origin } = proxy.exchanges[1]!;
  expect([origin, aborted, request.method, request.target]).toEqual([
    upstream.url.origin,
    undefined,
    "GET",
    "/v1/realtime?model=m",
  ]);
  expect(request.headers).toContainEqual(["Upgrade", "websocket"]);
  expect(response).toMatchObject({ status: 101, reason: "Switching Protocols", body: { length: 0 }, chunks: [] });
  expect(response!.headers).toContainEqual(["Sec-WebSocket-Protocol", "one"]);
  // Frames of the client are masked, which takes four bytes more each.
  expect(response!.upgraded).toEqual({ sent: 10 + 100_014 + 14, received: 6 + 100_010 + 10, ended: "upstream" });
  expect(proxy.inFlight().count).toBe(0);
});

test("the upstream's close passes, and the client's answer to it", async () => {
  const upstream = await echo();
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const client = new WebSocket(proxy.url);
  await once(client, "open");
  const [server] = upstream.server.clients;
  const heard = once(server!, "close");
  server!.close(4002, "leave");
  expect((await once(client, "close")).map(String)).toEqual(["4002", "leave"]);
  expect((await heard).map(String)).toEqual(["4002", "leave"]);
  await until(() => proxy.exchanges.length === 1);
  // Whoever answers a close ends the connection.
  expect(proxy.exchanges[0]!.response!.upgraded!.ended).toBe("client");
});

test("heads pass as they came, fields of one name together, and bytes that come with them follow", async () => {
  const asked = [
    "GET /a/../b//c?x=1?y HTTP/1.1",
    "X-fIRST: \xe4",
    "Host: client",
    "cOOKIE: a",
    "upgrade: WebSocket",
    "X-Last: 1",
    "CONNECTION: keep-alive, Upgrade",
    "x-last: 2",
  ];
  const answered = ["HTTP/1.1 101 Fine", "sEt-cookie: a", "UPGRADE: WebSocket", "connection: upgrade", "X-Odd: \xe4"];
  const upstream = await rawServer(async (socket) => {
    seen = wireOf(socket);
    await seen.until(headEnds);
    socket.write(Buffer.from(`${answered.join("\r\n")}\r\n\r\n\xff first`, "latin1"));
  });
  let seen: Wire | undefined;
  const url = new URL(`http://127.0.0.1:${kept(upstream).port}/base/`);
  const proxy = await rig({ upstreams: { default: url } });
  const client = rawClient(proxy.port, `${asked.join("\r\n")}\r\n\r\n\xfe early`);
  const came = await client.until((text) => text.endsWith("first"));
  expect(came.split("\r\n")).toEqual(["HTTP/1.1 101 Switching Protocols", ...answered.slice(1), "", "\xff first"]);
  expect((await seen!.until((text) => text.endsWith("early"))).split("\r\n")).toEqual([
    "GET /base/a/../b//c?x=1?y HTTP/1.1",
    "X-fIRST: \xe4",
    `Host: ${url.host}`,
    "cOOKIE: a",
    "upgrade: WebSocket",
    "X-Last: 1",
    "x-last: 2".replace("x-last", "X-Last"),
    "CONNECTION: keep-alive, Upgrade",
    "",
    "\xfe early",
  ]);
  client.socket.end();
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]).toMatchObject({
    request: { target: "/a/../b//c?x=1?y", body: { length: 0 } },
    response: { reason: "Fine", upgraded: { sent: 7, received: 7, ended: "client" } },
  });
  expect(proxy.exchanges[0]!.request.headers.map(([name]) => name)).toEqual(
    asked.slice(1).map((line) => line.split(":")[0]),
  );
});

test("an upstream that refuses is heard out: status, fields and body pass and are recorded", async () => {
  const upstream = await rawServer(async (socket) => {
    await wireOf(socket).until(headEnds);
    socket.write("HTTP/1.1 401 Not You\r\nwWw-Authenticate: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    socket.write("2\r\nno\r\n1\r\n!\r\n0\r\n\r\n");
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const client = rawClient(proxy.port, `${ask}early`);
  expect(await client.closed).toBeUndefined();
  const [head, body] = client.text().split("\r\n\r\n", 2) as [string, string];
  expect(head.split("\r\n").slice(0, 3)).toEqual([
    "HTTP/1.1 401 Not You",
    "wWw-Authenticate: x",
    "Transfer-Encoding: chunked",
  ]);
  expect(body).toContain("no");
  expect(client.text()).toMatch(/\r\n0\r\n\r\n$/);
  expect(proxy.exchanges).toHaveLength(1);
  const [{ response, aborted }] = proxy.exchanges as [(typeof proxy.exchanges)[0]];
  expect([response!.status, Buffer.from(response!.body).toString(), response!.upgraded, aborted]).toEqual([
    401,
    "no!",
    undefined,
    undefined,
  ]);
});

test("a refusal that breaks off breaks off the client", async () => {
  const upstream = await rawServer(async (socket) => {
    await wireOf(socket).until(headEnds);
    socket.end("HTTP/1.1 403 No\r\nContent-Length: 100\r\n\r\nhalf");
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const client = rawClient(proxy.port, ask);
  await client.closed;
  expect(client.text()).toMatch(/^HTTP\/1\.1 403 No\r\n[\s\S]*\r\n\r\nhalf$/);
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]).toMatchObject({ aborted: "upstream", response: { status: 403, body: { length: 4 } } });
});

test("a large refusal waits for a client that does not read", async () => {
  const size = 24 << 20;
  let from: Socket | undefined;
  const upstream = await rawServer(async (socket) => {
    from = socket;
    await wireOf(socket).until(headEnds);
    socket.write(`HTTP/1.1 403 No\r\nContent-Length: ${size}\r\n\r\n`);
    socket.end(Buffer.alloc(size, 97));
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const client = rawClient(proxy.port, ask);
  client.socket.pause();
  await until(() => from !== undefined && from.bytesWritten > 0);
  await still(() => from!.writableLength);
  expect(from!.writableLength).toBeGreaterThan(0);
  client.socket.resume();
  await client.closed;
  expect(client.text().length - client.text().indexOf("\r\n\r\n") - 4).toBe(size);
});

/** Writes so many bytes, as fast as they are taken; gives what is left to write. */
function pump(to: Socket, size: number): () => number {
  const piece = Buffer.alloc(64 << 10, 97);
  let left = size;
  const go = (): void => {
    while (left > 0) {
      left -= piece.length;
      if (!to.write(piece)) return void to.once("drain", go);
    }
  };
  go();
  return () => left;
}

/** Resolves when a figure no longer changes. */
async function still(figure: () => number): Promise<void> {
  for (let same = 0, last = Number.NaN; same < 20; last = figure()) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    same = figure() === last ? same + 1 : 0;
  }
}

test.each(["client", "upstream"] as const)(
  "many bytes wait for a %s that does not read, and all arrive",
  async (slow) => {
    const { proxy, client, upstream } = await pair();
    const [reader, writer] = slow === "client" ? [client, upstream] : [upstream, client];
    const size = 24 << 20;
    const before = reader.text().length;
    reader.socket.pause();
    const left = pump(writer.socket, size);
    await still(left);
    expect(left()).toBeGreaterThan(0);
    reader.socket.resume();
    await until(() => left() === 0);
    writer.socket.end();
    await reader.until((text) => text.length === before + size);
    await until(() => reader.socket.readableEnded);
    reader.socket.end();
    await until(() => proxy.exchanges.length === 1);
    const { sent, received } = proxy.exchanges[0]!.response!.upgraded!;
    expect(slow === "client" ? [received, sent] : [sent, received]).toEqual([size, 0]);
  },
);

test("an upstream that cannot be reached is told to the client, and recorded", async () => {
  const gone = await rawServer(() => {});
  gone.close();
  const proxy = await rig({ upstreams: { default: gone.url } });
  const client = rawClient(proxy.port, ask);
  await client.closed;
  expect(client.text()).toMatch(
    /^HTTP\/1\.1 502 Bad Gateway\r\n[\s\S]*touchstone: .* gave no answer: .*ECONNREFUSED.*\n$/,
  );
  expect(proxy.problems).toHaveLength(1);
  expect(proxy.exchanges).toMatchObject([{ aborted: "upstream", response: null }]);
});

test("an upstream that leaves before any answer is told likewise", async () => {
  const upstream = await rawServer(async (socket) => {
    await wireOf(socket).until(headEnds);
    socket.destroy();
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const client = rawClient(proxy.port, ask);
  await client.closed;
  expect(client.text()).toMatch(/^HTTP\/1\.1 502 [\s\S]* gave no answer: /);
  expect(proxy.exchanges).toMatchObject([{ aborted: "upstream", response: null }]);
});

test("a request that no upstream is set for is told so", async () => {
  const proxy = await rig({ upstreams: { byInterface: {} } });
  const client = rawClient(proxy.port, ask);
  await client.closed;
  expect(client.text()).toMatch(/^HTTP\/1\.1 404 [\s\S]*touchstone: no upstream is set/);
  expect(proxy.exchanges).toMatchObject([{ response: { status: 404 } }]);
});

test("a client that leaves before the answer ends the request", async () => {
  let asked: Wire | undefined;
  const upstream = await rawServer((socket) => void (asked = wireOf(socket)));
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const client = rawClient(proxy.port, ask);
  await until(() => asked !== undefined);
  await asked!.until(headEnds);
  client.socket.end();
  await asked!.closed;
  await client.closed;
  expect(proxy.exchanges).toMatchObject([{ aborted: "client", response: null }]);
  expect(proxy.inFlight().count).toBe(0);
});

test.each(["client", "upstream"] as const)("a reset by the %s ends the other side", async (side) => {
  const { proxy, client, upstream } = await pair();
  const [one, other] = side === "client" ? [client, upstream] : [upstream, client];
  one.socket.resetAndDestroy();
  await other.closed;
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges).toMatchObject([{ aborted: side, response: { status: 101, upgraded: { ended: side } } }]);
});

test("a client that breaks off while bytes wait for it ends the upstream's connection", async () => {
  const { proxy, client, upstream } = await pair();
  client.socket.pause();
  upstream.socket.write(Buffer.alloc(24 << 20));
  await still(() => upstream.socket.writableLength);
  // It goes on, though it hears that nobody listens any more.
  (upstream.socket as { allowHalfOpen: boolean }).allowHalfOpen = true;
  const talking = setInterval(() => upstream.socket.write("more"), 5);
  upstream.socket.once("close", () => clearInterval(talking));
  client.socket.resetAndDestroy();
  await upstream.closed;
  await until(() => proxy.exchanges.length === 1);
});

test.each(["client", "upstream"] as const)("both sides end if the %s ends and the other never does", async (side) => {
  const { proxy, client, upstream } = await pair({ halfOpenFor: 30 });
  const [one, other] = side === "client" ? [client, upstream] : [upstream, client];
  other.socket.removeAllListeners("end");
  (other.socket as { allowHalfOpen: boolean }).allowHalfOpen = true;
  one.socket.end("last");
  await other.until((text) => text.endsWith("last"));
  await one.closed;
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]).toMatchObject({ response: { upgraded: { ended: side } } });
  other.socket.destroy();
});

test("earlier requests are answered before the upgrade", async () => {
  const order: string[] = [];
  const server = kept(
    http.createServer((req, res) => {
      order.push(req.url!);
      res.end(Buffer.alloc(req.url === "/2" ? 24 << 20 : 1, 97));
    }),
  ).listen(0, "127.0.0.1");
  server.on("upgrade", (_, socket) => {
    order.push("upgrade");
    socket.end(`${switched}up`);
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const proxy = await rig({ upstreams: { default: new URL(`http://127.0.0.1:${port}`) } });
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
  const client = rawClient(proxy.port, get("/1") + get("/2") + ask);
  client.socket.pause();
  await until(() => order.length >= 2);
  await still(() => order.length);
  expect(order.length).toBe(2);
  client.socket.resume();
  await client.closed;
  expect(client.text().endsWith("up")).toBe(true);
  expect(client.text().match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 101"]);
  await until(() => proxy.exchanges.length === 3);
  expect(proxy.exchanges.map(({ response }) => response!.status)).toEqual([200, 200, 101]);
});

test.each([
  ["another protocol", "GET / HTTP/1.1\r\nUpgrade: h2c\r\n", ""],
  ["several protocols", "GET / HTTP/1.1\r\nUpgrade: websocket, h2c\r\n", ""],
  ["a body", "POST / HTTP/1.1\r\nUpgrade: websocket\r\nContent-Length: 4\r\n", "body"],
  [
    "a body in chunks",
    "GET / HTTP/1.1\r\nUpgrade: websocket\r\nTransfer-Encoding: chunked\r\n",
    "4\r\nbody\r\n0\r\n\r\n",
  ],
])("a request with %s is served as any other", async (_, head, body) => {
  const upstream = kept(
    http.createServer((req, res) => {
      res.writeHead(200, { "X-Upgrade": String(req.headers.upgrade) });
      req.pipe(res);
    }),
  ).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const { port } = upstream.address() as AddressInfo;
  const proxy = await rig({ upstreams: { default: new URL(`http://127.0.0.1:${port}`) } });
  const client = rawClient(proxy.port, `${head}Host: h\r\nConnection: Upgrade\r\n\r\n${body}`);
  const text = await client.until((all) => all.includes(body ? "body" : "\r\n\r\n"));
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nX-Upgrade: undefined\r\n/);
});

test("with a screen, a WebSocket passes unjudged, and that is told", async () => {
  const skipped: string[] = [];
  const screen = {
    maxBytes: 1,
    judge: () => Promise.reject(new Error("asked")),
    onSkip: (why: string) => skipped.push(why),
  };
  const upstream = await echo();
  const proxy = await rig({ upstreams: { default: upstream.url }, screen });
  const client = new WebSocket(proxy.url);
  await once(client, "open");
  client.send("x");
  expect(String((await once(client, "message"))[0])).toBe("x");
  expect(skipped).toEqual(["it asks for a WebSocket, whose messages are not judged"]);
  client.terminate();
});

test("closing the proxy ends what is open or asked for, and records it", async () => {
  const { proxy, client, upstream } = await pair();
  const held = await rawServer(wireOf);
  const other = await rig({ upstreams: { default: kept(held).url } });
  const waiting = rawClient(other.port, ask);
  await until(() => held.sockets.size === 1);
  client.socket.write("four");
  await upstream.until((text) => text.endsWith("four"));
  await Promise.all([proxy.close(), other.close()]);
  await Promise.all([client.closed, waiting.closed, upstream.closed]);
  await until(() => held.sockets.size === 0);
  expect(proxy.exchanges).toMatchObject([{ aborted: "client", response: { upgraded: { sent: 4, received: 0 } } }]);
  expect(other.exchanges).toMatchObject([{ aborted: "client", response: null }]);
});

test("closing the proxy leaves nothing that keeps its process alive", async () => {
  const proxy = JSON.stringify(pathToFileURL(join(home, "dist", "src", "proxy", "proxy.js")).href);
  const code = `import net from "node:net"; import { once } from "node:events"; import { startProxy } from ${proxy};
    const none = () => {};
    const upstream = net.createServer((socket) => {
      socket.on("error", none).once("data", () => void socket.write(${JSON.stringify(switched)}));
    }).listen(0, "127.0.0.1");
    await once(upstream, "listening");
    const observer = { open: none, requestBytes: none, responseHead: none, responseBytes: none, close: none };
    const url = new URL("http://127.0.0.1:" + upstream.address().port);
    const { url: at, close } = await startProxy({ upstreams: { default: url }, observer, halfOpenFor: 3_600_000 });
    const client = net.connect({ port: new URL(at).port }).on("error", none);
    client.write(${JSON.stringify(ask)});
    await once(client, "data");
    await close();
    upstream.close();
    client.destroy();`;
  // It ends by itself, or this is killed.
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], { cwd: home, timeout: 60_000 });
});
