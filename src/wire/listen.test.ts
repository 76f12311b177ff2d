/** Holds the listener on real sockets: bytes as given, failures answered, clients that leave. */
import { once } from "node:events";
import { request } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import type { WireRequest } from "./exchange.ts";
import { type Handler, type Listening, listen, pairsOf, type Reply } from "./listen.ts";
import { talk as talkTo } from "./raw-client.test-kit.ts";

const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});
async function serve(handler: Handler, at?: { host?: string; port?: number }): Promise<string> {
  const server = await listen(handler, at);
  open.push(server);
  return server.url;
}

const reply = (over: Partial<Reply> = {}): Reply => ({
  status: 200,
  headers: [["Content-Type", "text/plain"]],
  pieces: [{ bytes: Buffer.from("hello") }],
  ...over,
});

const talk = (url: string, text: string): Promise<string> => talkTo(url, text, true);

test("the handler sees the request as it was sent", async () => {
  let seen: WireRequest | undefined;
  const url = await serve((got) => {
    seen = got;
    return reply();
  });
  await talk(
    url,
    "POST /a%20b?x=%C3%A4&x HTTP/1.1\r\nHost: h\r\nX-Odd-CASE: 1\r\nx-odd-case: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc",
  );
  expect(seen).toEqual({
    method: "POST",
    target: "/a%20b?x=%C3%A4&x",
    headers: [
      ["Host", "h"],
      ["X-Odd-CASE", "1"],
      ["x-odd-case", "2"],
      ["Content-Length", "3"],
      ["Connection", "close"],
    ],
    body: Buffer.from("abc"),
  });
});

test("headers go out in the order, case and repetition given", async () => {
  const headers = [
    ["X-B", "1"],
    ["set-cookie", "a"],
    ["x-b", "2"],
    ["Set-Cookie", "b"],
    ["Content-Length", "5"],
  ] as const;
  const url = await serve(() => reply({ status: 299, reason: "Fine Enough", headers }));
  const text = await talk(url, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  expect(text).toMatch(
    /^HTTP\/1\.1 299 Fine Enough\r\nX-B: 1\r\nset-cookie: a\r\nx-b: 2\r\nSet-Cookie: b\r\nContent-Length: 5\r\n/,
  );
  expect(text).toMatch(/\r\n\r\nhello$/);
});

test("HEAD gets the head only, and Expect: 100-continue its go-ahead", async () => {
  const url = await serve(({ body }) => reply({ pieces: [{ bytes: body.length > 0 ? body : Buffer.from("hello") }] }));
  expect(await talk(url, "HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")).toMatch(/\r\n\r\n$/);
  const asked = await talk(
    url,
    "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
  );
  expect(asked).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
});

test("the head is sent before the first piece is due", async () => {
  const url = await serve(() => reply({ pieces: [{ bytes: Buffer.from("late"), after: 600_000 }] }));
  const outgoing = request(url).end();
  const [incoming] = await once(outgoing, "response");
  expect(incoming.statusCode).toBe(200);
  outgoing.on("error", () => undefined).destroy();
});

describe("a handler", () => {
  test("that throws, rejects or gives what cannot be sent is answered for with 500", async () => {
    const failures: Handler[] = [
      () => {
        throw new Error("thrown");
      },
      async () => Promise.reject(new Error("rejected")),
      () => reply({ headers: [["X", "a\nb"]] }),
      () => reply({ status: 7 }),
    ];
    for (const failure of failures) {
      const response = await fetch(await serve(failure));
      expect([response.status, await response.text()]).toEqual([500, expect.stringMatching(/^internal failure: ./)]);
    }
  });

  test("may break the connection off after its pieces", async () => {
    const url = await serve(() => reply({ abort: true }));
    const response = await fetch(url);
    await expect(response.text()).rejects.toThrow();
    const text = await talk(url, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    expect(text).toMatch(/hello\r\n$/);
  });
});

describe("a reply", () => {
  const more = async function* (failure?: Error): AsyncGenerator<{ bytes: Uint8Array }> {
    yield { bytes: Buffer.from(" and") };
    if (failure) throw failure;
    yield { bytes: Buffer.from(" more") };
  };

  test("goes on with pieces as they come, and breaks off where they fail", async () => {
    expect(await (await fetch(await serve(() => reply({ more: more() })))).text()).toBe("hello and more");
    const response = await fetch(await serve(() => reply({ more: more(new Error("lost")) })));
    await expect(response.text()).rejects.toThrow();
  });

  test("ends with trailers where it is chunked, and is sent without additions where it is exact", async () => {
    const exact = { headers: [["Transfer-Encoding", "chunked"]], trailers: [["X-Sum", "1"]], exact: true } as const;
    const url = await serve(() => reply(exact));
    const text = await talk(url, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    expect(text).toBe(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n",
    );
    expect(await talk(url, "GET / HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.1 200 OK\r\n(?!Transfer).*\r\n\r\nhello$/s);
  });

  test("may stay away altogether", async () => {
    const url = await serve(() => reply({ abort: "unanswered" }));
    expect(await talk(url, "GET / HTTP/1.1\r\nHost: h\r\n\r\n")).toBe("");
  });

  test("that was whole leaves nobody, one that was not tells its handler", async () => {
    const left: string[] = [];
    const server = await listen(({ target }, leaving) => {
      leaving.addEventListener("abort", () => left.push(target));
      return reply(
        target === "/long" ? { pieces: [{ bytes: Buffer.from("x") }, { bytes: Buffer.from("y"), at: 600_000 }] } : {},
      );
    });
    open.push(server);
    await talk(server.url, "GET /short HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    const leaving = new AbortController();
    await (await fetch(`${server.url}/long`, { signal: leaving.signal })).body!.getReader().read();
    leaving.abort();
    await expect.poll(() => left).toEqual(["/long"]);
  });
});

describe("a client", () => {
  test("that leaves in mid-stream ends its exchange and no other", async () => {
    const piece = { bytes: Buffer.alloc(1 << 20), after: 1 };
    const url = await serve(({ target }) => reply(target === "/long" ? { pieces: Array(10_000).fill(piece) } : {}));
    for (let i = 0; i < 3; i++) {
      const leaving = new AbortController();
      const response = await fetch(`${url}/long`, { signal: leaving.signal });
      await response.body!.getReader().read();
      leaving.abort();
    }
    expect(await (await fetch(url)).text()).toBe("hello");
  });

  test("that leaves while sending, or sends no HTTP, disturbs nobody", async () => {
    const url = await serve(() => reply());
    await talk(url, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc");
    await talk(url, "\x16\x03\x01\x02\0nonsense\r\n\r\n");
    expect(await (await fetch(url)).text()).toBe("hello");
  });
});

test("a taken port rejects with the socket's own error", async () => {
  const { port } = new URL(await serve(() => reply()));
  await expect(listen(() => reply(), { port: Number(port) })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("an IPv6 address stands in brackets", async () => {
  const url = await serve(() => reply(), { host: "::1" });
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect(await (await fetch(url)).text()).toBe("hello");
});

test("closing breaks off what is under way, and may be repeated", async () => {
  const server = await listen(() => reply({ pieces: [{ bytes: Buffer.from("x"), after: 600_000 }] }));
  const response = await fetch(server.url);
  await server.close();
  await server.close();
  await expect(response.text()).rejects.toThrow();
});

test("raw headers become pairs", () => {
  expect(pairsOf(["A", "1", "a", "2"])).toEqual([
    ["A", "1"],
    ["a", "2"],
  ]);
});
