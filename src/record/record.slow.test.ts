/** `touchstone record` keeps, judges and shows what passes, as its options say. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { home } from "../home.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { reservePort } from "../wire/reserve-port.test-kit.ts";
import { chat, completes, completion, key, linesOf, record, start, until, upstream } from "./recorder.test-kit.ts";

test("a session is kept, judged and shown, an exchange a line, and ends with a summary", async () => {
  const session = await record(await upstream(completes));
  expect(await (await fetch(`${session.url}/v1/chat/completions?key=${key}`, chat())).json()).toEqual(completion);
  await (await fetch(`${session.url}/v1/chat/completions`, chat({ temperature: 9 }))).text();
  expect(await session.end()).toBe(0);
  const shown = session.stdout();
  expect(shown).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\n/);
  expect(shown).toMatch(/^ +0 {2}POST \/v1\/chat\/completions {2}200 {2}ok {2}[\d.]+ (?:ms|s)$/m);
  expect(shown).toMatch(/^ +1 {2}POST \/v1\/chat\/completions {2}200 {2}1 error/m);
  expect(shown).toMatch(/error .*temperature.* \[chat-completions\.request\.temperature-range\]/);
  expect(shown).toMatch(/does not conform: 2 exchanges, 1 error/);
  expect(session.stderr()).toMatch(/^Send your clients here:\n/);
  expect(session.stderr()).toContain(`OPENAI_BASE_URL=${session.url}/v1\n`);
  expect(session.stderr()).toContain(`ANTHROPIC_BASE_URL=${session.url}\n`);
  expect(session.stderr()).toContain(`GOOGLE_GEMINI_BASE_URL=${session.url}\n`);
  expect(linesOf(session.out)).toHaveLength(2);
});

test("a service that cannot be reached is reported as such, not as conforming", async () => {
  const session = await record(`http://127.0.0.1:${await reservePort()}`);
  const response = await fetch(`${session.url}/v1/chat/completions`, chat());
  expect([response.status, await response.text()]).toEqual([
    502,
    expect.stringMatching(/^touchstone: .* gave no answer/),
  ]);
  expect(await session.end()).toBe(0);
  expect(session.stdout()).toMatch(
    /^ +0 {2}POST \/v1\/chat\/completions {2}no response {2}not judged {2}broken off by the upstream$/m,
  );
  expect(session.stdout()).toMatch(/^nothing was judged: 1 exchange, .*; no response from the service to 1 request$/m);
  expect(session.stdout()).not.toContain("conforms");
});

test.each([
  [[], 2],
  [["--allow-empty"], 0],
])("a gate that judged no response, %j", async (options, exit) => {
  for (const asks of [true, false]) {
    const session = await record(`http://127.0.0.1:${await reservePort()}`, "--gate", ...options);
    if (asks) await (await fetch(`${session.url}/v1/chat/completions`, chat())).text();
    expect(await session.end()).toBe(exit);
    const line = `touchstone: --gate: no response was judged, of ${asks ? "1 exchange" : "0 exchanges"}\n`;
    expect(session.stderr().includes(line)).toBe(exit === 2);
  }
});

test("a folder gets the session, its results and its reports", async () => {
  const folder = `${mkdtempSync(join(tmpdir(), "touchstone-folder-"))}/kept/`;
  onTestFinished(() => rmSync(dirname(folder), { recursive: true }));
  const { child, said, ended } = start([await upstream(completes)], folder);
  await until(() => said.stdout.includes("\n"));
  const url = /^listening on (\S+)/.exec(said.stdout)![1];
  await (await fetch(`${url}/v1/chat/completions`, chat({ temperature: 9 }))).text();
  child.kill("SIGINT");
  expect(await ended).toBe(0);
  const names = readdirSync(folder).sort();
  expect(names.filter((name) => !name.startsWith("touchstone-"))).toEqual(
    ["exchanges.jsonl", "junit.xml", "manifest.json", "report.html", "results.json", "summary.md"].sort(),
  );
  expect(names.filter((name) => /^touchstone-[\d-]+\.jsonl$/.test(name))).toHaveLength(1);
  const { findings } = JSON.parse(readFileSync(join(folder, "results.json"), "utf8"));
  expect(findings.map(({ clause }: { clause: string }) => clause)).toContain(
    "chat-completions.request.temperature-range",
  );
  expect(linesOf(join(folder, "exchanges.jsonl"))).toHaveLength(1);
});

test("the key is in nothing that is written or shown, not even where the upstream echoes it", async () => {
  const session = await record(
    await upstream((req, res) => {
      res.writeHead(401, { "content-type": "application/json", "x-echo": String(req.headers.authorization) });
      res.write(`{"error":{"message":"wrong key ${key.slice(0, 9)}`);
      setTimeout(() => res.end(`${key.slice(9)}","type":"invalid_request_error","param":null,"code":null}}`), 20);
    }),
    "--redact",
    "zebra-\\d+",
  );
  const reply = await fetch(`${session.url}/v1/chat/completions?key=${key}`, chat({ user: "zebra-77" }));
  expect(await reply.text()).toContain(key);
  // It is known from here on, whoever asks.
  expect(await (await fetch(`${session.url}/v1/models`)).text()).toContain(key);
  expect(await session.end()).toBe(0);
  const written = readFileSync(session.out, "utf8");
  expect(written).toContain("Bearer [redacted]");
  for (const text of [written, session.stdout(), session.stderr()]) {
    expect(text).not.toContain(key);
    expect(text).not.toContain(Buffer.from(key).toString("base64").slice(0, 16));
    expect(text).not.toContain("zebra-77");
  }
});

test("paths without end are counted together at some point, and --gate makes errors the exit code", async () => {
  const session = await record(await upstream((_, res) => void res.end()), "--quiet", "--gate");
  for (let i = 0; i < 550; i += 50)
    await Promise.all(Array.from({ length: 50 }, (_, k) => fetch(`${session.url}/probe/${i + k}`)));
  await (await fetch(`${session.url}/v1/chat/completions`, chat({ temperature: 9 }))).text();
  expect(await session.end()).toBe(1);
  expect(session.stdout().match(/^ +1 {2}GET \/probe\/\d+ /gm)).toHaveLength(500);
  expect(session.stdout()).toMatch(/^ +50 {2}other paths/m);
  expect(session.stdout()).toMatch(/^ +1 {2}POST \/v1\/chat\/completions$/m);
});

test("--enforce answers what breaks a clause in the interface's own error shape, and forwards the rest", async () => {
  const asked: string[] = [];
  const base = await upstream((req, res) => {
    asked.push(req.url!);
    completes(req, res);
  });
  const session = await record(base, "--enforce");
  const post = async (path: string, headers: Record<string, string>, body: unknown) => {
    const reply = await fetch(`${session.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return [reply.status, await reply.json()];
  };
  const bearer = { authorization: `Bearer ${key}` };
  const text = expect.any(String);
  expect(await post("/v1/chat/completions", bearer, { model: "m", messages: [{ role: "user", content: 7 }] })).toEqual([
    400,
    { error: { message: text, type: "invalid_request_error", param: "messages[0].content", code: text } },
  ]);
  expect(await post("/v1/images/generations", bearer, { prompt: 7 })).toEqual([
    400,
    { error: { message: text, type: "invalid_request_error", param: "prompt", code: text } },
  ]);
  const versioned = { "x-api-key": key, "partner-version": "2023-06-01" };
  expect(await post("/v1/messages", versioned, { model: "m", messages: [], max_tokens: "x" })).toEqual([
    400,
    { type: "error", error: { type: "invalid_request_error", message: text, code: text } },
  ]);
  expect(await post(`/v1beta/models/m:generateContent?key=${key}`, {}, { contents: 7 })).toEqual([
    400,
    { error: { code: 400, message: text, status: "INVALID_ARGUMENT" } },
  ]);
  expect(asked).toEqual([]);
  expect((await fetch(`${session.url}/v1/chat/completions`, chat())).status).toBe(200);
  expect(asked).toEqual(["/v1/chat/completions"]);
  expect(await session.end()).toBe(0);
  expect(linesOf(session.out)).toHaveLength(5);
});

test("each interface may have an upstream of its own, and a version at the end of its URL is not doubled", async () => {
  const asked: string[] = [];
  const as =
    (name: string) =>
    ({ url }: IncomingMessage, res: ServerResponse): void => {
      asked.push(`${name} ${url}`);
      res.end(name);
    };
  const session = await record(
    `${await upstream(as("rest"))}/gateway/v1`,
    "--upstream",
    `messages=${await upstream(as("messages"))}`,
  );
  expect(await (await fetch(`${session.url}/v1/messages`, { method: "POST" })).text()).toBe("messages");
  expect(await (await fetch(`${session.url}/v1/chat/completions`, chat())).text()).toBe("rest");
  await session.end();
  expect(asked).toEqual(["messages /v1/messages", "rest /gateway/v1/chat/completions"]);
  expect(session.stderr()).toContain("Clients send /v1 themselves");
});

test("options decide what is kept: a header's value and no other's, so much of a body; listening on all addresses is told", async () => {
  const replies = await upstream((_, res) => void res.end("0123456789"));
  const options = ["--keep-header", "X-Tenant", "--max-body", "4", "--listen", "0.0.0.0:0"];
  const session = await record(replies, ...options);
  const { headers, ...rest } = chat();
  const more = { ...(headers as object), "x-tenant": "tenant-4711", "x-other": "other-4711" };
  const url = replaceText(session.url, "0.0.0.0", "127.0.0.1");
  const reply = await fetch(`${url}/v1/chat/completions`, { ...rest, headers: more });
  expect(await reply.text()).toBe("0123456789");
  await session.end();
  const written = readFileSync(session.out, "utf8");
  expect(written).toContain("tenant-4711");
  expect(written).not.toContain("other-4711");
  expect(linesOf(session.out)[0]).toMatchObject({ response: { body: { text: "0123" }, cut: 6 } });
  expect(session.stderr()).toContain("Reachable from other machines");
});

test.each([
  [["http://user:pw@h"], "has a user or a password"],
  [["http://h", "--listen", "203.0.113.1:1"], "cannot listen on 203.0.113.1:1"],
])("%j is refused with what is wrong and what to do", async (args, what) => {
  const { ended, said } = start(args);
  expect(await ended).toBe(2);
  expect(said.stderr.split("\n")[0]).toContain(what);
  expect(said.stderr.split("\n")).toHaveLength(3);
  expect(said.stderr).not.toContain("pw@");
});

test("without --out a new cassette lies in the current folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-record-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, [join(home, "dist", "src", "cli.js"), "record", await upstream(completes)], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  child.kill("SIGINT");
  await once(child, "close");
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^touchstone-\d{8}-\d{6}\.jsonl$/)]);
});
