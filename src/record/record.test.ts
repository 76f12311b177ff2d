/** `touchstone record` as users meet it: a process of its own, between clients and upstreams on real sockets. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { home } from "../home.ts";

const key = "sk-test-4f9c2ab81d3e77";
const folders: string[] = [];
const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function upstream(answer: (req: IncomingMessage, res: ServerResponse) => void): Promise<string> {
  const server = http.createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Session {
  readonly child: ChildProcess;
  readonly url: string;
  readonly out: string;
  stdout(): string;
  stderr(): string;
  /** Sends the signal and resolves with the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** @param within a shell command that runs first, in the same process */
function start(args: readonly string[], out?: string, within?: string) {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-record-"));
  folders.push(folder);
  const cassette = out ?? join(folder, "session.jsonl");
  const command = [process.execPath, join(home, "dist", "src", "cli.js"), "record", "--out", cassette, ...args];
  const [program, ...rest] = within ? ["sh", "-c", `${within}; exec "$@"`, "sh", ...command] : command;
  const child = spawn(program!, rest, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
  });
  closing.push(() => child.kill("SIGKILL"));
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (bytes) => (said.stdout += bytes));
  child.stderr.on("data", (bytes) => (said.stderr += bytes));
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, cassette, said, ended };
}

const record = (...args: string[]): Promise<Session> => recordWithin(undefined, ...args);

async function recordWithin(within: string | undefined, ...args: string[]): Promise<Session> {
  const { child, cassette, said, ended } = start(args, undefined, within);
  await until(() => said.stdout.includes("\n") || child.exitCode !== null);
  const url = /^listening on (http:\/\/\S+)\n/.exec(said.stdout)?.[1];
  if (!url) throw new Error(`it did not listen: ${said.stderr}`);
  return {
    child,
    url,
    out: cassette,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    end(signal = "SIGINT") {
      child.kill(signal);
      return ended;
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const chat = (more: object = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
  body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], ...more }),
});

const completion = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "hello", refusal: null },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

const completes = (_: IncomingMessage, res: ServerResponse): void => {
  res.setHeader("content-type", "application/json");
  res.end(JSON.stringify(completion));
};

const linesOf = (out: string): { request: never; response: never; aborted?: string }[] =>
  readFileSync(out, "utf8")
    .split("\n")
    .slice(1, -1)
    .map((line) => JSON.parse(line));

