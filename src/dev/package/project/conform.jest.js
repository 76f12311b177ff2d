/** The matcher under jest. */
import { expect, test } from "@jest/globals";
import { readCassette, serve, watch } from "touchstone";
import { conformance, matchers } from "touchstone/vitest";

expect.extend(matchers);

test("exchanges conform", async () => {
  const server = await serve();
  const { fetch, exchanges } = watch();
  const headers = { authorization: "Bearer test-key", "content-type": "application/json" };
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });
  await (await fetch(`${server.url}/v1/chat/completions`, { method: "POST", headers, body })).text();
  await server.close();
  expect(exchanges).toConform();
});

test("a failure names its clause", async () => {
  const { exchanges } = await readCassette("har/faulty.har");
  const faulty = exchanges.map(({ exchange }) => exchange);
  expect(faulty).not.toConform();
  expect(() => expect(faulty).toConform()).toThrow("FAIL chat-completions.request.temperature-range");
});

test("suites are for vitest alone, and say so", () => {
  expect(() => conformance("http://127.0.0.1:8080")).toThrow("call it in a test file that vitest runs");
});
