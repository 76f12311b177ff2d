/** Secrets of our own environment: which variables have one, and that they are hidden wherever they appear, but change no verdict. */
import { gzipSync } from "node:zlib";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { examples } from "../interfaces/examples.ts";
import type { Exchange } from "../wire/exchange.ts";
import { secretsIn } from "./environment.ts";
import { keepEnvironment } from "./own-environment.ts";
import { redact } from "./redact.ts";
import { redactText } from "./text.ts";

/** Sets variables of this process until the test has ended. */
function set(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  keepEnvironment();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    keepEnvironment();
  });
}
beforeEach(keepEnvironment);

const secret = "orchid lantern 77/b";

test.each(["DEPLOY_TOKEN", "my_service_key", "APP_SECRET", "PGPASSWORD", "DB_PASSWORD_2", "TOUCHSTONE_KEY_MESSAGES"])(
  "%s holds a secret",
  (name) => expect(secretsIn({ [name]: secret }).telling).toEqual([secret]),
);

test.each(["SORT_KEY", "EOS_TOKEN", "CACHE_KEY", "HOME", "TOKENIZER", "KEYBOARD", "SSH_AUTH_SOCK", "MAX_TOKENS"])(
  "%s holds none",
  (name) => expect(secretsIn({ [name]: secret })).toEqual({ telling: [], words: [] }),
);

test.each([
  "",
  "1",
  "true",
  "test",
  "test-key",
  "changeme",
  "abc1234",
  "postgres",
  "password1",
  "12345678",
  "2026-01-02",
  "1735689600123",
  "/run/secrets/key.pem",
  "https://vault.example/v1/key",
  "$OTHER_VARIABLE",
  "[redacted]",
  "********",
])("%j is none", (value) => expect(secretsIn({ APP_SECRET: value })).toEqual({ telling: [], words: [] }));

test("PWD is the working directory if it is an absolute path, and a secret otherwise", () => {
  expect(secretsIn({ PWD: "/tmp/tmp.Oda5FA1Rew/project" })).toEqual({ telling: [], words: [] });
  expect(secretsIn({ PWD: secret }).telling).toEqual([secret]);
});

const exchangeWith = (text: string): Exchange => ({
  origin: "https://api.example.com",
  request: {
    method: "POST",
    target: `/v1/${encodeURIComponent(text)}/x`,
    headers: [["user-agent", `agent ${text}`]],
    body: Buffer.from(JSON.stringify({ content: text, encoded: Buffer.from(`me:${text}`).toString("base64") })),
  },
  response: {
    status: 200,
    headers: [["content-encoding", "gzip"]],
    body: gzipSync(JSON.stringify({ hex: Buffer.from(text).toString("hex"), said: `It is ${text}.` })),
  },
});

test("a secret is hidden in bodies, headers and paths, in every spelling, and the places are told", () => {
  const before = JSON.stringify(redact(exchangeWith(secret)));
  expect(before).toContain(encodeURIComponent(secret));
  set({ DEPLOY_TOKEN: secret });
  const { request, response } = redact(exchangeWith(secret));
  const shown = [request.target, JSON.stringify(request.headers), String(request.body), String(response!.body)].join(
    "\n",
  );
  expect(shown).not.toMatch(/orchid|lantern|6f7263686964|b3JjaGlk/i);
  expect(request.redacted).toEqual(expect.arrayContaining(["/path", "/headers/user-agent"]));
  expect(request.redacted!.filter((place) => place.startsWith("/body/")).length).toBeGreaterThan(1);
  expect(redactText(`It is ${secret}.`)).toBe(`It is ${"x".repeat(secret.length)}.`);
});

test("words are hidden in sentences, and stay where an interface may have them", () => {
  set({ DB_PASSWORD: "maplewindow", APP_SECRET: "assistant" });
  expect(redactText("log in with maplewindow now")).toBe("log in with xxxxxxxxxxx now");
  const stream = 'event: assistant\ndata: {"role":"assistant","maplewindow":1}\n\n';
  expect(redactText(stream)).toBe(stream);
});

test("no verdict changes, whatever word of an interface a variable holds", async () => {
  const catalogue = await openCatalogue();
  const options = { names: namesFrom(), policy: lenient };
  const found = (exchange: Exchange): string[] =>
    judge(exchange, { source: "test", exchange: 0 }, catalogue, options).findings.map(
      ({ clause, pointer, event }) => `${clause} ${event} ${pointer}`,
    );
  const good = Object.values(examples)
    .flat()
    .filter(({ exchange }) => exchange.request.body.length + (exchange.response?.body.length ?? 0) < 20_000);
  const texts = good.map(
    ({ exchange }) => `${exchange.request.body}${exchange.response?.body}${exchange.request.target}`,
  );
  const words = [...new Set(texts.flatMap((text) => text.match(/[A-Za-z][\w.]{7,30}/g) ?? []))].filter(
    (word) => !/\d/.test(word) && secretsIn({ APP_SECRET: word }).words.length > 0,
  );
  expect(words).toEqual(expect.arrayContaining(["assistant"]));
  expect(words.length).toBeGreaterThan(60);
  for (let at = 0; at < words.length; at += 60) {
    set(Object.fromEntries(words.slice(at, at + 60).map((word, i) => [`V${i}_SECRET`, word])));
    for (const { name, exchange } of good)
      expect([name, found(redact(exchange, { keepHeaders: ["partner-version"] }))]).toEqual([name, found(exchange)]);
  }
});
