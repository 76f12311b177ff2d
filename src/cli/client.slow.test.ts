/** `touchstone client -- COMMAND` as a process: killed and resumed, and with programs that behave badly. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ClientDocument } from "../cases/document.ts";
import { home } from "../home.ts";
import { until } from "../record/recorder.test-kit.ts";
import { asking, few, folderOfTest } from "./client.test-kit.ts";

const cli = join(home, "dist", "src", "cli.js");

/** Starts the command as users do. */
function start(args: readonly string[], command = "client") {
  const child = spawn(process.execPath, [cli, command, ...args], { env: { ...process.env, NO_COLOR: "1" } });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (bytes) => (said.stdout += bytes));
  child.stderr.on("data", (bytes) => (said.stderr += bytes));
  return { child, said, ended: once(child, "close").then(([code]) => code as number | null) };
}

/** Processes whose arguments hold a word. */
const running = (word: string): string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
    } catch {
      return false;
    }
  });

const notesIn = (folder: string): number => {
  const path = join(folder, "observations.jsonl.unsorted");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
};

test.each(["SIGKILL", "SIGINT"] as const)("a run that %s ends goes on where it was, and verifies", async (signal) => {
  const folder = folderOfTest();
  const args = ["--case", "failure/4*", "--case", "stream/crlf", "--concurrency", "1", "--out", folder];
  const first = start([...args, ...asking()]);
  await until(() => notesIn(folder) >= 4);
  first.child.kill(signal);
  expect(await first.ended).toBe(signal === "SIGINT" ? 2 : null);
  const before = notesIn(folder);
  expect(await start([folder], "verify").ended).toBe(2);
  const second = start([...args, "--resume", "--format", "json", ...asking()]);
  expect(await second.ended, second.said.stderr).toBe(1);
  const { cases, complete } = JSON.parse(second.said.stdout) as ClientDocument;
  expect([complete, cases.length > before]).toEqual([true, true]);
  expect(cases.filter(({ outcome }) => outcome === "crashes").map((one) => one.case)).toEqual(["stream/crlf"]);
  // Each request was made once: what was known was not asked again.
  const kept = readFileSync(join(folder, "exchanges.jsonl"), "utf8").split("\n").slice(1, -1);
  expect(kept.length).toBe(cases.length);
  const verified = start([folder], "verify");
  expect(await verified.ended, verified.said.stderr + verified.said.stdout).toBe(0);
  expect(readdirSync(folder).filter((name) => name.endsWith(".unsorted"))).toEqual([]);
});

test.runIf(existsSync("/proc/self/cmdline"))(
  "a killed touchstone leaves no program behind, nor what that started",
  async () => {
    const word = `once-${process.pid}-${Date.now()}`;
    const child = `spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "${word}"], { detached: true, stdio: "ignore" }).unref()`;
    const stubborn = `import { spawn } from "node:child_process"; process.on("SIGTERM", () => {}); ${child}`;
    const { child: touchstone, ended } = start(["--timeout", "60", ...asking(stubborn, "setInterval(() => {}, 1000)")]);
    await until(() => running(word).length > 1);
    touchstone.kill("SIGKILL");
    await ended;
    await until(() => running(word).length === 0);
  },
);

test("100 MB of output are read and change nothing", async () => {
  const flood = `const block = "y".repeat(1e6); for (let i = 0; i < 100; i++) await new Promise((done) => process.stdout.write(block, done));`;
  const { said, ended } = start(["--case", "stream/lf", ...asking("", flood)]);
  expect(await ended, said.stderr).toBe(0);
  expect(said.stdout).toMatch(/^cases: 2 works/m);
});

test("a program that closes its output after the answer works as any other", async () => {
  const { said, ended } = start([
    ...few,
    ...asking(`import { closeSync } from "node:fs"`, "closeSync(1); closeSync(2);"),
  ]);
  expect(await ended, said.stderr).toBe(1);
  expect(said.stdout).toMatch(/^cases: 1 crashes, 1 error, 2 works/m);
});

test("a reader that leaves early ends the output without a failure of ours", async () => {
  const { child, said, ended } = start(["--list"]);
  child.stdout.destroy();
  expect(await ended).not.toBe(null);
  expect(said.stderr).not.toContain("internal failure");
});

test("a program that never ends is told in two lines, though it ignores SIGTERM", async () => {
  const stubborn = asking('process.on("SIGTERM", () => {})', "setInterval(() => {}, 1000)");
  const { said, ended } = start(["--timeout", "5", ...stubborn]);
  expect(await ended).toBe(2);
  expect(said.stderr).toMatch(
    /^touchstone: .* does not work with a plain good answer: it had not ended after .*\n.*\n$/,
  );
});
