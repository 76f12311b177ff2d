/** Records traffic on a disk that fails and with processes that are killed, and compares the cassette with what clients saw. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { openSource } from "../../cassette/read.ts";
import { home } from "../../home.ts";

export const secret = "sk-7c1e9b40aa52f6d3c8e7";

const faultyDisk = new URL("../../cassette/faulty-disk.test-kit.js", import.meta.url).href;

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("base64");

/** The body for a path: its number chooses the size. */
function bodyOf(path: string): string {
  const id = Number(/\d+/.exec(path)![0]);
  if (path.startsWith("/large")) return `${path} `.repeat(1_500_000);
  return `${path} `.repeat(id % 25 === 24 ? 60_000 : 1 + (id % 40));
}

function answer(req: IncomingMessage, res: ServerResponse): void {
  const body = bodyOf(req.url!);
  if (!req.url!.startsWith("/stream")) return void res.end(body);
  let at = 0;
  const timer = setInterval(() => {
    if (at >= 20) return void res.end();
    res.write(`data: ${at++} ${body.slice(0, 100)}\n\n`);
  }, 2);
  res.on("close", () => clearInterval(timer));
}

/** A service for as long as `use` takes. */
export async function withService(use: (url: string) => Promise<void>): Promise<void> {
  const server = http.createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.closeAllConnections();
  server.close();
}

/** A command of touchstone on a disk that follows `plan`. */
export async function start(folder: string, name: string, args: readonly string[]) {
  mkdirSync(folder, { recursive: true });
  const plan = join(folder, `${name}.plan`);
  writeFileSync(plan, "none");
  const child = spawn(process.execPath, [join(home, "dist", "src", "cli.js"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: { ...process.env, TOUCHSTONE_FAULTY_DISK: plan, NODE_OPTIONS: `--import ${faultyDisk}` },
  });
  let printed = "";
  child.stdout.on("data", (bytes) => (printed += bytes));
  child.stderr.on("data", (bytes) => (printed += bytes));
  // The keeper holds the other end of standard error: it is closed when both have ended.
  const closed = once(child, "close");
  while (!/:(\d+)\n/.test(printed) && child.exitCode === null) await after(20);
  return {
    child,
    closed,
    port: Number(/:(\d+)\n/.exec(printed)?.[1]),
    printed: () => printed,
    setPlan: (text: string) => writeFileSync(plan, text),
    plan: () => readFileSync(plan, "utf8"),
    async stop(): Promise<number | null> {
      child.kill("SIGTERM");
      const [code] = await closed;
      return code as number | null;
    },
  };
}

export type Started = Awaited<ReturnType<typeof start>>;

/** Sends requests until it is stopped. */
export function traffic(port: number, kinds: readonly string[], pauseMs = 2) {
  /** The digests of bodies of responses whose end a client saw, by path. */
  const seen = new Map<string, string>();
  const agent = new http.Agent({ keepAlive: true });
  let isStopped = false;
  let count = 0;
  const askOnce = (path: string): Promise<void> =>
    new Promise((resolve) => {
      const options = { port, path, agent, headers: { authorization: `Bearer ${secret}` } };
      const request = http.get(options, (response) => {
        const hash = createHash("sha256");
        response.on("data", (piece: Buffer) => hash.update(piece));
        response.on("end", () => {
          if (response.complete) seen.set(path, hash.digest("base64"));
        });
        response.on("close", resolve).on("error", () => {});
      });
      request.on("error", () => resolve());
    });
  const clients = kinds.map(async (kind) => {
    while (!isStopped) {
      await askOnce(`${kind}${count++}`);
      await after(pauseMs);
    }
  });
  return {
    seen,
    begun: () => count,
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

export interface Compared {
  readonly problems: readonly string[];
  readonly kept: number;
  /** Exchanges that the cassette says are missing. */
  readonly gaps: number;
  /** Exchanges that a client saw whole and that are not there, nor marked as missing. */
  readonly lost: number;
}

/** What must hold of a cassette. */
export interface Comparing {
  /** Whether a request may be recorded several times. */
  readonly mayRepeat?: boolean;
  /** Whether exchanges may be lost: all that there are must still be whole. */
  readonly mayLose?: boolean;
  /** Other files with recordings of the same session. */
  readonly beside?: readonly string[];
}

/** Compares a cassette with what clients saw, and looks for the secret in all files of its folder. */
export async function compare(
  out: string,
  seen: ReadonlyMap<string, string>,
  { mayRepeat = false, mayLose = false, beside = [] }: Comparing = {},
): Promise<Compared> {
  const problems: string[] = [];
  const kept = new Map<string, string>();
  let gaps = 0;
  for (const file of [out, ...beside])
    for await (const { exchange, gap } of await openSource(file)) {
      const { target } = exchange.request;
      gaps += gap?.exchanges ?? 0;
      if (exchange.aborted !== undefined) continue;
      if (kept.has(target) && !mayRepeat) problems.push(`${target} is there twice`);
      kept.set(target, digestOf(exchange.response?.body ?? new Uint8Array(0)));
      const marks = exchange.response?.chunks ?? [];
      if (marks.some(([at]) => at < 0 || at > 60_000)) problems.push(`${target} has chunks at impossible times`);
    }
  const missing = [...seen.keys()].filter((path) => !kept.has(path));
  if (missing.length > gaps && !mayLose)
    problems.push(`${missing.length} of ${seen.size} are missing, ${gaps} are marked: ${missing.slice(0, 5)}`);
  for (const [path, body] of seen)
    if (kept.has(path) && kept.get(path) !== body) problems.push(`${path} has other bytes than its client saw`);
  const folder = join(out, "..");
  for (const name of readdirSync(folder))
    if (readFileSync(join(folder, name)).includes(secret)) problems.push(`${name} contains the secret`);
  return { problems, kept: kept.size, gaps, lost: Math.max(0, missing.length - gaps) };
}
