/** Holds the library to its names, and its matcher to the report's words. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { describedIn } from "./documents/folder.test-kit.ts";
import { home } from "./home.ts";
import * as library from "./index.ts";
import { type Exchange, serve, watch } from "./index.ts";
import * as forTests from "./vitest.ts";
import { jsonRequest } from "./wire/build.ts";

test("the library exports what its page names, and nothing else", () => {
  expect(Object.keys(library).sort()).toMatchInlineSnapshot(`
    [
      "UserError",
      "cases",
      "check",
      "intercept",
      "play",
      "readCassette",
      "record",
      "run",
      "serve",
      "watch",
    ]
  `);
  expect(Object.keys(forTests).sort()).toMatchInlineSnapshot(`
    [
      "conformance",
      "matchers",
    ]
  `);
});

const finishReason = "chat-completions.response.finish-reason-values";

/** The exchange of one chat request to the reference. */
async function chat(broken: readonly string[], body: object = {}): Promise<Exchange[]> {
  const server = await serve({ break: broken });
  onTestFinished(() => server.close());
  const { fetch, exchanges } = watch();
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { Authorization: "Bearer test-key", "Content-Type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }], ...body }),
  });
  await answer.text();
  return exchanges;
}

test("exchanges that conform pass, whole and streamed, one and several", async () => {
  const exchanges = [...(await chat([])), ...(await chat([], { stream: true }))];
  expect(exchanges).toConform();
  expect(exchanges[0]).toConform({ reading: ["strict"] });
  expect(() => expect(exchanges).not.toConform()).toThrow("expected 2 exchanges not to conform, and no clause fails");
});

test("a failure reads like the report: clause, sentence, place, expected and actual", async () => {
  const exchanges = await chat([finishReason]);
  expect(exchanges).not.toConform();
  expect(() => expect(exchanges).toConform()).toThrowErrorMatchingInlineSnapshot(`
    [Error: expected 1 exchange to conform, but 1 clause fails

    FAIL chat-completions.response.finish-reason-values
      The finish reason is stop, length, content_filter, tool_calls or function_call. (chat-completions-and-images, Choice object)
      memory, exchange 0: response body at /choices/0/finish_reason
        expected  one of "stop", "length", "content_filter", "tool_calls", "function_call"
        actual    "stop-not"
      fails in 1 of 1 exchange]
  `);
});

test("a failure of what carries a vendor's header names the preset, unless one is chosen", async () => {
  const [exchange] = await chat([finishReason]);
  const { request } = exchange!;
  const vendors = { ...exchange!, request: { ...request, headers: [...request.headers, ["Anthropic-Version", "1"]] } };
  const hint = 'The header anthropic-version is a vendor\'s; toConform({ preset: "vendors" })';
  expect(() => expect(vendors).toConform()).toThrow(hint);
  expect(() => expect(vendors).toConform({ preset: "vendors" })).toThrow(/in 1 of 1 exchange$/);
  expect(() => expect(exchange!).toConform()).toThrow(/in 1 of 1 exchange$/);
});

test("an exchange under way is judged as far as it has come", async () => {
  const { response, ...asked } = (await chat([], { stream: true }))[0]!;
  const half = { ...response!, body: response!.body.subarray(0, response!.body.length / 2) };
  expect({ ...asked, response: half }).not.toConform();
  expect({ ...asked, response: half, aborted: "client" }).toConform();
});

test("nothing judged is no pass", () => {
  const elsewhere = { method: "GET", target: "/health", headers: [], body: new Uint8Array() };
  const exchange: Exchange = { request: elsewhere, response: null };
  expect(() => expect([]).toConform()).toThrow("nothing was judged: no clause speaks of 0 exchanges");
  expect(() => expect(exchange).not.toConform()).toThrow("no clause speaks of 1 exchange, GET /health");
  expect([exchange]).toConform({ allowEmpty: true });
  expect(() => expect(1 as never).toConform()).toThrow("is for exchanges");
});

test("a recording is judged by its path", async () => {
  await expect(join(home, "recordings", "chat-completions", "streaming")).toConform({ preset: "vendors" });
});

test("exchanges are judged by documents of one's own in a promise", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-library-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const documents = [describedIn(folder, "embeddings", "POST /v1/embeddings", "input")];
  const asked = (input: unknown) => ({ request: jsonRequest("/v1/embeddings", [], { input }), response: null });
  await expect(asked("a text")).toConform({ documents });
  await expect(asked(3)).not.toConform({ documents });
});
