/** Judging follows recording, and never holds it up: behind, killed, left for later; and `check --follow` follows what others write. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { exchangeLine, headerLine } from "../cassette/write.ts";
import { touchstoneHere } from "../cli/here.test-kit.ts";
import { home } from "../home.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { childrenOf, isAlive } from "./processes.test-kit.ts";
import { startUpstream } from "./upstream.test-kit.ts";

function touchstone(args: readonly string[], cwd: string) {
  const env = { ...process.env, NO_COLOR: "1" };
  const child = spawn(process.execPath, [join(home, "dist", "src", "cli.js"), ...args], { cwd, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (bytes) => (said.stdout += bytes));
  child.stderr.on("data", (bytes) => (said.stderr += bytes));
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, said, ended };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function recording(...more: string[]) {
  const { base, folder } = await startUpstream((_, res) => void res.end("{}"));
  const session = touchstone(["record", base, "--out", "session.jsonl", ...more], folder);
  const { said, child } = session;
  await until(() => said.stderr.includes("Ctrl+C ends it."));
  const url = /http:\S+/.exec(said.stdout)![0];
  const judges = (): number[] => childrenOf(child.pid!, "judge-process");
  await until(() => judges().length === 1);
  return {
    ...session,
    judge: judges()[0]!,
    judges,
    isOpen: () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(Number(new URL(url).port), "127.0.0.1");
        socket
          .on("error", () => resolve(false))
          .on("connect", () => {
            socket.destroy();
            resolve(true);
          });
      }),
    lines: () => readFileSync(join(folder, "session.jsonl"), "utf8").split("\n").length - 2,
    ask: async () => (await fetch(`${url}/v1/chat/completions`, { method: "POST", body: "{}" })).text(),
  };
}

const linux = test.skipIf(process.platform !== "linux");

linux("a judge that is killed is started again, and what it had not told is told", async () => {
  const { child, said, ended, judge, judges, ask } = await recording();
  await ask();
  await until(() => /^ +0 {2}POST/m.test(said.stdout));
  process.kill(judge, "SIGKILL");
  await ask();
  await until(() => /^ +1 {2}POST/m.test(said.stdout));
  const others = judges();
  child.kill("SIGINT");
  expect(await ended).toBe(0);
  expect(said.stdout).toMatch(/does not conform: 2 exchanges/);
  expect([judge, ...others].filter(isAlive)).toEqual([]);
});

linux.each([
  { gate: [], code: 0 },
  { gate: ["--gate"], code: 2 },
])(
  "a judge that lags holds up nothing, and a second Ctrl+C leaves the rest to check: $gate",
  async ({ gate, code }) => {
    const { child, said, ended, judge, ask, lines, isOpen } = await recording(...gate);
    process.kill(judge, "SIGSTOP");
    for (let i = 0; i < 3; i++) await ask();
    await until(() => lines() === 3);
    child.kill("SIGINT");
    // The first is heard when nobody listens any more; two at once would be one.
    while (await isOpen());
    expect(child.exitCode).toBeNull();
    child.kill("SIGINT");
    expect(await ended).toBe(code);
    expect(said.stdout).toMatch(/^3 exchanges are kept in session\.jsonl$/m);
    expect(said.stdout).toMatch(/^\d+ \w+ of it are not judged: touchstone check session\.jsonl$/m);
    expect(isAlive(judge)).toBe(false);
  },
);

linux("a recorder that is killed leaves no judge behind, not even one that lags", async () => {
  const { child, ended, judge, ask, lines } = await recording();
  await ask();
  process.kill(judge, "SIGSTOP");
  await ask();
  child.kill("SIGKILL");
  await ended;
  await until(() => lines() === 2);
  process.kill(judge, "SIGCONT");
  await until(() => !isAlive(judge));
});

const exchange = (body: object): string =>
  `${exchangeLine({ request: jsonRequest("/v1/chat/completions", [], body), response: jsonResponse({}) })}\n`;

test("check --follow judges what others write until it is told to end, and sums up", async () => {
  const { folder } = await startUpstream(() => {});
  const path = join(folder, "growing.jsonl");
  const { child, said, ended } = touchstone(["check", "--follow", "growing.jsonl", "--format", "ndjson"], folder);
  writeFileSync(path, `${headerLine({})}\n${exchange({ n: "one" })}`);
  await until(() => said.stdout.includes('"exchange":0'));
  appendFileSync(path, exchange({ n: "two" }));
  await until(() => said.stdout.includes('"exchange":1'));
  child.kill("SIGTERM");
  expect(await ended).toBe(1);
  expect(JSON.parse(said.stdout.trimEnd().split("\n").at(-1)!)).toMatchObject({
    summary: { exchanges: 2 },
    complete: true,
  });
});

test("standard input and a pipe are judged as the same bytes in a file are", async () => {
  const { folder } = await startUpstream(() => {});
  const long = exchange({ user: "x".repeat(700_000) });
  const bytes = Buffer.from(
    `\n${headerLine({})}\n${long}${exchange({ n: "one" })}\n${long}${long}${exchange({ n: 0 })}{"requ`,
  );
  writeFileSync(join(folder, "file.jsonl"), bytes);
  const said = async (args: readonly string[], input: Uint8Array): Promise<readonly string[]> => {
    const { child, said, ended } = touchstone(["check", ...args], folder);
    child.stdin.end(input);
    await ended;
    return [said.stdout, said.stderr];
  };
  const { stdout, stderr } = await touchstoneHere(["check", join(folder, "file.jsonl")]);
  const fromFile = [stdout, stderr].map((text) => text.replaceAll(join(folder, "file.jsonl"), "-"));
  expect(fromFile[0]).toMatch(/does not conform: 5 exchanges/);
  expect(fromFile[1]).toContain("-:9: the last line is torn");
  expect(await said(["-"], bytes)).toEqual(fromFile);
  expect(await said(["-"], gzipSync(bytes))).toEqual(fromFile);
  if (spawnSync("mkfifo", [join(folder, "pipe")]).status !== 0) return;
  const fromPipe = said(["pipe"], Buffer.alloc(0));
  await writeFile(join(folder, "pipe"), bytes);
  expect(await fromPipe).toEqual(fromFile.map((text) => text.replace(/^-(?=:|$)/gm, "pipe")));
});
