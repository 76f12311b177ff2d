/** Holds watched fetches to changing nothing, and what they keep to what passed. */
import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Exchange } from "../wire/exchange.ts";
import { until } from "./sockets.test-kit.ts";
import { watch } from "./watch.ts";
import { watchedStream } from "./watched-body.ts";

interface Got {
  readonly method: string;
  readonly target: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A server that keeps what it got. */
async function serverOf(answer: (outgoing: ServerResponse, incoming: IncomingMessage) => unknown) {
  const got: Got[] = [];
  const server = http.createServer(async (incoming, outgoing) => {
    const { method = "", url: target = "", headers } = incoming;
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece);
    got.push({ method, target, headers, body: Buffer.concat(pieces).toString("latin1") });
    await answer(outgoing, incoming);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const latin1Text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const json = { "content-type": "application/json" };

function form(): FormData {
  const fields = new FormData();
  fields.append("model", "image-v2");
  fields.append("image", new File([new Uint8Array([0x89, 0x50, 0, 0xff])], "a.png", { type: "image/png" }));
  return fields;
}
/** Every fetch draws a boundary of its own, of the same length. */
const withoutBoundary = (text: string): string => text.replaceAll(/-{4,}formdata-[\w-]+?(?=-{0,2}(?:\r|$))/g, "B");

const post = { method: "post", headers: { Authorization: "Bearer k", "Content-Type": "application/json" } };
const requests: Record<string, (url: string) => [string | URL | Request, RequestInit?]> = {
  "no body": (url) => [`${url}/v1/models?limit=2`, { headers: { Accept: "text/plain" } }],
  "a text": (url) => [new URL(`${url}/v1/x?a=%20b#c`), { ...post, body: '{"a":"ü"}' }],
  bytes: (url) => [url, { ...post, body: new Uint8Array([0, 1, 0xff]) }],
  parameters: (url) => [url, { method: "POST", body: new URLSearchParams({ a: "1 2" }) }],
  "a blob": (url) => [url, { method: "POST", body: new Blob(["abc"], { type: "text/plain" }) }],
  "a form": (url) => [url, { method: "POST", body: form() }],
  "a stream of the web": (url) => [
    url,
    { ...post, body: new Blob(["abc", "def"]).stream(), duplex: "half" } as RequestInit,
  ],
  "a stream of Node": (url) => [
    url,
    {
      ...post,
      body: Readable.from([Buffer.from("abc"), Buffer.from("def")]),
      duplex: "half",
    } as unknown as RequestInit,
  ],
  "a request": (url) => [new Request(`${url}/v1/y`, { ...post, body: '{"b":1}' })],
  "a request with changes": (url) => [new Request(url, { ...post, body: "1" }), { method: "PUT", body: "2" }],
};

describe.each(Object.entries(requests))("a request with %s", (_, ask) => {
  test("is sent as it would be without, and kept as it was sent", async () => {
    const { got, url } = await serverOf((outgoing) => outgoing.end());
    const watched = watch();
    await (await fetch(...ask(url))).text();
    await (await watched.fetch(...ask(url))).text();
    const [plain, seen] = got.map(({ headers, body, ...rest }) => {
      const type = headers["content-type"] && withoutBoundary(headers["content-type"]);
      return { ...rest, headers: { ...headers, "content-type": type }, body: withoutBoundary(body) };
    });
    expect(seen).toEqual(plain);
    await until(() => watched.exchanges[0]?.request.cut === undefined);
    const { method, target, headers, body } = watched.exchanges[0]!.request;
    expect({ method, target, body: withoutBoundary(latin1Text(body)) }).toEqual({
      method: plain!.method,
      target: plain!.target,
      body: plain!.body,
    });
    const sent = Object.fromEntries(headers.map(([name, value]) => [name, withoutBoundary(value)]));
    expect(plain!.headers).toMatchObject(sent);
    expect(sent).toHaveProperty(
      ...((plain!.body ? ["content-type", plain!.headers["content-type"]] : ["accept"]) as [string]),
    );
  });
});

/** The facts that a caller can know of an answer. */
async function outcomeOf(call: () => Promise<Response>): Promise<unknown> {
  try {
    const response = await call();
    const { status, statusText, ok, url, redirected, type } = response;
    const copy = response.clone();
    const head = { status, statusText, ok, url, redirected, type, headers: [...response.headers] };
    const rest = { null: response.body === null, used: response.bodyUsed, copyUrl: copy.url };
    const text = await response.text().catch(String);
    return { ...head, ...rest, text, copy: await copy.text().catch(String), usedNow: response.bodyUsed };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string } };
    return { name, message, cause: cause?.code };
  }
}

const answers: Record<string, (outgoing: ServerResponse, incoming: IncomingMessage) => unknown> = {
  whole: (outgoing) => outgoing.writeHead(200, { ...json, "Set-Cookie": ["a=1", "b=2"] }).end('{"a":"ü"}'),
  compressed: (outgoing) => outgoing.writeHead(200, { ...json, "Content-Encoding": "gzip" }).end(gzipSync("{}")),
  "without content": (outgoing) => outgoing.writeHead(204).end(),
  empty: (outgoing) => outgoing.writeHead(500, "No Luck").end(),
  "with an odd status": (outgoing) => outgoing.writeHead(799, "Ünusual").end("odd"),
  "that breaks off": (outgoing) => {
    outgoing.writeHead(200, { ...json, "content-length": 10 });
    outgoing.write("abc", () => outgoing.destroy());
  },
  "that never comes": (outgoing) => outgoing.destroy(),
  "after a redirection": (outgoing, { url }) =>
    url === "/there" ? outgoing.end("there") : outgoing.writeHead(302, { location: "/there" }).end(),
};

test.each(Object.entries(answers))("an answer %s is the same to its reader", async (_, answer) => {
  const { url } = await serverOf((outgoing, incoming) => {
    outgoing.sendDate = false;
    return answer(outgoing, incoming);
  });
  expect(await outcomeOf(() => watch().fetch(`${url}/x`))).toEqual(await outcomeOf(() => fetch(`${url}/x`)));
});

test("an input that makes no request is refused as without, and not kept", async () => {
  const watched = watch();
  const plain = await outcomeOf(() => fetch("nowhere"));
  expect(await outcomeOf(() => watched.fetch("nowhere"))).toEqual(plain);
  expect(watched.exchanges).toEqual([]);
});

test("a request that goes to no server is not kept", async () => {
  const watched = watch();
  expect(await (await watched.fetch("data:,abc")).text()).toBe("abc");
  expect(watched.exchanges).toEqual([]);
});

/** The one exchange that a call makes. */
async function exchangeOf(
  answer: (typeof answers)[string],
  read = (response: Response): Promise<unknown> => response.text(),
) {
  const { url } = await serverOf(answer);
  const watched = watch();
  await watched
    .fetch(`${url}/x`)
    .then(read)
    .catch(() => {});
  expect(watched.exchanges).toHaveLength(1);
  return watched.exchanges[0] as Exchange;
}

describe("of an answer is kept", () => {
  test("its status, its headers, each by itself, and its body", async () => {
    const { response, aborted } = await exchangeOf(answers["whole"]!);
    expect(response).toMatchObject({ status: 200, reason: "OK", time: expect.any(Number) });
    expect(response!.headers).toEqual(
      expect.arrayContaining([
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ]),
    );
    expect(Buffer.from(response!.body).toString()).toBe('{"a":"ü"}');
    expect(aborted).toBeUndefined();
    // When pieces came is not known behind fetch.
    expect(response).not.toHaveProperty("chunks");
  });

  test("no coding that was undone, nor its length", async () => {
    const { response } = await exchangeOf(answers["compressed"]!);
    expect(latin1Text(response!.body)).toBe("{}");
    expect(response!.headers.map(([name]) => name)).not.toContain("content-encoding");
    expect(response!.headers.map(([name]) => name)).not.toContain("content-length");
  });

  test("what came before the upstream broke it off", async () => {
    const { response, aborted } = await exchangeOf(answers["that breaks off"]!);
    expect([latin1Text(response!.body), aborted]).toEqual(["abc", "upstream"]);
  });

  test("nothing where none came", async () => {
    const { response, aborted } = await exchangeOf(answers["that never comes"]!);
    expect([response, aborted]).toEqual([null, "upstream"]);
  });

  test("64 MiB of its body, and how much more there was", async () => {
    const piece = new Uint8Array(8 << 20);
    let left = 9;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => (left-- > 0 ? controller.enqueue(piece) : controller.close()),
    });
    const { fetch, exchanges } = watch(async () => new Response(body));
    let read = 0;
    for await (const { length } of (await fetch("http://127.0.0.1/x")).body!) read += length;
    expect(read).toBe(9 * piece.length);
    expect(exchanges[0]!.response).toMatchObject({ cut: piece.length, body: { length: 8 * piece.length } });
  });

