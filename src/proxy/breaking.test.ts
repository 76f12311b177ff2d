/** What happens when a side leaves, lags, fails or floods: noticed at once on the other side, and nothing leaks. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Exchange } from "../wire/exchange.ts";
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

test("a client that pipelines many requests has few of them open at the upstream, and gets all answers", async () => {
  let most = 0;
  const paths: string[] = [];
  const answers: (() => void)[] = [];
  const upstream = kept(
    await rawServer(async (socket) => {
      const path = /^GET (\S+)/.exec(await wireOf(socket).until((text) => text.endsWith("\r\n\r\n")))![1]!;
      paths.push(path);
      const body = `answer to ${path}.`;
      answers.push(() =>
        socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
      );
      const reply = (): void => {
        for (const one of answers.splice(0)) one();
      };
      // Time for more to come, before any is answered.
      if (paths.length === 32)
        setTimeout(() => {
          most = upstream.sockets.size;
          reply();
        }, 100);
      if (most > 0) reply();
    }),
  );
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const all = Array.from({ length: 100 }, (_, i) => `/${i}`);
  const client = rawClient(proxy.port, all.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
  const text = await client.until((said) => said.endsWith("answer to /99."));
  expect(Array.from(text.matchAll(/answer to (\/\d+)\./g), ([, path]) => path)).toEqual(all);
  expect(most).toBe(32);
});

test("requests that wait for their turn end with their client", async () => {
  let asked = 0;
  const upstream = kept(
    await rawServer(async (socket) => {
      await wireOf(socket).until(headEnds);
      if (asked++ === 0) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }),
  );
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const client = rawClient(proxy.port, get.repeat(40));
  await client.until((text) => text.endsWith("ok"));
  await until(() => asked >= 32);
  client.socket.destroy();
  await until(() => proxy.inFlight().count === 0);
});

test("a client that pipelines without end is broken off, and nobody else", async () => {
  const upstream = kept(await rawServer((socket) => void wireOf(socket)));
  const proxy = await rig({ upstreams: { default: upstream.url } });
  const other = rawClient(proxy.port, get);
  await until(() => upstream.sockets.size === 1);
  const client = rawClient(proxy.port, get.repeat(6000));
  await client.closed;
  await until(() => upstream.sockets.size === 1);
  expect(other.socket.destroyed).toBe(false);
});

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

test("a client that does not read stops the upstream, and an upstream that does not read stops the client", async () => {
  const most = 64 << 20;
  const piece = Buffer.alloc(64 << 10, "x");
  /** Writes until nothing more is taken, and says how much was. */
  async function pour(socket: Socket): Promise<number> {
    let taken = 0;
    let last = -1;
    while (taken < most) {
      if (socket.write(piece)) taken += piece.length;
      else {
        await new Promise((resolve) => setTimeout(resolve, 100));
        if (socket.bytesWritten - socket.writableLength === last) break;
        last = socket.bytesWritten - socket.writableLength;
        taken = socket.bytesWritten;
      }
    }
    return taken;
  }
  let poured: (bytes: number) => void = () => {};
  const down = new Promise<number>((resolve) => {
    poured = resolve;
  });
  const upstream = await rawServer(async (socket) => {
    const [first] = (await once(socket, "data")) as [Buffer];
    if (first.toString().startsWith("POST")) return void socket.pause();
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${2 * most}\r\n\r\n`);
    poured(await pour(socket));
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url }, maxBody: 1000 });
  const reader = rawClient(proxy.port, get);
  reader.socket.pause();
  const writer = rawClient(proxy.port, `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 * most}\r\n\r\n`);
  expect(await pour(writer.socket)).toBeLessThan(most);
  expect(await down).toBeLessThan(most);
  reader.socket.destroy();
  writer.socket.destroy();
});

test("bodies beyond the cap pass whole, and are kept up to it and marked as cut", async () => {
  const upstream = http.createServer((req, res) => req.pipe(res));
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  kept(upstream);
  const { port } = upstream.address() as AddressInfo;
  const proxy = await rig({ upstreams: { default: new URL(`http://127.0.0.1:${port}`) }, maxBody: 100_000 });
  const body = "0123456789".repeat(1 << 20);
  const reply = await fetch(proxy.url, { method: "POST", body });
  expect(await reply.text()).toBe(body);
  await until(() => proxy.exchanges.length === 1);
  const { request, response } = proxy.exchanges[0]!;
  expect(Buffer.from(request.body).toString()).toBe(body.slice(0, 100_000));
  expect(Buffer.from(response!.body).toString()).toBe(body.slice(0, 100_000));
  expect([request.cut, response!.cut]).toEqual([body.length - 100_000, body.length - 100_000]);
  expect(response!.chunks!.reduce((sum, [, length]) => sum + length, 0)).toBe(100_000);
});

test("an answer that comes before the upload has ended passes, and so does the rest of the upload", async () => {
  const upstream = await rawServer(async (socket) => {
    const wire = wireOf(socket);
    await wire.until((text) => text.endsWith("half"));
    socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno");
    await wire.until((text) => text.endsWith("rest"));
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url } });
  const client = rawClient(proxy.port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\nhalf");
  await client.until((text) => text.endsWith("no"));
  client.socket.write(`rest${get}`);
  await until(() => upstream.sockets.size === 1);
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

test("several upstreams share one proxy by interface, and a request that none takes is told so", async () => {
  const named = async (name: string) => {
    const server = http.createServer((_, res) => res.end(name)).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new URL(`http://127.0.0.1:${(kept(server).address() as AddressInfo).port}`);
  };
  const route = (_: string, target: string): string => (target.includes("messages") ? "messages" : "other");
  const messages = await named("messages");
  const both = await rig({ upstreams: { default: await named("rest"), byInterface: { messages } }, route });
  expect(await (await fetch(`${both.url}/v1/messages`)).text()).toBe("messages");
  expect(await (await fetch(`${both.url}/v1/models`)).text()).toBe("rest");
  const one = await rig({ upstreams: { byInterface: { messages } }, route });
  const miss = await fetch(`${one.url}/v1/models?key=secret`);
  expect([miss.status, await miss.text()]).toEqual([
    404,
    "touchstone: no upstream is set for the interface of this request\n",
  ]);
});

test("a WebSocket is refused politely; other upgrades are ignored, as HTTP allows", async () => {
  const upstream = kept(http.createServer((req, res) => res.end(String(req.headers.upgrade))).listen(0, "127.0.0.1"));
  await once(upstream, "listening");
  const { port } = upstream.address() as AddressInfo;
  const proxy = await rig({ upstreams: { default: new URL(`http://127.0.0.1:${port}`) } });
  const ask = (protocol: string): string =>
    `GET /v1/realtime HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
  expect(await rawClient(proxy.port, ask("websocket")).until((text) => text.endsWith("\n"))).toMatch(
    /^HTTP\/1\.1 501 /,
  );
  expect(await rawClient(proxy.port, ask("h2c")).until((text) => text.includes("undefined"))).toMatch(
    /^HTTP\/1\.1 200 OK/,
  );
});

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
