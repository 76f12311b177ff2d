/** The lock of a cassette: one holder at a time, whatever became of the holders before. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { LockedError, lockFile } from "./lock.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Takes the lock many times at once and counts the holders. */
async function contend(path: string): Promise<number> {
  let holders = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const release = await lockFile(path, 60_000);
      most = Math.max(most, ++holders);
      await new Promise((resolve) => setTimeout(resolve, 2));
      holders--;
      await release();
    }),
  );
  return most;
}

test("has one holder at a time, and leaves no file", async () => {
  const path = join(folder, "one.jsonl");
  expect(await contend(path)).toBe(1);
  expect(readdirSync(folder).filter((name) => name.startsWith("one"))).toEqual([]);
});

test("is not taken from a process that lives; the error names it", async () => {
  const path = join(folder, "busy.jsonl");
  const release = await lockFile(path, 0);
  const refused = await lockFile(path, 50).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(LockedError);
  expect(refused).toMatchObject({ message: `process ${process.pid} is writing it` });
  await release();
  await (await lockFile(path, 0))();
  expect(existsSync(`${path}.lock`)).toBe(false);
});

test("is taken from a process that is gone, by one of many", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  const path = join(folder, "gone.jsonl");
  writeFileSync(`${path}.lock`, JSON.stringify({ pid: child.pid, started: "", token: "old" }));
  expect(await contend(path)).toBe(1);
});

test.skipIf(process.platform !== "linux")(
  "is taken where another process has the id of the one that is gone",
  async () => {
    const path = join(folder, "reused.jsonl");
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.pid, started: "earlier", token: "old" }));
    expect(await contend(path)).toBe(1);
  },
);

test("is taken from a process that died before it wrote its name", async () => {
  const path = join(folder, "empty.jsonl");
  writeFileSync(`${path}.lock`, "");
  expect(await contend(path)).toBe(1);
});

test.each([
  ["a process group", { pid: 0, started: "", token: "old" }],
  ["another file", { pid: 2 ** 22 + 1, started: "", token: "x/../file-of-others" }],
  ["nothing", null],
])("is taken where its file names %s, and no file of others is touched", async (what, content) => {
  const path = join(folder, `${what.replace(" ", "-")}.jsonl`);
  const other = join(folder, "file-of-others");
  writeFileSync(other, "theirs");
  writeFileSync(`${path}.lock`, JSON.stringify(content));
  mkdirSync(`${path}.lock.x`);
  const release = await lockFile(path, 3_000);
  expect(readFileSync(`${path}.lock`, "utf8")).toContain(`"pid":${process.pid}`);
  await release();
  expect(readFileSync(other, "utf8")).toBe("theirs");
});

test.skipIf(process.platform !== "linux")(
  "is taken from a dead process that its parent does not wait for",
  async () => {
    const path = join(folder, "zombie.jsonl");
    // The shell starts a process, and becomes a program that never waits for it.
    const parent = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 60"]);
    onTestFinished(() => void parent.kill());
    const [printed] = await once(parent.stdout, "data");
    const pid = Number(printed);
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1")))
      await new Promise((resolve) => setTimeout(resolve, 5));
    writeFileSync(`${path}.lock`, JSON.stringify({ pid, started: "", token: "old" }));
    await (await lockFile(path, 0))();
    expect(existsSync(`${path}.lock`)).toBe(false);
  },
);
