/**
 * Traffic waits for the observer: all of it if the observer lags far behind, and any part that a client would see before the
 * observer has it safe.
 */
import { once } from "node:events";
import net from "node:net";
import { expect, test } from "vitest";
import { collectExchanges } from "./collector.ts";
import { type ProxyOptions, startProxy } from "./proxy.ts";
import { kept, rawClient, rawServer, until, type Wire, wireOf } from "./sockets.test-kit.ts";

const get = "GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n";
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/** A promise that can be kept from outside, as long as it is not. */
function gate() {
  let open = (): void => {};
  let closed: Promise<void> | undefined;
  return {
    shut() {
      closed = new Promise((resolve) => {
        open = resolve;
      });
    },
    open() {
      closed = undefined;
      open();
    },
    state: () => closed,
  };
}

/** An upstream whose connections are written to by hand, and a proxy before it whose observer can be made to lag. */
async function lagging(more: Partial<ProxyOptions> = {}) {
  const connections: Wire[] = [];
  const upstream = kept(
    await rawServer((socket) => {
      connections.push(wireOf(socket));
    }),
  );
  const pending = gate();
  const backpressure = gate();
  /** All that the observer was told of bodies. */
  let heard = "";
  const observer = collectExchanges(() => {});
  const proxy = await startProxy({
    upstreams: { default: upstream.url },
    backpressure: backpressure.state,
    observer: {
      ...observer,
      responseBytes(id, bytes, at) {
        heard += Buffer.from(bytes).toString("latin1");
        observer.responseBytes(id, bytes, at);
      },
      flush: pending.state,
    },
    ...more,
  });
  kept(proxy);
  const { port } = new URL(proxy.url);
  return { connections, pending, backpressure, proxy, port, heard: () => heard, upstream };
}

/** Time enough for anything that is on its way: bytes go to and fro beside it, several times. */
async function meanwhile(): Promise<void> {
  const echo = net.createServer((socket) => socket.pipe(socket)).listen(0, "127.0.0.1");
  await once(echo, "listening");
  const { socket } = rawClient((echo.address() as net.AddressInfo).port);
  for (let i = 0; i < 10; i++) {
    socket.write("x");
    await once(socket, "data");
  }
  socket.destroy();
  echo.close();
}

test("neither new requests nor further bytes pass while the observer lags behind, and all go on when it has caught up", async () => {
  const { connections, backpressure, port, heard, proxy } = await lagging();
  const client = rawClient(port, get);
  await until(() => connections.length === 1);
  connections[0]!.socket.write(chunked + chunk("one"));
  await client.until((text) => text.includes("one"));
  backpressure.shut();
  connections[0]!.socket.write(chunk("two"));
  await client.until((text) => text.includes("two"));
  connections[0]!.socket.write(`${chunk("three")}0\r\n\r\n`);
  const second = rawClient(port, get);
  await until(() => proxy.inFlight().count === 2);
  await meanwhile();
  expect(heard()).toBe("onetwo");
  expect(connections).toHaveLength(1);
  backpressure.open();
  await client.until((text) => text.endsWith("three\r\n0\r\n\r\n"));
  await until(() => connections.length === 2);
  connections[1]!.socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour");
  await second.until((text) => text.endsWith("four"));
});

test("an upload waits for the observer as well", async () => {
  const { connections, backpressure, port } = await lagging();
  const client = rawClient(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\none");
  await until(() => connections.length === 1);
  const server = connections[0]!;
  await server.until((text) => text.endsWith("one"));
  backpressure.shut();
  client.socket.write("two");
  await server.until((text) => text.endsWith("two"));
  client.socket.write("three");
  await meanwhile();
  expect(server.text()).toMatch(/two$/);
  backpressure.open();
  await server.until((text) => text.endsWith("three"));
});

test("a chunk that would be lost with this process is held back until it is safe, and so is the end", async () => {
  const { connections, pending, port, heard } = await lagging();
  const client = rawClient(port, get);
  await until(() => connections.length === 1);
  connections[0]!.socket.write(chunked + chunk("one"));
  await client.until((text) => text.includes("one"));
  pending.shut();
  connections[0]!.socket.write(chunk("two"));
  await until(() => heard() === "onetwo");
  connections[0]!.socket.write(chunk("three"));
  await meanwhile();
  expect(client.text()).not.toContain("two");
  expect(heard()).toBe("onetwo");
  pending.open();
  await client.until((text) => text.endsWith(chunk("three")));
  pending.shut();
  connections[0]!.socket.write("0\r\n\r\n");
  await meanwhile();
  expect(client.text()).toMatch(/three\r\n$/);
  pending.open();
  await client.until((text) => text.endsWith("\r\n0\r\n\r\n"));
});

test.each([
  ["GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"],
  ["GET", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody"],
  ["HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n"],
  ["GET", "HTTP/1.1 204 No Content\r\n\r\n"],
])("an answer whose end is not safe yet is held back whole: %s %j", async (method, answer) => {
  const { connections, pending, port } = await lagging();
  const request = `${method} / HTTP/1.1\r\nHost: x\r\n\r\n`;
  const client = rawClient(port, request);
  await until(() => connections.length === 1);
  pending.shut();
  connections[0]!.socket.write(answer);
  await meanwhile();
  const seen = client.text();
  // The head may go first where a body follows it.
  expect(answer.endsWith("body") ? seen.replace(/^[\s\S]*\r\n\r\n/, "") : seen).toBe("");
  pending.open();
  expect(await client.until((text) => text.length >= answer.length)).toBe(answer);
  // The connection is as good as before.
  client.socket.write(request);
  await until(() => connections[0]!.socket.bytesRead > request.length * 1.5);
  connections[0]!.socket.write(answer);
  expect(await client.until((text) => text.length >= 2 * answer.length)).toBe(answer + answer);
});

test.each([
  ["404", { upstreams: {} }],
  ["502", { upstreams: { default: new URL("http://127.0.0.1:9") } }],
  [
    "418",
    {
      screen: {
        maxBytes: 1 << 20,
        judge: async () => ({ status: 418, type: "text/plain", body: "no" }),
        onSkip: () => {},
      },
    },
  ],
])("an answer of the proxy itself waits likewise: %s", async (status, more) => {
  const { pending, port, proxy } = await lagging(more);
  pending.shut();
  const client = rawClient(port, get);
  await until(() => proxy.inFlight().count === 1);
  await meanwhile();
  expect(client.text()).not.toMatch(/\r\n\r\n./);
  pending.open();
  expect(await client.until((text) => /\r\n\r\n./.test(text))).toContain(` ${status} `);
});

test("a client that leaves while its answer is held back is let go", async () => {
  const { connections, pending, port, heard, proxy, upstream } = await lagging();
  const client = rawClient(port, get);
  await until(() => connections.length === 1);
  pending.shut();
  connections[0]!.socket.write(chunked + chunk("one"));
  await until(() => heard() === "one");
  client.socket.destroy();
  await until(() => proxy.inFlight().count === 0 && upstream.sockets.size === 0);
  pending.open();
});
