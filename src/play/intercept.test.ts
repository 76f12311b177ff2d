/** Holds that intercepted hosts are answered by the servers of a test, whatever sends, and that all is put back. */
import { expect, onTestFinished, test } from "vitest";
import { intercept, serve } from "../index.ts";

const address = "https://api.example.com/v1/chat/completions?a=1";
const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });
const headers = { authorization: "Bearer test-key", "content-type": "application/json" };
const asked = { method: "POST", headers, body } as const;

async function served() {
  const server = await serve();
  onTestFinished(() => server.close());
  return server;
}

/** The key under which undici keeps its dispatcher for everyone. */
const dispatcherOf = (): unknown => (globalThis as Record<symbol, unknown>)[Symbol.for("undici.globalDispatcher.1")];

test("the global fetch is answered by the server, and told the address it asked", async () => {
  const server = await served();
  onTestFinished(intercept({ "api.example.com": server }));
  const response = await fetch(address, asked);
  expect([response.status, response.url]).toEqual([200, address]);
  await response.text();
  await (await fetch(new Request(address, asked))).text();
  expect(server.requests.map(({ target }) => target)).toEqual(Array(2).fill("/v1/chat/completions?a=1"));
  expect(server.requests[1]?.body).toEqual(JSON.parse(body));
});

test("undici and a fetch that was taken before are answered as well, by origin", async () => {
  const { request } = await import("undici");
  const server = await served();
  const early = globalThis.fetch;
  onTestFinished(intercept({ "https://api.example.com": server.url }));
  const { statusCode, body: reply } = await request(address, asked);
  await reply.text();
  const response = await early(address, asked);
  await response.text();
  expect([statusCode, response.status, server.requests.length]).toEqual([200, 200, 2]);
});

test("other hosts are left alone", async () => {
  const [server, other] = [await served(), await served()];
  onTestFinished(intercept({ "api.example.com": server }));
  await (await fetch(`${other.url}/v1/chat/completions`, asked)).text();
  expect([server.requests.length, other.requests.length]).toEqual([0, 1]);
});

test("fetch and the dispatcher are put back, in any order, and a later patch of others stays", async () => {
  const before = [globalThis.fetch, dispatcherOf()];
  const server = await served();
  const first = intercept({ "one.example.com": server });
  const second = intercept({ "two.example.com": server });
  second();
  first();
  expect([globalThis.fetch, dispatcherOf()]).toEqual(before);
  const restore = intercept({ "one.example.com": server });
  const theirs: typeof fetch = async () => new Response("theirs");
  globalThis.fetch = theirs;
  restore();
  expect(globalThis.fetch).toBe(theirs);
  globalThis.fetch = before[0] as typeof fetch;
});

test("an address that is no server is refused in one line", () => {
  expect(() => intercept({ "api.example.com": "nowhere" })).toThrow(
    "intercept() cannot send api.example.com to nowhere",
  );
});
