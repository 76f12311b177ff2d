/** Both sides are read as fast as the other reads, bodies are kept up to their limit, and upstreams are chosen by interface. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, test } from "vitest";
import { kept, rawClient, rawServer, rig, until, wireOf } from "./sockets.test-kit.ts";

const get = "GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n";

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
