/** A screen in front of the upstream: what it refuses is answered here, everything else passes as without it. */
import { expect, test } from "vitest";
import { replaceText } from "../replace-text.test-kit.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { kept, rawClient, rawServer, rig, until, wireOf } from "./sockets.test-kit.ts";

const refusal = { status: 400, type: "application/json", body: '{"error":"no"}' };
const post = (body: string, more = ""): string =>
  `POST /v1/x HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;

async function screened(maxBody?: number) {
  const asked: string[] = [];
  const upstream = await rawServer(async (socket) => {
    const text = await wireOf(socket).until((all) => all.endsWith("!"));
    asked.push(text);
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  });
  const seen: WireRequest[] = [];
  const skipped: string[] = [];
  const proxy = await rig({
    upstreams: { default: kept(upstream).url },
    ...(maxBody && { maxBody }),
    screen: {
      maxBytes: 1 << 20,
      async judge(request) {
        seen.push(request);
        return Buffer.from(request.body).toString().includes("bad") ? refusal : undefined;
      },
      onSkip: (why) => skipped.push(why),
    },
  });
  return { proxy, asked, seen, upstream, skipped };
}

test("a refused request is answered here and never reaches the upstream", async () => {
  const { proxy, asked, seen } = await screened();
  const client = rawClient(proxy.port, post("bad!"));
  expect(await client.until((text) => text.endsWith("}"))).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(asked).toEqual([]);
  expect(seen[0]).toMatchObject({ method: "POST", target: "/v1/x" });
  await until(() => proxy.exchanges.length === 1);
  const { request, response } = proxy.exchanges[0]!;
  expect(Buffer.from(request.body).toString()).toBe("bad!");
  expect(response!.status).toBe(400);
  expect(Buffer.from(response!.body).toString()).toBe(refusal.body);
});

test("a request that is let pass reaches the upstream whole, on the same connection too", async () => {
  const { proxy, asked } = await screened();
  const client = rawClient(proxy.port, post("bad!") + post("good!"));
  await client.until((text) => text.endsWith("ok"));
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/\r\n\r\ngood!$/);
  await until(() => proxy.exchanges.length === 2);
  expect(proxy.exchanges.map(({ request }) => Buffer.from(request.body).toString())).toEqual(["bad!", "good!"]);
});

test("a client that waits for permission to send its body gets it", async () => {
  const { proxy } = await screened();
  const client = rawClient(proxy.port, replaceText(post("", "Expect: 100-continue\r\n"), "Length: 0", "Length: 5"));
  await client.until((text) => text.startsWith("HTTP/1.1 100 Continue\r\n\r\n"));
  client.socket.write("good!");
  await client.until((text) => text.endsWith("ok"));
});

test.each([
  ["the cap", 1000],
  ["what is judged", undefined],
])("a body beyond %s passes unjudged, and that is told", async (_, maxBody) => {
  const { proxy, asked, seen, skipped } = await screened(maxBody);
  const body = `${"bad".repeat(500_000)}!`;
  await rawClient(proxy.port, post(body)).until((text) => text.endsWith("ok"));
  expect([seen, skipped]).toEqual([[], [expect.stringContaining("its body has more than")]]);
  expect(asked[0]!.endsWith(body)).toBe(true);
});

test("a body beyond what all bodies may take together passes unscreened, and the next one does not", async () => {
  const { proxy, asked, seen } = await screened(1000);
  const half = post("x".repeat(2000)).slice(0, -1001);
  const others = Array.from({ length: 8 }, () => rawClient(proxy.port, half));
  const { length } = half.split("\r\n\r\n")[1]!;
  await until(() => proxy.inFlight().count === 8);
  const body = `bad${"x".repeat(8 * (1000 - length))}!`;
  await rawClient(proxy.port, post(body)).until((text) => text.endsWith("ok"));
  expect([asked.length, seen.length]).toEqual([1, 0]);
  for (const { socket } of others) socket.destroy();
  await until(() => proxy.inFlight().count === 0);
  expect(await rawClient(proxy.port, post(body.slice(0, 900))).until((text) => text.endsWith("}"))).toContain(" 400 ");
});

test("a client that leaves while its body is read is forgotten", async () => {
  const { proxy, asked } = await screened();
  const client = rawClient(proxy.port, post("good!").slice(0, -2));
  await until(() => proxy.inFlight().count === 1);
  client.socket.destroy();
  await until(() => proxy.inFlight().count === 0);
  expect(asked).toEqual([]);
  expect(proxy.exchanges[0]).toMatchObject({ response: null, aborted: "client" });
});
