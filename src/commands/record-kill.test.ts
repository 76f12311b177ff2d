/** Killed at any moment, `touchstone record` leaves every exchange and every chunk that a client had seen. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openSource } from "../cassette/read.ts";
import { home } from "../home.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-kill-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Answers `/whole...` at once, and everything else with an event a millisecond. */
function answer(req: IncomingMessage, res: ServerResponse): void {
  if (req.url!.startsWith("/whole")) return void res.end(req.url!.repeat(20));
  let count = 0;
  const timer = setInterval(() => res.write(`data: ${req.url} ${count++}\n\n`), 1);
  res.on("close", () => clearInterval(timer));
}

/** Asks until told to stop; `seen` gets what came of each path, `ended` the paths whose answers were whole. */
function client(port: string, seen: Map<string, string>, ended: Set<string>, path: () => string) {
  const agent = new http.Agent({ keepAlive: true });
  let stopped = false;
  const ask = (): void => {
    const target = path();
    const request = http.get({ port, path: target, agent }, (reply) => {
      reply.setEncoding("utf8");
      reply.on("data", (text: string) => seen.set(target, (seen.get(target) ?? "") + text));
      reply.on("error", () => {});
      reply.on("end", () => {
        ended.add(target);
        if (!stopped) ask();
      });
    });
    request.on("error", () => {});
  };
  ask();
  return () => {
    stopped = true;
  };
}

let attempt = 0;

// Where a starved machine gets no traffic through in time, there is nothing to judge: such a round is played again.
test.each([150, 400, 700])("killed after %d ms of traffic", { retry: 4, timeout: 15_000 }, async (after) => {
  const upstream = http.createServer(answer).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const out = join(folder, `${after}-${attempt++}.jsonl`);
  const base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const args = [join(home, "dist", "src", "cli.js"), "record", base, "--out", out, "--quiet"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const port = /:(\d+)\n/.exec(line.toString())![1]!;
  const seen = new Map<string, string>();
  const ended = new Set<string>();
  let count = 0;
  const stops = ["/whole", "/whole", "/whole", "/stream", "/stream"].map((kind) =>
    client(port, seen, ended, () => `${kind}${count++}`),
  );
  // On a busy machine the first answers take their time.
  while (ended.size === 0 || ![...seen.keys()].some((path) => path.startsWith("/stream")))
    await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, after));
  child.kill("SIGKILL");
  for (const stop of stops) stop();
  await once(child, "close");
  const kept = new Map<string, { text: string; aborted: string | undefined }>();
  const reread = async (): Promise<boolean> => {
    if (!readFileSync(out, "utf8").includes("/stream")) return false;
    for await (const { exchange } of await openSource(out))
      kept.set(exchange.request.target, {
        text: Buffer.from(exchange.response?.body ?? []).toString("utf8"),
        aborted: exchange.aborted,
      });
    return [...seen.keys()].every((path) => kept.has(path));
  };
  while (!(await reread())) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ended.size).toBeGreaterThan(0);
  for (const path of ended) expect(kept.get(path)).toEqual({ text: seen.get(path), aborted: undefined });
  for (const [path, text] of seen) expect(kept.get(path)!.text.startsWith(text)).toBe(true);
  expect([...kept].filter(([path]) => path.startsWith("/stream")).every(([, { aborted }]) => aborted)).toBe(true);
  upstream.closeAllConnections();
  upstream.close();
});
