/** Holds the recorder's other half on its own: what it keeps when its input is broken, and what it takes for long bodies. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openSource } from "../../cassette/read.ts";
import { home } from "../../home.ts";
import type { ExchangeObserver } from "../../proxy/observer.ts";
import { createFrameEncoder } from "./frame-encoder.ts";
import type { KeeperMessage } from "./messages.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-keeper-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a keeper that waits for frames. */
async function keeper(name: string) {
  const out = join(folder, `${name}.jsonl`);
  const built = join(home, "dist", "src", "record", "keeper", "keeper.js");
  const child = spawn(process.execPath, ["--expose-gc", built], { stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => {});
  let said = "";
  let complaints = "";
  child.stdout.on("data", (bytes) => (said += bytes));
  child.stderr.on("data", (bytes) => (complaints += bytes));
  child.stdin.write(`${JSON.stringify({ out, documents: [], bindings: [], keepHeaders: [], redact: [] })}\n`);
  await once(child.stdout, "data");
  const { stdin } = child;
  const observer: ExchangeObserver = createFrameEncoder({
    write: (bytes) => stdin.write(Buffer.from(bytes)),
    cork: () => stdin.cork(),
    uncork: () => stdin.uncork(),
    empty: () => true,
    emptied: async () => {},
  });
  return {
    child,
    observer,
    out,
    /** The messages until it ended. */
    async ended() {
      if (child.exitCode === null) await once(child, "close");
      const messages = said
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as KeeperMessage);
      return { messages, complaints };
    },
  };
}

async function bodiesOf(path: string): Promise<string[]> {
  const bodies: string[] = [];
  for await (const { exchange } of await openSource(path))
    bodies.push(`${Buffer.from(exchange.response!.body)} ${exchange.aborted ?? "whole"}`);
  return bodies;
}

function linesOf(path: string): number {
  const bytes = readFileSync(path);
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

function tell(observer: ExchangeObserver, id: number, body: string): void {
  observer.open(id, { started: 5, method: "GET", target: "/", headers: [] });
  observer.responseHead(id, 200, "OK", []);
  observer.responseBytes(id, Buffer.from(body), 1);
}

test.each([
  ["bytes that are none", Buffer.alloc(100, 0x41)],
  ["a frame of four gigabytes", Buffer.from("03010000000000000000ffffffff", "hex")],
  ["an end that is no JSON", Buffer.from(`${"0402000000"}${"00000000"}${"03000000"}7b7b7b`, "hex")],
])("%s among frames end it with one clear line, after what came is kept", async (name, bytes) => {
  const { child, observer, out, ended } = await keeper(name);
  tell(observer, 1, "one");
  observer.close(1, { time: 2 });
  tell(observer, 2, "two");
  observer.flush?.();
  child.stdin.write(bytes);
  const { messages, complaints } = await ended();
  expect(complaints).toBe("");
  expect(messages.at(-1)).toMatchObject({ failure: { message: expect.stringMatching(/cannot be read.*has ended$/) } });
  expect(await bodiesOf(out)).toEqual(["one whole", "two client"]);
});

test.skipIf(process.platform !== "linux")("a long stream takes little more than its bytes", async () => {
  const peak = (pid: number): number =>
    Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
  const { child, observer, out, ended } = await keeper("long");
  const drained = async (): Promise<void> => {
    observer.flush?.();
    if (child.stdin.writableNeedDrain) await once(child.stdin, "drain");
  };
  tell(observer, 1, "warm");
  observer.close(1, { time: 2 });
  await drained();
  while (linesOf(out) < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  const before = peak(child.pid!);
  observer.open(2, {
    started: 5,
    method: "POST",
    target: "/v1/chat/completions",
    headers: ["Authorization", "Bearer hunter2hunter2"],
  });
  observer.responseHead(2, 200, "OK", ["Content-Type", "text/event-stream"]);
  const event = (i: number): string =>
    `data: ${JSON.stringify({ id: "chatcmpl-1", choices: [{ delta: { content: ` ${i}` } }], obfuscation: "x".repeat(200) })}\n\n`;
  for (let i = 0; i < 2_000; i++) {
    observer.responseBytes(2, Buffer.from(Array.from({ length: 100 }, (_, k) => event(100 * i + k)).join("")), i);
    await drained();
  }
  observer.close(2, { time: 1_000_000, responseCut: 1 });
  await drained();
  while (linesOf(out) < 3) await new Promise((resolve) => setTimeout(resolve, 200));
  // The body has some 55 MiB; taken whole at every step it took 500 more.
  expect(peak(child.pid!) - before).toBeLessThan(200);
  child.stdin.end();
  const { messages } = await ended();
  expect(messages.at(-1)).toMatchObject({ kept: { kept: 2, lost: 0, broken: 0 } });
});
