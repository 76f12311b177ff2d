/** Whatever a socket does becomes data: an answer as the wire had it, or why there is none. */
import { getEventListeners, once } from "node:events";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { jsonRequest } from "./build.ts";
import { cert, key } from "./certificate.test-kit.ts";
import type { HeaderPairs } from "./exchange.ts";
import { listen } from "./listen.ts";
import { createSender, type Failure, joinUrl } from "./send.ts";

test.each([
  ["http://h", "/v1/x", "http://h", "/v1/x"],
  ["https://h:8443/gateway/", "/v1/x?a=b", "https://h:8443", "/gateway/v1/x?a=b"],
  ["http://h/v1", "/v1/x", "http://h", "/v1/x"],
  ["http://h/a/v1/", "/v1/x", "http://h", "/a/v1/x"],
  ["http://h/v1", "/v1beta/x", "http://h", "/v1/v1beta/x"],
])("%s and %s meet at one address", (base, path, origin, joined) => {
  expect(joinUrl(base, path)).toEqual({ origin, target: joined });
});

const chat = (headers: HeaderPairs = [["Authorization", "Bearer key"]]) =>
  jsonRequest("/v1/chat/completions", headers, { model: "chat-model" });
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const sender = (limits: { maxIdleMs?: number; maxTimeMs?: number; insecure?: boolean } = {}) => {
  const made = createSender({ maxIdleMs: 120_000, maxTimeMs: 120_000, maxBodyBytes: 2000, ...limits });
  closing.push(() => made.close());
  return made;
};
async function rawServer(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    socket.once("data", () => answer(socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([1, 2])(
  "a 100 Continue that nobody asked for is no answer, however it is cut; sent %i times",
  async (times) => {
    const head = `${"HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n".repeat(times)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}`;
    for (const size of [1, 7, 30, 1000]) {
      const url = await rawServer(async (socket) => {
        for (let at = 0; at < head.length; at += size) {
          socket.write(head.slice(at, at + size));
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
      const { exchange, failure } = await sender().send(url, chat());
      expect([failure, exchange.response?.status, String(exchange.response?.body)]).toEqual([undefined, 200, "{}"]);
    }
  },
);

test("an exchange that ended listens to its client no more", async () => {
  const url = await rawServer((socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n"));
  const { signal } = new AbortController();
  const listening: number[] = [];
  const watch = {
    left: signal,
    head: () => listening.push(getEventListeners(signal, "abort").length),
    piece: () => {},
  };
  const own = sender();
  for (let i = 0; i < 3; i++) await own.send(url, chat(), watch);
  expect(listening).toEqual([1, 1, 1]);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an answer keeps header order and case, repeated headers, undecoded bytes and the chunks it came in", async () => {
  const url = await rawServer((socket) => {
    socket.write(
      "HTTP/1.1 200 Fine\r\nX-One: a\r\nx-one: b\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    );
    setTimeout(() => socket.write("2\r\nde\r\n0\r\nX-Late: z\r\n\r\n"), 30);
  });
  const { exchange, failure } = await sender().send(url, chat());
  expect(failure).toBeUndefined();
  const { response } = exchange;
  expect(response).toMatchObject({ status: 200, reason: "Fine", trailers: [["x-late", "z"]] });
  expect(response?.headers.slice(0, 3)).toEqual([
    ["X-One", "a"],
    ["x-one", "b"],
    ["Content-Encoding", "gzip"],
  ]);
  expect(Buffer.from(response!.body).toString()).toBe("abcde");
  // The two may have been read at once.
  let end = 0;
  const ends = response!.chunks!.map(([, length]) => (end += length));
  expect([[3, 5], [5]]).toContainEqual(ends);
});

test.each<[string, (socket: Socket) => void, RegExp, Failure["kind"], "cut" | "none", ("maxIdleMs" | "maxTimeMs")?]>([
  ["closes at once", (socket) => socket.destroy(), /closed|reset/, "reset", "none"],
  ["does not speak HTTP", (socket) => socket.end("SSH-2.0\r\n"), /not HTTP/, "unanswered", "none"],
  ["never answers", () => undefined, /no answer came in time/, "timed-out", "none", "maxIdleMs"],
  [
    "stops in the middle",
    (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
    /stopped in the middle/,
    "timed-out",
    "cut",
    "maxIdleMs",
  ],
  ["breaks off", (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), /./, "unanswered", "cut"],
  [
    "goes on without end",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      setInterval(() => socket.destroyed || socket.write("x"), 50).unref();
    },
    /still going on/,
    "timed-out",
    "cut",
    "maxTimeMs",
  ],
  [
    "sends too much",
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(5000)}`),
    /went on after 2000 bytes/,
    "unanswered",
    "cut",
  ],
])("a server that %s is reported, not thrown", async (_name, answer, problem, kind, came, limit) => {
  const url = await rawServer(answer);
  let time = 250;
  const asked = () => sender(limit && { [limit]: time }).send(url, chat());
  let { exchange, failure } = await asked();
  // On a busy machine the head itself may take longer than that.
  while (limit && came === "cut" && exchange.response === null) {
    time *= 2;
    ({ exchange, failure } = await asked());
  }
  expect(failure?.kind).toBe(kind);
  expect(failure?.problem).toMatch(problem);
  expect(exchange.aborted).toBe("upstream");
  expect(exchange.response === null).toBe(came === "none");
});

/** Sends pieces of a body, one every 700 milliseconds, until the socket is closed. */
function dripping(socket: Socket, head: string, pieces: readonly string[]): void {
  socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n`);
  let at = 0;
  const timer = setInterval(() => socket.write(pieces[at++ % pieces.length]!), 700);
  socket.on("close", () => clearInterval(timer));
}

test("a body of one byte at a time is broken off, and a busy machine may hide it from us once", async () => {
  const url = await rawServer((socket) => dripping(socket, "", ["x"]));
  let problem: string | undefined;
  for (let tries = 0; tries < 5 && !problem?.includes("trickled"); tries++)
    problem = (await sender({ maxIdleMs: 3000 }).send(url, chat())).failure?.problem;
  expect(problem).toMatch(/^it trickled: \d bytes in 3 seconds, and no line ended$/);
});

test("what keeps a connection alive is no trickle, and ends only by the bound on the whole", async () => {
  const bodies: [what: string, head: string, pieces: string[]][] = [
    ["a stream that waits with comments", "", [":\n"]],
    ["a reply that waits with blanks", "", [" "]],
    ["a stream of slow lines", "", ["d", ":1", "\n\n"]],
    ["a text without line ends", "", ["word after word"]],
    ["an encoded stream", "content-encoding: gzip\r\n", ["\u0000\u0001\u0002\u0003"]],
  ];
  // All at once, since each takes as long as its bound.
  const problems = bodies.map(async ([what, head, pieces]) => {
    const url = await rawServer((socket) => dripping(socket, head, pieces));
    const { failure } = await sender({ maxIdleMs: 6000, maxTimeMs: 9000 }).send(url, chat());
    return [what, failure?.problem];
  });
  expect(await Promise.all(problems)).toEqual(bodies.map(([what]) => [what, "it was still going on after 9 seconds"]));
});

test("nobody there, and what HTTP forbids, are told apart", async () => {
  expect((await sender().send("http://127.0.0.1:1", chat())).failure?.kind).toBe("unreachable");
  const server = await listen(() => ({ status: 200, headers: [], pieces: [] }));
  closing.push(server.close);
  expect((await sender().send(server.url, chat([["bad\nname", "x"]]))).failure?.kind).toBe("unsendable");
  expect((await sender().send(server.url, chat())).failure).toBeUndefined();
});

test("a certificate nobody trusts is no connection at all, unless any is accepted", async () => {
  const server = https.createServer({ key, cert }, (_request, response) => void response.end("{}"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => void server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { failure } = await sender().send(url, chat());
  expect(failure).toMatchObject({ kind: "unreachable", problem: expect.stringContaining("self-signed certificate") });
  expect((await sender({ insecure: true }).send(url, chat())).exchange.response?.status).toBe(200);
});
