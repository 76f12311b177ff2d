/** Keepers and judges that stand still: traffic that waits is told of, one signal ends the session, and what is left is named. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { touchstoneHere } from "../cli/here.test-kit.ts";
import { childrenOf } from "./processes.test-kit.ts";
import { completes, linesOf, record, recordWithin, type Session, until, upstream } from "./recorder.test-kit.ts";
import { whenStill } from "./stillness.ts";

const keeperOf = ({ child }: Session): number => childrenOf(child.pid!, "keeper.js")[0]!;
const judgeOf = ({ child }: Session): number => childrenOf(child.pid!, "judge-process.js")[0]!;
const ask = async ({ url }: Session, path = "/v1/models"): Promise<string> => (await fetch(url + path)).text();

describe.skipIf(process.platform !== "linux")("what stands still", () => {
  test("a stopped or waiting process does, one that works or waits for a processor does not", async () => {
    const start = async (code: string): Promise<ChildProcess> => {
      const child = spawn(process.execPath, ["-e", `console.log("ready"); ${code}`], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      await once(child.stdout!, "data");
      return child;
    };
    const [stopped, waits, works, naps, grows] = await Promise.all([
      start("for (;;);"),
      start("process.stdin.resume()"),
      start("for (;;);"),
      start("setInterval(() => { for (const end = Date.now() + 5; Date.now() < end; ); }, 50)"),
      start("process.stdin.resume()"),
    ]);
    stopped.kill("SIGSTOP");
    const still: unknown[] = [];
    let progress = 0;
    const ends = [stopped, waits, works, naps, grows].map((child) => {
      const awaited = () => ({ pid: child.pid!, progress: child === grows ? progress++ : 0 });
      return whenStill(awaited, (pid) => void still.push(pid));
    });
    await until(() => still.includes(stopped.pid) && still.includes(waits.pid));
    expect(still).toHaveLength(2);
    for (const end of ends) end();
  });

  test("a keeper that is stopped has traffic wait, is told of once, and goes on at the end", async () => {
    const session = await record(await upstream((_, res) => void res.end("x".repeat(1 << 20))));
    await ask(session);
    await until(() => linesOf(session.out).length === 1);
    process.kill(keeperOf(session), "SIGSTOP");
    const answers = Array.from({ length: 3 }, (_, i) => ask(session, `/v1/${i}`).catch(() => "broken off"));
    await until(() => session.stderr().includes("traffic waits for the recording process"));
    expect(await session.end()).toBe(2);
    expect(await Promise.all(answers)).toContain("broken off");
    expect(session.stderr().match(/^touchstone: .*$/gm)).toEqual([
      expect.stringMatching(/traffic waits for the recording process \d+, which has taken nothing for 2 s$/),
      expect.stringMatching(/the recording process \d+ stands still: 3 exchanges not written to \S+ yet$/),
    ]);
    expect(linesOf(session.out)).toHaveLength(4);
    expect(session.stdout()).toMatch(/^4 exchanges are kept in \S+$/m);
  });

  test("a keeper that hangs is left behind at the first signal", async () => {
    const hangs = join(mkdtempSync(join(tmpdir(), "touchstone-hangs-")), "now");
    onTestFinished(() => rmSync(dirname(hangs), { recursive: true }));
    const code = `import { writeFileSync } from "node:fs";
      process.on("SIGUSR2", () => {
        writeFileSync(${JSON.stringify(hangs)}, "");
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      });`;
    const module = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
    const session = await recordWithin(`export NODE_OPTIONS='--import=${module}'`, await upstream(completes));
    await ask(session);
    await until(() => linesOf(session.out).length === 1);
    const keeper = keeperOf(session);
    process.kill(keeper, "SIGUSR2");
    onTestFinished(() => void process.kill(keeper, "SIGKILL"));
    await until(() => existsSync(hangs));
    await ask(session);
    session.child.kill("SIGTERM");
    // The keeper holds the other end of what the session prints to.
    expect((await once(session.child, "exit"))[0]).toBe(2);
    await until(() => /^1 exchange is kept in \S+; 1 is missing$/m.test(session.stdout()));
    await until(() =>
      /^touchstone: the recording process \d+ stands still: 1 exchange not written to /m.test(session.stderr()),
    );
  });

  test("a judge that is stopped is given up at the first signal, and what it leaves can be checked", async () => {
    const session = await record(await upstream(completes));
    await ask(session);
    await until(() => session.stdout().includes("/v1/models"));
    process.kill(judgeOf(session), "SIGSTOP");
    for (let i = 0; i < 3; i++) await ask(session);
    expect(await session.end()).toBe(2);
    const left = /^touchstone: the judging process \d+ stands still: (\d+) bytes of \S+ are not judged$/m;
    expect(Number(left.exec(session.stderr())?.[1])).toBeGreaterThan(0);
    expect(session.stdout()).toMatch(/^4 exchanges are kept in \S+$/m);
    expect((await touchstoneHere(["check", session.out])).stdout).toContain("4 exchanges");
  });

  test.each([
    ["before it has the next request", 0],
    ["while it waits for an exchange", 1000],
  ])("a judge that is killed %s is replaced, and everything is judged", async (_when, pause) => {
    const session = await record(await upstream(completes));
    await ask(session);
    await until(() => session.stdout().includes("/v1/models"));
    for (let i = 0; i < 3; i++) {
      await sleep(pause);
      process.kill(judgeOf(session), "SIGKILL");
      await ask(session);
      // A judge that is killed before it says how far it came leaves exchanges that are judged, and printed, again.
      await until(() => session.stdout().split("/v1/models").length >= i + 3);
    }
    expect(await session.end()).toBe(0);
    expect(session.stdout()).toMatch(/: 4 exchanges, /);
  });
});
