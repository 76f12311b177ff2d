/** Holds that workers are heard until they end, and their end once. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { type Ending, hear } from "./worker.ts";

/** All that is told of a worker, until it is gone. */
async function heard(worker: Parameters<typeof hear>[0]): Promise<unknown[]> {
  const told: unknown[] = [];
  await new Promise<void>((resolve) => {
    hear(worker, {
      onMessage: (message) => told.push(message),
      onEnd({ error, ...rest }: Ending) {
        told.push({ ...rest, error: error?.message });
        resolve();
      },
    });
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  return told;
}

const thread = (code: string): Worker =>
  new Worker(`const { parentPort } = require("node:worker_threads");${code}`, { eval: true, execArgv: [] });
const child = (program: string, code: string) =>
  spawn(program, ["-e", code], { stdio: ["ignore", "ignore", "ignore", "ipc"] });

test("a thread that says something and ends, one that throws, and one that is ended", async () => {
  expect(await heard(thread("parentPort.postMessage(1); parentPort.postMessage(2);"))).toEqual([
    1,
    2,
    { code: 0, signal: null, error: undefined },
  ]);
  expect(await heard(thread("throw new Error('no')"))).toEqual([{ code: 1, signal: null, error: "no" }]);
  const endless = thread("setInterval(() => {}, 1000)");
  void endless.terminate();
  expect(await heard(endless)).toEqual([{ code: expect.any(Number), signal: null, error: undefined }]);
});

test("a process that says something and ends, one that is killed, and one that cannot be started", async () => {
  const node = process.execPath;
  expect(await heard(child(node, "process.send('hello', () => process.exit(3))"))).toEqual([
    "hello",
    { code: 3, signal: null, error: undefined },
  ]);
  expect(await heard(child(node, "process.kill(process.pid, 'SIGKILL')"))).toEqual([
    { code: null, signal: "SIGKILL", error: undefined },
  ]);
  expect(await heard(child("/nowhere/node", ""))).toEqual([
    { code: null, signal: null, error: expect.stringContaining("ENOENT") },
  ]);
});

test("nothing more is told of a worker that somebody let go of", async () => {
  const worker = thread("parentPort.on('message', () => { parentPort.postMessage(1); process.exit(0); })");
  const told: string[] = [];
  const letGo = hear(worker, { onMessage: () => told.push("message"), onEnd: () => told.push("end") });
  letGo();
  worker.postMessage("go");
  await once(worker, "exit");
  expect(told).toEqual([]);
});
