/** `touchstone record` when it is killed, when a disk is full, when an upstream, a reader or its own code fails. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  chat,
  completes,
  completion,
  key,
  linesOf,
  record,
  recordWithin,
  start,
  until,
  upstream,
} from "./recorder.test-kit.ts";

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

test("a terminal that stops reading stops neither traffic nor recording", async () => {
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