  test("what was read of it where its reader wants no more", async () => {
    const some = async (response: Response): Promise<void> => {
      for await (const _piece of response.body!) break;
    };
    const { response, aborted } = await exchangeOf((outgoing) => outgoing.write("abc"), some);
    expect([latin1Text(response!.body), aborted]).toEqual(["abc", "client"]);
  });
});

describe("a stream", () => {
  test("passes piece by piece, and stands as broken off until it has ended", async () => {
    let more = (): void => {};
    const { url } = await serverOf((outgoing) => {
      outgoing.write("data: 1\n\n");
      more = () => outgoing.end("data: 2\n\n");
    });
    const { fetch, exchanges } = watch();
    const reader = (await fetch(url)).body!.getReader();
    const first = await reader.read();
    expect(latin1Text(first.value!)).toBe("data: 1\n\n");
    expect(exchanges[0]).toMatchObject({ aborted: "client", response: { status: 200 } });
    expect(latin1Text(exchanges[0]!.response!.body)).toBe("data: 1\n\n");
    more();
    while (!(await reader.read()).done);
    expect(exchanges[0]).not.toHaveProperty("aborted");
    expect(latin1Text(exchanges[0]!.response!.body)).toBe("data: 1\n\ndata: 2\n\n");
  });

  test.each(["while it is read", "while nobody reads"])("ends at an abort of its caller %s", async (when) => {
    const { url } = await serverOf((outgoing) => outgoing.write("data: 1\n\n"));
    const outcomes = [];
    const watched = watch();
    for (const send of [fetch, watched.fetch]) {
      const leaving = new AbortController();
      const reader = (await send(url, { signal: leaving.signal })).body!.getReader();
      await reader.read();
      const next = when === "while it is read" ? reader.read() : undefined;
      leaving.abort(new Error("enough"));
      const closed = await reader.closed.catch(String);
      outcomes.push([closed, await (next ?? reader.read()).catch(String)]);
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(watched.exchanges[0]).toMatchObject({ aborted: "client", response: { status: 200 } });
  });

  test("is not read before its reader asks", async () => {
    let asked = 0;
    const source = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          asked++;
          controller.enqueue(Buffer.from("piece"));
        },
      },
      { highWaterMark: 0 },
    );
    const reader = watchedStream(source, { piece() {}, end() {} }).getReader();
    expect(source.locked).toBe(false);
    await reader.read();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve));
    expect(asked).toBe(2);
  });

  test("is read into its reader's own memory as well", async () => {
    const { url } = await serverOf((outgoing) => outgoing.end("abc"));
    const reader = (await watch().fetch(url)).body!.getReader({ mode: "byob" });
    const { value } = await reader.read(new Uint8Array(8));
    expect(latin1Text(value!)).toBe("abc");
    expect((await reader.read(new Uint8Array(8))).done).toBe(true);
  });
});
