/** Exchanges without a response from the service do not show that it conforms. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { touchstoneHere } from "../cli/here.test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-silent-"));
afterAll(() => rmSync(folder, { recursive: true }));

const request = (model: unknown) => ({
  method: "POST",
  target: "/v1/messages",
  headers: [
    ["content-type", "application/json"],
    ["x-api-key", "[redacted]"],
    ["anthropic-version", "2023-06-01"],
  ],
  body: { json: { model, max_tokens: 8, messages: [{ role: "user", content: "Hi." }] } },
});
const silent = { request: request("m"), response: null, aborted: "upstream" };
const left = { request: request("m"), response: null, aborted: "client" };
const wrong = { request: request(1), response: null, aborted: "upstream" };

async function checked(...exchanges: readonly object[]) {
  return checkedWith([], exchanges);
}

async function checkedWith(options: readonly string[], exchanges: readonly object[]) {
  const file = join(folder, "session.jsonl");
  const lines = [{ touchstone: 1 }, ...exchanges].map((line) => JSON.stringify(line));
  writeFileSync(file, `${lines.join("\n")}\n`);
  return touchstoneHere(["check", file, "--preset", "vendors", ...options]);
}

test("a service that was never reached does not conform: nothing was judged", async () => {
  const { code, stdout, stderr } = await checked(silent, silent);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^touchstone: nothing was judged: no response from the service to 2 requests\n.+\n$/),
  ]);
  expect(stdout).toMatch(/ {2}POST \/v1\/messages {2}no response {2}not judged\n/);
  expect(stdout).toMatch(/^nothing was judged: 2 exchanges, .*; no response from the service to 2 requests$/m);
});

test.each([[["--allow-empty"]], [["--side", "request"]]])("%j accepts requests alone", async (options) => {
  expect(await checkedWith(options, [silent])).toMatchObject({ code: 0, stderr: "" });
});

test("an unknown path with a response does not show that a silent service conforms", async () => {
  const other = {
    request: { ...request("m"), target: "/robots.txt" },
    response: { status: 200, headers: [], body: { text: "" } },
  };
  const { code, stdout } = await checked(silent, other);
  expect([code, stdout]).toEqual([2, expect.stringMatching(/^nothing was judged: 2 exchanges/m)]);
});

test("among others, they are counted apart; a client that left is not the service's silence", async () => {
  const { stdout } = await checked(silent, left);
  expect(stdout).toMatch(/^conforms: 2 exchanges, .*; no response from the service to 1 request$/m);
  expect((await checked(left)).stdout).not.toContain("no response from the service");
});

test("a request that violates a clause is still an error of the client", async () => {
  const { code, stdout } = await checked(wrong);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^does not conform: 1 exchange, 1 error, .*; no response from the service to 1 request$/m);
});
