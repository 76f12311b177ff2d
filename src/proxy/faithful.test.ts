/** The proxy passes on exactly what was sent: heads, bodies, chunks, trailers, interim answers, in both directions. */
import { expect, test } from "vitest";
import { kept, rawClient, rawServer, rig, until, wireOf } from "./sockets.test-kit.ts";

/** An upstream that gives `answer` to every request, once what came satisfies `enough`. */
async function upstreamSaying(answer: string, enough = (text: string): boolean => text.endsWith("\r\n\r\n")) {
  const requests: string[] = [];
  const server = await rawServer((socket) => {
    let from = 0;
    const wire = wireOf(socket);
    socket.on("data", () => {
      const request = wire.text().slice(from);
      if (!enough(request)) return;
      from = wire.text().length;
      requests.push(request);
      socket.write(answer, "latin1");
    });
  });
  return { ...kept(server), requests };
}

const get = "GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n";
const ends =
  (end: string) =>
  (text: string): boolean =>
    text.endsWith(end);

test("status, reason, header order, case and repetition reach the client as the upstream sent them", async () => {
  const upstream = await upstreamSaying(
    "HTTP/1.1 207 Quite So\r\nX-b: 1\r\nx-A: 2\r\nX-B: 3\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nX-Latin: caf\xe9\r\nContent-Length: 2\r\nX-Empty: \r\n\r\nhi",
  );
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const direct = await rawClient(upstream.port, get).until(ends("hi"));
  const through = await rawClient(proxy.port, get).until(ends("hi"));
  expect(through).toBe(direct);
});

test("a request reaches the upstream as the client sent it, with the upstream's Host", async () => {
  const upstream = await upstreamSaying("HTTP/1.1 204 No Content\r\n\r\n", ends("body"));
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const request = (host: string): string =>
    `POST //v1/a%2Fb/../c?x=1&x=2&y=%zz?q#z HTTP/1.1\r\nX-b: 1\r\nhOst: ${host}\r\nx-A: 2\r\nX-B: 3\r\nAuthorization: Bearer k\r\nconnection: keep-alive\r\nContent-length: 4\r\n\r\nbody`;
  await rawClient(proxy.port, request("anything")).until(ends("\r\n\r\n"));
  expect(upstream.requests).toEqual([request(upstream.url.host)]);
});

test("an upstream's base path stands before the path asked for", async () => {
  const upstream = await upstreamSaying("HTTP/1.1 204 No Content\r\n\r\n");
  const proxy = await rig({ upstreams: { default: new URL("/gate/way/", upstream.url) } });
  await rawClient(proxy.port, "GET /v1/models?a=b HTTP/1.1\r\nHost: x\r\n\r\n").until(ends("\r\n\r\n"));
  expect(upstream.requests[0]).toMatch(/^GET \/gate\/way\/v1\/models\?a=b HTTP\/1\.1\r\n/);
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]!.request.target).toBe("/v1/models?a=b");
});

test("hop-by-hop fields end at the proxy, also those that Connection names", async () => {
  const upstream = await upstreamSaying(
    "HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nKeep-Alive: timeout=3\r\nX-Hop: 1\r\nX-End: 1\r\nContent-Length: 0\r\n\r\n",
  );
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const through = await rawClient(
    proxy.port,
    "GET / HTTP/1.1\r\nHost: x\r\nConnection: X-Mine, keep-alive\r\nX-Mine: 1\r\nKeep-Alive: 5\r\nProxy-Connection: a\r\nX-Other: 1\r\nTE: trailers\r\n\r\n",
  ).until(ends("\r\n\r\n"));
  expect(through).toBe("HTTP/1.1 200 OK\r\nX-End: 1\r\nContent-Length: 0\r\n\r\n");
  expect(upstream.requests).toEqual([
    `GET / HTTP/1.1\r\nHost: ${upstream.url.host}\r\nConnection: keep-alive, TE\r\nX-Other: 1\r\nTE: trailers\r\n\r\n`,
  ]);
});

