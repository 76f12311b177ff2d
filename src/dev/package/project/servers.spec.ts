/** Servers of the library in tests: recordings played, a recorder in front of a server, suites against one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, play, readCassette, record, run, type Server, serve } from "touchstone";
import "touchstone/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";

let server: Server;
beforeAll(async () => void (server = await serve()));
afterAll(() => server.close());

const folder = mkdtempSync(join(tmpdir(), "touchstone-package-"));
afterAll(() => rmSync(folder, { recursive: true }));
const out = join(folder, "session.jsonl");
const ask = (url: string, content: string, more: object = {}): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer test-key", "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content }], ...more }),
  });

test("a recorder in front of a server gives its findings at the end, and its cassette is played", async () => {
  const recorder = await record({ upstream: server.url, out });
  const first = await (await ask(recorder.url, "Hi")).text();
  await (await ask(recorder.url, "Hi", { temperature: 3 })).text();
  const { summary, findings } = await recorder.close();
  expect(summary).toMatchObject({ exchanges: 2, errors: 1 });
  expect(findings[0]).toMatchObject({ clause: "chat-completions.request.temperature-range", actual: "3" });

  expect((await readCassette(out)).exchanges).toHaveLength(2);
  expect((await check(out)).findings).toHaveLength(findings.length);
  await expect(out).not.toConform();

  const player = await play(out, { pace: "instant" });
  expect(await (await ask(player.url, "Hi")).text()).toBe(first);
  expect((await ask(player.url, "Bye")).status).toBe(404);
  const difference = { pointer: "/body/messages/0/content", before: "Hi", after: "Bye" };
  expect(player.missed).toMatchObject([
    { method: "POST", target: "/v1/chat/completions", times: 1, nearest: { exchange: 0, differences: [difference] } },
  ]);
  await player.close();
});

test("suites are run against a server", async () => {
  const results = await run(server.url, { interface: ["messages"], section: ["streaming"] });
  expect(results.complete).toBe(true);
  expect(results.clauses.filter(({ verdict }) => verdict === "fail")).toEqual([]);
  expect(results.clauses.filter(({ verdict }) => verdict === "pass").length).toBeGreaterThan(10);
});
