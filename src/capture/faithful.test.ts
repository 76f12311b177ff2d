/** What passes the proxy is what was sent: heads, bodies, chunks, trailers, interim answers, in both directions. */
import { afterEach, expect, test } from "vitest";
import { rawClient, rawServer, rig, until, wireOf } from "./rig.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
const kept = <T extends { close(): unknown }>(one: T): T => (open.push(one), one);

/** An upstream that answers every request on a connection with the same bytes, once its head and `body` have come. */
async function upstreamSaying(answer: string, enough = (text: string): boolean => text.endsWith("\r\n\r\n")) {
  const requests: string[] = [];
  const server = await rawServer((socket) => {
    const wire = wireOf(socket);
    wire.until(enough).then(
      (text) => {
        requests.push(text);
        socket.write(answer, "latin1");
      },
      () => {},
    );
  });
  return { ...kept(server), requests };
}

const get = "GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n";

test("status, reason, header order, case and repetition reach the client as the upstream sent them", async () => {
  const answer =
    "HTTP/1.1 207 Quite So\r\nX-b: 1\r\nx-A: 2\r\nX-B: 3\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nX-Latin: caf\xe9\r\nContent-Length: 2\r\nX-Empty: \r\n\r\nhi";
  const upstream = await upstreamSaying(answer);
  const proxy = kept(await rig({ upstreams: { default: upstream.url } }));
  const direct = await rawClient(upstream.port, get).until((text) => text.endsWith("hi"));
  const through = await rawClient(proxy.port, get).until((text) => text.endsWith("hi"));
  expect(through).toBe(direct);
});

test("a request reaches the upstream as the client sent it, with the upstream's Host", async () => {
  const upstream = await upstreamSaying("HTTP/1.1 204 No Content\r\n\r\n", (text) => text.endsWith("body"));
  const proxy = kept(await rig({ upstreams: { default: upstream.url } }));
  const request = (host: string): string =>
    `POST //v1/a%2Fb/../c?x=1&x=2&y=%zz?q#z HTTP/1.1\r\nX-b: 1\r\nhOst: ${host}\r\nx-A: 2\r\nX-B: 3\r\nAuthorization: Bearer k\r\nconnection: keep-alive\r\nContent-length: 4\r\n\r\nbody`;
  await rawClient(proxy.port, request("anything")).until((text) => text.endsWith("\r\n\r\n"));
  expect(upstream.requests).toEqual([request(upstream.url.host)]);
});

test("chunks and trailers arrive as they were sent", async () => {
  const answer =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n1\r\nd\r\n2\r\n\xff\x00\r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\n\r\n";
  const upstream = await upstreamSaying(answer);
  const proxy = kept(await rig({ upstreams: { default: upstream.url } }));
  const through = await rawClient(proxy.port, get).until((text) => text.endsWith("x-sum: 2\r\n\r\n"));
  expect(through).toBe(answer);
  await until(() => proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]!.response).toMatchObject({
    chunks: [
      [expect.any(Number), 3],
      [expect.any(Number), 1],
      [expect.any(Number), 2],
    ],
    trailers: [
      ["X-Sum", "1"],
      ["x-sum", "2"],
    ],
  });
  expect(Buffer.from(proxy.exchanges[0]!.response!.body).toString("latin1")).toBe("abcd\xff\x00");
});
