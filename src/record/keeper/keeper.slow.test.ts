/** Holds the recorder's other half to the memory that long bodies may take. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { keeper, tell } from "./keeper.test-kit.ts";

function linesOf(path: string): number {
  const bytes = readFileSync(path);
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

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