test("chunks and trailers arrive as they were sent, and are kept", async () => {
  const answer =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n1\r\nd\r\n2\r\n\xff\x00\r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\n\r\n";
  const upstream = await upstreamSaying(answer);
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const through = await rawClient(proxy.port, get).until(ends("x-sum: 2\r\n\r\n"));
  expect(through).toBe(answer);
  await until(() => proxy.exchanges.length === 1);
  const at = expect.any(Number);
  expect(proxy.exchanges[0]!.response).toMatchObject({
    chunks: [
      [at, 3],
      [at, 1],
      [at, 2],
    ],
    trailers: [
      ["X-Sum", "1"],
      ["x-sum", "2"],
    ],
  });
  expect(Buffer.from(proxy.exchanges[0]!.response!.body).toString("latin1")).toBe("abcd\xff\x00");
});

test("chunks of any length that come at once reach the client in a framing that says their lengths", async () => {
  const lengths = [1, 9, 10, 15, 16, 255, 256, 4095, 4096, 70_000, 2, 65_536, 3];
  const body = lengths.map(
    (length, i) => `${length.toString(16)}\r\n${String.fromCharCode(97 + i).repeat(length)}\r\n`,
  );
  const upstream = await upstreamSaying(
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body.join("")}0\r\n\r\n`,
  );
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const through = await rawClient(proxy.port, get).until(ends("\r\n0\r\n\r\n"));
  const texts: string[] = [];
  for (let at = through.indexOf("\r\n\r\n") + 4; ; ) {
    const start = through.indexOf("\r\n", at) + 2;
    const length = Number.parseInt(through.slice(at, start), 16);
    if (length === 0) break;
    texts.push(through.slice(start, start + length));
    expect(through.slice(start + length, start + length + 2)).toBe("\r\n");
    at = start + length + 2;
  }
  expect(texts.join("")).toBe(lengths.map((length, i) => String.fromCharCode(97 + i).repeat(length)).join(""));
});

test("chunked uploads keep their chunks and trailers", async () => {
  const upload =
    "Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\nConnection: keep-alive\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\nX-Sum: 6\r\n\r\n";
  const upstream = await upstreamSaying("HTTP/1.1 204 No Content\r\n\r\n", ends("X-Sum: 6\r\n\r\n"));
  const proxy = await rig({ upstreams: { default: upstream.url } });
  await rawClient(proxy.port, `POST /u HTTP/1.1\r\nHost: x\r\n${upload}`).until(ends("\r\n\r\n"));
  expect(upstream.requests).toEqual([`POST /u HTTP/1.1\r\nHost: ${upstream.url.host}\r\n${upload}`]);
});

test("interim answers pass before the answer", async () => {
  const answer =
    "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nlink: </b>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  const upstream = await upstreamSaying(answer);
  const proxy = await rig({ upstreams: { default: upstream.url } });
  expect(await rawClient(proxy.port, get).until(ends("ok"))).toBe(answer);
});

test("100 Continue comes from the upstream, and the body waits for it", async () => {
  const upstream = await rawServer(async (socket) => {
    const wire = wireOf(socket);
    await wire.until(ends("\r\n\r\n"));
    socket.write("HTTP/1.1 100 Continue\r\n\r\n");
    await wire.until(ends("body"));
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const client = rawClient(
    proxy.port,
    "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n",
  );
  expect(await client.until(ends("\r\n\r\n"))).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  client.socket.write("body");
  expect(await client.until(ends("ok"))).toMatch(/\r\n\r\nHTTP\/1\.1 200 OK\r\nContent-Length: 2\r\n\r\nok$/);
});

test("an upstream that refuses an expectation is heard at once", async () => {
  const upstream = await upstreamSaying("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n");
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const client = rawClient(
    proxy.port,
    "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n",
  );
  expect(await client.until(ends("\r\n\r\n"))).toMatch(/^HTTP\/1\.1 417 /);
  client.socket.destroy();
  await until(() => upstream.sockets.size === 0);
});

test.each([
  ["HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nX-A: 1\r\n\r\n"],
  ["HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\n\r\n"],
  ["GET", "HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n"],
  ["GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nETag: x\r\n\r\n"],
  ["GET", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n"],
])("an answer without a body stays one, and the connection goes on: %s %j", async (method, answer) => {
  const upstream = await upstreamSaying(answer);
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const request = `${method} / HTTP/1.1\r\nHost: x\r\n\r\n`;
  const client = rawClient(proxy.port, request);
  expect(await client.until(ends("\r\n\r\n"))).toBe(answer);
  client.socket.write(request);
  expect(await client.until((text) => text.length === 2 * answer.length)).toBe(answer + answer);
});

test("pipelined requests are answered in their order", async () => {
  const upstream = await rawServer(async (socket) => {
    const wire = wireOf(socket);
    const asked = await wire.until(ends("\r\n\r\n"));
    const name = /^GET \/(\w+)/.exec(asked)![1]!;
    if (name === "slow") await until(() => proxy.inFlight().count === 2);
    socket.write(`HTTP/1.1 103 Early Hints\r\nX: ${name}\r\n\r\n`);
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n${name}`);
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const client = rawClient(
    proxy.port,
    "GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET /fast HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  );
  await client.closed;
  expect(client.text().match(/slow|fast/g)).toEqual(["slow", "slow", "fast", "fast"]);
});

