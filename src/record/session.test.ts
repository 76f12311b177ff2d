/** Recording as a function: what scripts and tests of others get from it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { keepEnvironment } from "../redact/own-environment.ts";
import { UserError } from "../user-error.ts";
import { checkSources } from "./check-sources.ts";
import { childrenOf, isAlive } from "./processes.test-kit.ts";
import { record } from "./session.ts";
import { startUpstream } from "./upstream.test-kit.ts";

const post = (url: string, body: object): Promise<string> =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }).then(
    (response) => response.text(),
  );

test("a recorder passes on, stores and judges, and its end says what checking its cassette says", async () => {
  const { base, folder } = await startUpstream((_, res) => {
    res.setHeader("content-type", "application/json");
    res.end('{"object":"nothing"}');
  });
  const out = join(folder, "session.jsonl");
  const listeners = process.listenerCount("uncaughtException") + process.listenerCount("SIGINT");
  const recorder = await record({ upstream: base, out });
  onTestFinished(async () => void (await recorder.close()));
  const helpers = process.platform === "linux" ? childrenOf(process.pid, "dist/src/record/") : [];
  const path = `${recorder.url}/v1/chat/completions`;
  expect(await post(path, { model: "m", messages: [{ role: "user", content: "hi" }] })).toBe('{"object":"nothing"}');
  await post(path, { model: "m", messages: [], temperature: 9 });
  const document = await recorder.close();
  expect(document.complete).toBe(true);
  expect(document.operations).toEqual([{ operation: "POST /v1/chat/completions", exchanges: 2, known: true }]);
  expect(document.findings.map(({ exchange, clause }) => `${exchange} ${clause}`)).toContain(
    "1 chat-completions.request.temperature-range",
  );
  expect(await checkSources([out])).toEqual(document);
  // It shares its process with others: their failures and signals are none of its business.
  expect(process.listenerCount("uncaughtException") + process.listenerCount("SIGINT")).toBe(listeners);
  await expect.poll(() => helpers.filter(isAlive)).toEqual([]);
});

test("requests that violate a clause are refused where that is asked for, and trouble with options is told before anything begins", async () => {
  const { base, folder } = await startUpstream((_, res) => void res.end("{}"));
  const out = join(folder, "session.jsonl");
  const recorder = await record({ upstreams: { "chat-completions": base }, out, enforce: true });
  const refused = await post(`${recorder.url}/v1/chat/completions`, { model: "m", messages: [], temperature: 9 });
  expect(JSON.parse(refused)).toHaveProperty("error");
  expect((await recorder.close()).summary.exchanges).toBe(1);
  await expect(record({ upstream: base, out })).rejects.toThrow(UserError);
  await expect(record({ upstream: base, out: join(folder, "b.jsonl"), listen: "203.0.113.1:1" })).rejects.toThrow(
    "cannot listen on 203.0.113.1:1",
  );
});

test("a recorder that intercepts returns variables for programs, each session with a password of its own", async () => {
  const { folder } = await startUpstream((_, res) => void res.end("{}"));
  const proxies: string[] = [];
  for (const out of ["a.jsonl", "b.jsonl"]) {
    const recorder = await record({ intercept: ["api.test"], out: join(folder, out) });
    const { HTTPS_PROXY = "", NODE_EXTRA_CA_CERTS = "" } = recorder.variables!;
    expect(HTTPS_PROXY.replace(/\/\/\w{32}:\w{32}@/, "//")).toBe(recorder.url);
    expect(readFileSync(NODE_EXTRA_CA_CERTS, "utf8")).toContain("BEGIN CERTIFICATE");
    proxies.push(new URL(HTTPS_PROXY).username, new URL(HTTPS_PROXY).password);
    await recorder.close();
  }
  expect(new Set(proxies).size).toBe(4);
});

test("secrets of the environment are in no recording, though no client sends them as such", async () => {
  const secret = "orchid lantern 77/b";
  vi.stubEnv("DEPLOY_TOKEN", secret);
  keepEnvironment();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    keepEnvironment();
  });
  const { base, folder } = await startUpstream((_, res) => void res.end(`{"object":"${secret}"}`));
  const out = join(folder, "session.jsonl");
  const recorder = await record({ upstream: base, out });
  const messages = [{ role: "user", content: `The token is ${secret}` }];
  expect(await post(`${recorder.url}/v1/chat/completions`, { model: "m", messages })).toContain(secret);
  const document = await recorder.close();
  const kept = readFileSync(out, "utf8");
  expect(kept).toContain("The token is xxx");
  expect(kept + JSON.stringify(document)).not.toMatch(/orchid|lantern/);
});
