/** A keeper that dies: another one writes what was not written yet, each exchange once, and no secret gets through. */
import { appendFileSync, existsSync, readFileSync, renameSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { childrenOf } from "./processes.test-kit.ts";
import { completes, linesOf, record, type Session, until, upstream } from "./recorder.test-kit.ts";

/** A credential that nothing but its header shows to be one. */
const key = "blue42horse77staple";

const keeperOf = ({ child }: Session): number => childrenOf(child.pid!, "keeper.js")[0]!;
const kill = (session: Session): void => void process.kill(keeperOf(session), "SIGKILL");
const times = (text: string, word: string): number => text.split(word).length - 1;
const isReplaced = (session: Session, count = 1) =>
  until(() => times(session.stderr(), "another one goes on") === count);
const targetsOf = (out: string): string[] =>
  linesOf(out).map((line) => (line as unknown as { request: { target: string } }).request.target);

/** Exchanges that the last line counts. */
function counted(session: Session): { kept: number; missing: number } {
  const [, kept, missing = 0] = /^(\d+) exchanges? (?:is|are) kept in \S+?(?:; (\d+) (?:is|are) missing)?$/m.exec(
    session.stdout(),
  )!;
  return { kept: Number(kept), missing: Number(missing) };
}

describe.skipIf(process.platform !== "linux")("a keeper that is killed", () => {
  test("twice under traffic: every exchange is in the cassette exactly once, in the order they ended", async () => {
    const session = await record(await upstream(completes), "--quiet");
    let begun = 0;
    let stopped = false;
    const ask = async (): Promise<void> => {
      while (!stopped) await (await fetch(`${session.url}/v1/${begun++}`)).text();
    };
    const clients = [ask(), ask(), ask()];
    for (const round of [1, 2]) {
      const before = targetsOf(session.out).length;
      await until(() => targetsOf(session.out).length > before + 20);
      const written = targetsOf(session.out);
      kill(session);
      await isReplaced(session, round);
      expect(targetsOf(session.out).slice(0, written.length)).toEqual(written);
    }
    const end = begun + 30;
    await until(() => begun > end);
    stopped = true;
    await Promise.all(clients);
    expect(await session.end()).toBe(2);
    const kept = targetsOf(session.out);
    expect(new Set(kept).size).toBe(kept.length);
    expect(linesOf(session.out).every(({ aborted, response }) => !aborted && response)).toBe(true);
    for (let id = 0; id < begun; id++) expect(kept).toContain(`/v1/${id}`);
    expect(counted(session)).toEqual({ kept: begun, missing: 0 });
    const lost = session
      .stderr()
      .matchAll(/^touchstone: .* was ended by SIGKILL; .*; lost in flight: (\d+) exchanges?$/gm);
    expect([...lost].map(([, one]) => one)).toEqual(["0", "0"]);
  });

  test("in the middle of a line and of a stream: the stream is whole, and its successor hides what it had been told", async () => {
    let stream: ServerResponse | undefined;
    const base = await upstream((req, res) => {
      if (req.url === "/stream") {
        stream = res.writeHead(200, { "content-type": "text/event-stream" });
        return void res.write("data: {}\n\n");
      }
      res.end(JSON.stringify({ said: key }));
    });
    const session = await record(base);
    const headers = { authorization: `Bearer ${key}` };
    await (await fetch(`${session.url}/first`, { headers })).text();
    await until(() => targetsOf(session.out).length === 1);
    const streamed = await fetch(`${session.url}/stream`, { headers: { "x-api-key": `stream-${key}` } });
    const keeper = keeperOf(session);
    process.kill(keeper, "SIGSTOP");
    appendFileSync(session.out, '{"request":{"method":"GET","target":"/half');
    process.kill(keeper, "SIGKILL");
    await isReplaced(session);
    stream!.end(`data: {"said":"stream-${key}"}\n\n`);
    expect(await streamed.text()).toContain(`stream-${key}`);
    // Its request has no key, and its answer repeats that of the first.
    expect(await (await fetch(`${session.url}/third`)).text()).toContain(key);
    expect(await session.end()).toBe(2);
    expect(targetsOf(session.out)).toEqual(["/first", "/stream", "/third"]);
    for (const text of [readFileSync(session.out, "utf8"), session.stdout(), session.stderr()])
      expect(text).not.toContain(key);
    expect(counted(session)).toEqual({ kept: 3, missing: 0 });
    expect(session.stderr()).toContain("; lost in flight: 0 exchanges\n");
    expect(session.stdout()).toMatch(/^ +2 {2}GET \/third/m);
  });

  test("where its cassette is gone ends the session, since nothing can be stored", async () => {
    const session = await record(await upstream(completes));
    await (await fetch(`${session.url}/v1/models`)).text();
    await until(() => targetsOf(session.out).length === 1);
    renameSync(session.out, `${session.out}.old`);
    kill(session);
    expect(await new Promise((resolve) => session.child.on("close", resolve))).toBe(2);
    expect(session.stderr()).toMatch(
      /^touchstone: the recording process ended 5 times in a row: .*cannot be opened again: .*; nothing can be stored any more, so the session ends$/m,
    );
    expect([existsSync(session.out), targetsOf(`${session.out}.old`).length]).toEqual([false, 1]);
  });
});