test("a client of HTTP/1.0 gets an answer it can read", async () => {
  const upstream = await upstreamSaying(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n2\r\nhi\r\n0\r\nX: 1\r\n\r\n",
  );
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const client = rawClient(proxy.port, "GET / HTTP/1.0\r\n\r\n");
  await client.closed;
  expect(client.text()).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n\r\nhi$/i);
  expect(upstream.requests[0]).toContain(`Host: ${upstream.url.host}\r\n`);
});

test("an answer that ends with its connection is whole", async () => {
  const upstream = await rawServer(async (socket) => {
    await wireOf(socket).until(ends("\r\n\r\n"));
    socket.end("HTTP/1.0 200 OK\r\nX-A: 1\r\n\r\nall there is");
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const reply = await fetch(proxy.url);
  expect(await reply.text()).toBe("all there is");
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]!.aborted).toBeUndefined();
});

test("a body may come with any method, and none with any", async () => {
  const upstream = await upstreamSaying("HTTP/1.1 204 No Content\r\n\r\n", (text) =>
    /\r\n\r\n(xy|0\r\n\r\n)?$/.test(text),
  );
  const proxy = await rig({ upstreams: { default: upstream.url } });
  for (const [line, body] of [
    ["DELETE /d", "xy"],
    ["GET /g", "xy"],
    ["OPTIONS *", ""],
    ["POST /p", ""],
  ] as const) {
    const length = body ? `Content-Length: ${body.length}\r\n` : "";
    await rawClient(proxy.port, `${line} HTTP/1.1\r\nHost: x\r\n${length}Connection: keep-alive\r\n\r\n${body}`).until(
      ends("\r\n\r\n"),
    );
  }
  const head = (line: string, length: string): string => `${line} HTTP/1.1\r\nHost: ${upstream.url.host}\r\n${length}`;
  expect(upstream.requests).toEqual([
    `${head("DELETE /d", "Content-Length: 2\r\nConnection: keep-alive\r\n\r\nxy")}`,
    `${head("GET /g", "Content-Length: 2\r\nConnection: keep-alive\r\n\r\nxy")}`,
    `${head("OPTIONS *", "Connection: keep-alive\r\n\r\n")}`,
    `${head("POST /p", "Connection: keep-alive\r\nContent-Length: 0\r\n\r\n")}`,
  ]);
});

test("the head of an answer does not wait for its body, nor one event for the next", async () => {
  const steps: (() => void)[] = [];
  const upstream = await rawServer((socket) => {
    steps.push(
      () => socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
      () => socket.write("8\r\ndata: 1\n\r\n"),
      () => socket.write("8\r\ndata: 2\n\r\n0\r\n\r\n"),
    );
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const client = rawClient(proxy.port, get);
  await until(() => steps.length === 3);
  // Each step is taken only after the client has seen the one before.
  steps[0]!();
  await client.until(ends("chunked\r\n\r\n"));
  steps[1]!();
  await client.until(ends("data: 1\n\r\n"));
  steps[2]!();
  await client.until(ends("data: 2\n\r\n0\r\n\r\n"));
});