test("a session is kept, judged and shown, an exchange a line, and ends with a summary", async () => {
  const session = await record(await upstream(completes));
  expect(await (await fetch(`${session.url}/v1/chat/completions?key=${key}`, chat())).json()).toEqual(completion);
  await (await fetch(`${session.url}/v1/chat/completions`, chat({ temperature: 9 }))).text();
  expect(await session.end()).toBe(0);
  const shown = session.stdout();
  expect(shown).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\n/);
  expect(shown).toMatch(/^ +0 {2}POST \/v1\/chat\/completions {2}200 {2}ok {2}\d+ ms$/m);
  expect(shown).toMatch(/^ +1 {2}POST \/v1\/chat\/completions {2}200 {2}1 error/m);
  expect(shown).toMatch(/error .*temperature.* \[chat-completions\.request\.temperature-range\]/);
  expect(shown).toMatch(/does not conform: 2 exchanges, 1 error/);
  expect(session.stderr()).toMatch(/^Send your clients here:\n/);
  expect(session.stderr()).toContain(`OPENAI_BASE_URL=${session.url}/v1\n`);
  expect(session.stderr()).toContain(`ANTHROPIC_BASE_URL=${session.url}\n`);
  expect(session.stderr()).toContain(`baseUrl: "${session.url}"`);
  expect(linesOf(session.out)).toHaveLength(2);
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

test("killed in the middle of the tenth exchange, it leaves nine whole ones and the tenth as far as it had come", async () => {
  let count = 0;
  const base = await upstream((_, res) => {
    if (++count < 10) return completes(_, res);
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.write("data: {}\n\n");
  });
  const session = await record(base);
  for (let i = 0; i < 9; i++) await (await fetch(`${session.url}/v1/chat/completions`, chat())).text();
  const tenth = await fetch(`${session.url}/v1/chat/completions`, chat({ stream: true }));
  const seen = await tenth.body!.getReader().read();
  expect(Buffer.from(seen.value!).toString()).toBe("data: {}\n\n");
  expect(await session.end("SIGKILL")).toBeNull();
  await until(() => readFileSync(session.out, "utf8").split("\n").length === 12);
  const lines = linesOf(session.out);
  expect(lines.slice(0, 9).every(({ aborted }) => aborted === undefined)).toBe(true);
  expect(lines[9]).toMatchObject({ aborted: "client", response: { status: 200 } });
  expect(JSON.stringify(lines[9])).toContain("data: {}");
});

test("a stream in flight is written as broken off when a signal ends the session", async () => {
  const session = await record(
    await upstream((_, res) => {
      res.writeHead(200, { "content-type": "text/event-stream" });
      res.write("data: {}\n\n");
    }),
  );
  const reply = await fetch(`${session.url}/v1/chat/completions`, chat({ stream: true }));
  const reader = reply.body!.getReader();
  await reader.read();
  const broken = reader.read().catch(() => "broken");
  expect(await session.end("SIGTERM")).toBe(0);
  expect(await broken).toBe("broken");
  expect(session.stdout()).toContain("broken off by the client");
  expect(linesOf(session.out)[0]).toMatchObject({ aborted: "client" });
});

test("an upstream that cannot be reached is told to the client and shown, and the exchange is kept", async () => {
  const session = await record("http://127.0.0.1:9");
  const reply = await fetch(`${session.url}/v1/chat/completions`, chat());
  expect([reply.status, await reply.text()]).toEqual([502, expect.stringContaining("ECONNREFUSED")]);
  expect(await session.end()).toBe(0);
  expect(session.stderr()).toContain("touchstone: http://127.0.0.1:9 gave no answer");
  expect(session.stdout()).toMatch(/no response .*broken off by the upstream/);
  expect(linesOf(session.out)[0]).toMatchObject({ response: null, aborted: "upstream" });
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

test("what is kept is up to the options: a header's value and no other's, so much of a body; listening on all addresses is told", async () => {
  const replies = await upstream((_, res) => void res.end("0123456789"));
  const options = ["--keep-header", "X-Tenant", "--max-body", "4", "--listen", "0.0.0.0:0"];
  const session = await record(replies, ...options);
  const { headers, ...rest } = chat();
  const more = { ...(headers as object), "x-tenant": "tenant-4711", "x-other": "other-4711" };
  const url = session.url.replace("0.0.0.0", "127.0.0.1");
  const reply = await fetch(`${url}/v1/chat/completions`, { ...rest, headers: more });
  expect(await reply.text()).toBe("0123456789");
  await session.end();
  const written = readFileSync(session.out, "utf8");
  expect(written).toContain("tenant-4711");
  expect(written).not.toContain("other-4711");
  expect(linesOf(session.out)[0]).toMatchObject({ response: { body: { text: "0123" }, cut: 6 } });
  expect(session.stderr()).toContain("Reachable from other machines");
});

test.skipIf(process.platform === "win32")(
  "a full disk is said once, traffic goes on, what is in the cassette stays readable, and the exit code is 2",
  async () => {
    // A bound on the size of files stands for the disk: 8 KiB, or 4 where the shell counts otherwise.
    const session = await recordWithin("ulimit -f 8", await upstream(completes));
    for (let i = 0; i < 12; i++) {
      const reply = await fetch(`${session.url}/v1/chat/completions`, chat({ user: "x".repeat(1000) }));
      expect(await reply.json()).toEqual(completion);
    }
    expect(await session.end()).toBe(2);
    expect(session.stderr().match(/^touchstone: .*$/gm)).toEqual([
      expect.stringMatching(/session\.jsonl: cannot be written: .*; traffic goes on without being recorded$/),
    ]);
    const [, kept, lost] = /^(\d+) exchanges? (?:is|are) kept in .*; (\d+) could not be written$/m.exec(
      session.stdout(),
    )!;
    expect(Number(kept) + Number(lost)).toBe(12);
    expect(linesOf(session.out)).toHaveLength(Number(kept));
    expect(Number(kept)).toBeGreaterThan(0);
  },
);

test("who stops reading what is shown stops neither traffic nor recording", async () => {
  const session = await record(await upstream(completes));
  session.child.stdout!.destroy();
  session.child.stderr!.destroy();
  for (let i = 0; i < 3; i++) {
    const reply = await fetch(`${session.url}/v1/chat/completions`, chat({ temperature: 9 }));
    expect(await reply.json()).toEqual(completion);
    await until(() => linesOf(session.out).length === i + 1);
    // The line of this one is on its way to where nobody reads.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await session.end()).toBe(0);
});

test("an error that nobody catches is told once, in recorder and keeper, both go on, and the exit code is 2", async () => {
  // A module that fails on a signal stands for a fault of ours.
  const code = `process.on("SIGUSR2", () => { throw new TypeError("of ${key}"); })`;
  const module = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
  const session = await recordWithin(`export NODE_OPTIONS='--import=${module}'`, await upstream(completes));
  const keeper = Number(
    readFileSync(`/proc/${session.child.pid}/task/${session.child.pid}/children`, "utf8").split(" ")[0],
  );
  for (const [i, pid] of [session.child.pid!, session.child.pid!, keeper].entries()) {
    process.kill(pid, "SIGUSR2");
    if (i !== 1) await until(() => session.stderr().split("internal failure: TypeError at").length > (i > 1 ? 2 : 1));
    const reply = await fetch(`${session.url}/v1/chat/completions`, chat());
    expect(await reply.json()).toEqual(completion);
  }
  expect(await session.end()).toBe(2);
  expect(session.stderr().match(/^touchstone: internal failure: TypeError at .*; recording goes on$/gm)).toHaveLength(
    2,
  );
  expect(session.stderr()).not.toContain(key);
  expect(linesOf(session.out)).toHaveLength(3);
});

test("two recorders cannot write one file", async () => {
  const session = await record(await upstream(completes));
  const second = start([session.url], session.out);
  expect(await second.ended).toBe(2);
  expect(second.said.stderr).toMatch(/^touchstone: .*session\.jsonl: the file exists already\n.+\n$/);
  expect(second.said.stdout).toBe("");
  await session.end();
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
  folders.push(folder);
  const child = spawn(process.execPath, [join(home, "dist", "src", "cli.js"), "record", await upstream(completes)], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  child.kill("SIGINT");
  await once(child, "close");
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^touchstone-\d{8}-\d{6}\.jsonl$/)]);
});
