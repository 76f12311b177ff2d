/** An upstream may say what HTTP does not let pass: the client gets a 502 in our words, the observer gets what came, everybody else goes on. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { kept, rawClient, rawServer, rig, until, wireOf } from "./sockets.test-kit.ts";

const get = (path = "/v1/models"): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** An upstream that answers the path /good well, and all others with `said`, one character a byte. */
async function saying(said: () => string, close = false) {
  const upstream = await rawServer(async (socket) => {
    const wire = wireOf(socket);
    for (let at = 0; ; ) {
      const text = await wire.until((all) => all.indexOf("\r\n\r\n", at) >= 0);
      const asked = text.slice(at, text.indexOf("\r\n\r\n", at));
      at += asked.length + 4;
      const good = asked.startsWith("GET /good ");
      socket.write(good ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood" : said(), "latin1");
      if (close && !good) socket.end();
    }
  });
  return rig({ upstreams: { default: kept(upstream).url } });
}

const goesOn = async (proxy: { readonly port: string }): Promise<void> => {
  await rawClient(proxy.port, get("/good")).until((text) => text.endsWith("good"));
};

test.each([
  ["a reason with a terminal escape", 200, "\x1b[31mred\x07"],
  ["a reason with a NUL", 200, "a\0b\0c"],
  ["a reason with DEL", 404, "\x7f"],
  ["the status 000", 0, "X"],
  ["the status 099", 99, "Low"],
])("%s becomes a 502, is kept as it came, and its connection goes on", async (_, status, reason) => {
  const head = `HTTP/1.1 ${String(status).padStart(3, "0")} ${reason}\r\n`;
  const proxy = await saying(() => `${head}X: \xe9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nT: 1\r\n\r\n`);
  const client = rawClient(proxy.port, get() + get("/good"));
  const text = await client.until((all) => all.endsWith("good"));
  expect(text).toMatch(
    /^HTTP\/1\.1 502 Bad Gateway\r\nContent-Type: text\/plain; charset=utf-8\r\nContent-Length: \d+\r\n\r\n/,
  );
  expect(text).toMatch(
    /touchstone: http:\/\/127\.0\.0\.1:\d+ answered what HTTP does not let pass: .+\nHTTP\/1\.1 200 OK/,
  );
  await until(() => proxy.exchanges.length === 2);
  const { response, aborted } = proxy.exchanges.find(({ request }) => request.target === "/v1/models")!;
  expect(response).toMatchObject({
    status,
    reason,
    headers: [
      ["X", "\xe9"],
      ["Transfer-Encoding", "chunked"],
    ],
  });
  expect([Buffer.from(response!.body).toString(), response!.trailers, aborted]).toEqual([
    "ok",
    [["T", "1"]],
    undefined,
  ]);
  expect(proxy.problems).toHaveLength(1);
});

test("an endless body behind a head that cannot pass is read as far as it is kept", async () => {
  const upstream = await rawServer(async (socket) => {
    await wireOf(socket).until((text) => text.endsWith("\r\n\r\n"));
    socket.write("HTTP/1.1 200 \x1b\r\n\r\n");
    const pour = (): void => void (socket.destroyed || socket.write(Buffer.alloc(5000), pour));
    pour();
  });
  const proxy = await rig({ upstreams: { default: kept(upstream).url }, maxBody: 20_000 });
  await rawClient(proxy.port, get()).until((text) => text.startsWith("HTTP/1.1 502 "));
  await until(() => upstream.sockets.size === 0 && proxy.exchanges.length === 1);
  expect(proxy.exchanges[0]!.response!.body).toHaveLength(20_000);
});

test("protocols switched unasked become a 502, and the observer says so", async () => {
  const proxy = await saying(() => "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nraw");
  await rawClient(proxy.port, get() + get("/good")).until((text) => /^HTTP\/1\.1 502 .*good$/s.test(text));
  await until(() => proxy.exchanges.length === 2);
  const said = proxy.exchanges.find(({ request }) => request.target === "/v1/models")!;
  expect(said).toMatchObject({ aborted: "upstream", response: { status: 101, reason: "Switching" } });
});

test("an interim response that cannot pass is left out and told once; what comes behind it passes", async () => {
  const odd = "HTTP/1.1 103 \x1b[2J\r\nLink: a\r\n\r\n";
  const proxy = await saying(
    () => `${odd.repeat(20)}HTTP/1.1 103 Early\r\nLink: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`,
  );
  const text = await rawClient(proxy.port, get()).until((all) => all.endsWith("ok"));
  expect(text).toBe("HTTP/1.1 103 Early\r\nLink: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  expect(proxy.problems).toEqual([expect.stringContaining("interim response that HTTP does not let pass")]);
});

test("interim responses of pipelined requests wait for their turn, however many they are", async () => {
  const proxy = await saying(
    () => `${"HTTP/1.1 103 E\r\nLink: a\r\n\r\n".repeat(500)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`,
  );
  const text = await rawClient(proxy.port, get("/1") + get("/2")).until((all) => /ok.*ok$/s.test(all));
  expect(text.split("HTTP/1.1 103 E\r\n")).toHaveLength(1001);
  expect(text.split("ok").map((part) => part.split("103 E").length)).toEqual([501, 501, 1]);
});

const places: Readonly<Record<string, (odd: string) => string>> = {
  reason: (odd) => `HTTP/1.1 200 ${odd}\r\nContent-Length: 2\r\n\r\nok`,
  status: (odd) => `HTTP/1.1 ${odd} OK\r\nContent-Length: 2\r\n\r\nok`,
  version: (odd) => `HTTP/${odd} 200 OK\r\nContent-Length: 2\r\n\r\nok`,
  "header name": (odd) => `HTTP/1.1 200 OK\r\n${odd}: x\r\nContent-Length: 2\r\n\r\nok`,
  "header value": (odd) => `HTTP/1.1 200 OK\r\nX: ${odd}\r\nContent-Length: 2\r\n\r\nok`,
  connection: (odd) => `HTTP/1.1 200 OK\r\nConnection: ${odd}\r\nContent-Length: 2\r\n\r\nok`,
  coding: (odd) => `HTTP/1.1 200 OK\r\nTransfer-Encoding: ${odd}\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  length: (odd) => `HTTP/1.1 200 OK\r\nContent-Length: ${odd}\r\n\r\nok`,
  "interim reason": (odd) => `HTTP/1.1 103 ${odd}\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`,
  "interim header": (odd) => `HTTP/1.1 103 E\r\n${odd}: ${odd}\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`,
  "chunk size": (odd) => `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${odd}\r\nok\r\n0\r\n\r\n`,
  trailer: (odd) =>
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n${odd}: x\r\nX: ${odd}\r\n\r\n`,
  everything: (odd) => odd,
};

test("a client is told or broken off whatever bytes stand in its answer, and the others go on", async () => {
  let said = "";
  const proxy = await saying(() => said, true);
  const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
  const odd = fc.oneof(
    fc.string({ unit: byte, maxLength: 20 }),
    fc.constantFrom(
      "",
      "101",
      "1000",
      "Content-Length",
      "upgrade",
      "chunked, gzip",
      "-1",
      "99999999999999999999",
      "\xff",
      " ",
      "\t",
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.values(places)), odd, async (place, bytes) => {
      said = place(bytes);
      const count = proxy.exchanges.length;
      const client = rawClient(proxy.port, replaceText(get(), "\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
      await client.closed;
      await until(() => proxy.exchanges.length === count + 1);
      await goesOn(proxy);
      await until(() => proxy.exchanges.length === count + 2);
    }),
    fuzz(150),
  );
});
