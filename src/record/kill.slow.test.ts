/** Killed at any moment, `touchstone record` leaves every exchange and every chunk that a client had seen. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openSource } from "../cassette/read.ts";
import { home } from "../home.ts";
import { childrenOf } from "./processes.test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-kill-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Answers `/whole...` at once, and everything else with an event a millisecond. */
function answer(req: IncomingMessage, res: ServerResponse): void {
  if (req.url!.startsWith("/whole")) return void res.end(req.url!.repeat(20));
  let count = 0;
  const timer = setInterval(() => res.write(`data: ${req.url} ${count++}\n\n`), 1);
  res.on("close", () => clearInterval(timer));
}

/** The answers that clients saw, until told to stop. */
interface Traffic {
  /** The answer for each path. */
  readonly seen: Map<string, string>;
  /** Paths whose answers were whole. */
  readonly ended: Set<string>;
  /** The problems before the end. */
  readonly failures: string[];
  stopped: boolean;
  /** When the last piece of an answer came. */
  last: number;
}

/** Three clients ask for one whole answer after another, two listen to a stream. */
function traffic(port: string): Traffic {
  const all: Traffic = { seen: new Map(), ended: new Set(), failures: [], stopped: false, last: 0 };
  const agent = new http.Agent({ keepAlive: true });
  let count = 0;
  const ask = (kind: string): void => {
    const path = `${kind}${count++}`;
    const request = http.get({ port, path, agent }, (reply) => {
      reply.setEncoding("utf8");
      reply.on("data", (text: string) => {
        all.seen.set(path, (all.seen.get(path) ?? "") + text);
        all.last = performance.now();
      });
      reply.on("error", () => {});
      reply.on("end", () => {
        all.ended.add(path);
        if (!all.stopped) ask(kind);
      });
    });
    request.on("error", ({ message }) => {
      if (!all.stopped) all.failures.push(`${path}: ${message}`);
    });
  };
  for (const kind of ["/whole", "/whole", "/whole", "/stream", "/stream"]) ask(kind);
  return all;
}

const pause = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

/** Starts a recorder with traffic, lets `meanwhile` happen, kills it, and compares what it left with what was seen. */
async function killed(
  name: string,
  meanwhile: (recorder: number, all: Traffic) => Promise<unknown>,
  after = () => {},
): Promise<void> {
  const upstream = http.createServer(answer).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  onTestFinished(() => {
    upstream.closeAllConnections();
    upstream.close();
  });
  const out = join(mkdtempSync(join(folder, "round-")), `${name}.jsonl`);
  const base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const args = [join(home, "dist", "src", "cli.js"), "record", base, "--out", out, "--quiet"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  // The keeper holds the other end of standard error: it is closed when both have ended.
  child.stderr.resume();
  const closed = once(child, "close");
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const all = traffic(/:(\d+)\n/.exec(line.toString())![1]!);
  const { seen, ended, failures } = all;
  const begun = (): boolean => ended.size > 0 && [...seen.keys()].some((path) => path.startsWith("/stream"));
  while (!begun() && failures.length === 0) await pause(5);
  await meanwhile(child.pid!, all);
  child.kill("SIGKILL");
  all.stopped = true;
  await once(child, "exit");
  after();
  await closed;
  expect(failures).toEqual([]);
  const kept = new Map<string, { text: string; aborted: string | undefined }>();
  for await (const { exchange } of await openSource(out))
    kept.set(exchange.request.target, {
      text: Buffer.from(exchange.response?.body ?? []).toString("utf8"),
      aborted: exchange.aborted,
    });
  for (const path of ended) expect(kept.get(path)).toEqual({ text: seen.get(path), aborted: undefined });
  for (const [path, text] of seen) expect(kept.get(path)?.text.slice(0, text.length)).toBe(text);
  expect([...kept].filter(([path]) => path.startsWith("/stream")).every(([, { aborted }]) => aborted)).toBe(true);
}

const moments = Array.from({ length: 3 }, () => Math.floor(Math.random() * 600));

test.each(moments)("killed after %d ms of traffic", (after) => killed(String(after), () => pause(after)));

// A machine without time for the keeper looks like this; what clients saw must not wait in the memory of the recorder.
test.skipIf(process.platform !== "linux")("killed while its keeper stands still", async () => {
  let keeper = 0;
  const wake = (): void => void process.kill(keeper, "SIGCONT");
  await killed(
    "still",
    async (recorder, all) => {
      keeper = childrenOf(recorder, "keeper.js")[0]!;
      process.kill(keeper, "SIGSTOP");
      // Either clients wait for the keeper, or they have seen far more than the pipe to it can hold.
      do await pause(100);
      while (performance.now() - all.last < 500 && all.ended.size < 3000);
    },
    wake,
  );
});
