/** Starts what the benchmarks compare, each as a process of its own, in front of their upstream. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { home } from "../../home.ts";
import { childrenOf, commandOf } from "../../record/processes.test-kit.ts";
import { reservePort } from "../../wire/reserve-port.test-kit.ts";
import type { Order, Report } from "./load.ts";

export interface Started {
  readonly port: number;
  readonly pid: number | undefined;
  readonly stop: () => Promise<void>;
}

/** A folder for what contenders write; gone at the end. */
export const scratch = mkdtempSync(join(tmpdir(), "touchstone-bench-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const children = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

function kept(child: ChildProcess): ChildProcess {
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

function stopping(child: ChildProcess, signal: NodeJS.Signals): () => Promise<void> {
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  };
}

/** The process of upstream and clients. */
export async function startLoad(): Promise<Started & { readonly ask: (order: Order) => Promise<Report> }> {
  const child = kept(fork(fileURLToPath(new URL("./load.js", import.meta.url))));
  const next = async (): Promise<Report> => (await once(child, "message"))[0] as Report;
  const ready = (await next()) as { port: number };
  return {
    port: ready.port,
    pid: child.pid,
    stop: stopping(child, "SIGTERM"),
    async ask(order) {
      child.send(order);
      const report = await next();
      if ("failure" in report) throw new Error(`a contender failed: ${report.failure}`);
      return report;
    },
  };
}

async function listening(port: number, who: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    const socket = net.connect(port, "127.0.0.1");
    const open = await new Promise<boolean>((resolve) => {
      socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing listens on ${port}: ${who}`);
}

/** A program that is told its port and says nothing we need. */
async function startAt(program: string, args: readonly string[], port: number): Promise<Started> {
  const child = kept(spawn(program, args, { stdio: ["ignore", "ignore", "ignore"], cwd: scratch }));
  await listening(port, [program, ...args].join(" "));
  return { port, pid: child.pid, stop: stopping(child, "SIGKILL") };
}

const script = (body: string): string[] => ["--input-type=module", "-e", body];
const fromHome = (name: string): string => JSON.stringify(import.meta.resolve(name));

/** http-proxy as its manual has it, with connections kept alive. */
async function startBare(upstream: number): Promise<Started> {
  const port = await reservePort();
  const body = `import http from "node:http";
    import httpProxy from ${fromHome("http-proxy")};
    const agent = new http.Agent({ keepAlive: true });
    const proxy = httpProxy.createProxyServer({ target: "http://127.0.0.1:${upstream}", agent });
    proxy.on("error", () => {});
    http.createServer((req, res) => proxy.web(req, res)).listen(${port}, "127.0.0.1");`;
  return startAt(process.execPath, script(body), port);
}

/** The same with node:http alone, which is what carries the recorder's exchanges. */
async function startPlain(upstream: number): Promise<Started> {
  const port = await reservePort();
  const body = `import http from "node:http";
    const agent = new http.Agent({ keepAlive: true });
    http.createServer((req, res) => {
      const { method, url: path, rawHeaders: headers } = req;
      const request = http.request({ host: "127.0.0.1", port: ${upstream}, agent, method, path, headers }, (reply) => {
        res.writeHead(reply.statusCode, reply.rawHeaders);
        reply.pipe(res);
      });
      request.on("error", () => res.destroy());
      req.pipe(request);
    }).listen(${port}, "127.0.0.1");`;
  return startAt(process.execPath, script(body), port);
}

async function startNginx(upstream: number): Promise<Started> {
  const port = await reservePort();
  const config = join(scratch, "nginx.conf");
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${scratch}/nginx.pid; error_log /dev/null;
events {}
http {
  access_log off; client_body_temp_path ${scratch}/body; proxy_temp_path ${scratch}/proxy;
  fastcgi_temp_path ${scratch}/fastcgi; uwsgi_temp_path ${scratch}/uwsgi; scgi_temp_path ${scratch}/scgi;
  upstream service { server 127.0.0.1:${upstream}; keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port}; keepalive_requests 1000000;
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}`,
  );
  // Its worker is another process: what the master spends says nothing.
  return { ...(await startAt("nginx", ["-p", scratch, "-c", config], port)), pid: undefined };
}

const peers = process.env["TOUCHSTONE_PEERS"];
const ofPeers = (...path: string[]): string => join(peers ?? "", "node_modules", ...path);

async function startPrism(upstream: number): Promise<Started> {
  const port = await reservePort();
  const document = join(scratch, "openapi.json");
  const content = (...types: string[]): object =>
    Object.fromEntries(types.map((type) => [type, { schema: type.endsWith("json") ? { type: "object" } : {} }]));
  const operation = {
    requestBody: { content: content("application/json") },
    responses: { 200: { description: "ok", content: content("application/json", "text/event-stream") } },
  };
  const paths = { "/v1/chat/completions": { post: operation } };
  writeFileSync(document, JSON.stringify({ openapi: "3.0.3", info: { title: "chat", version: "1" }, paths }));
  const prism = ofPeers("@stoplight", "prism-cli", "dist", "index.js");
  const url = `http://127.0.0.1:${upstream}`;
  return startAt(process.execPath, [prism, "proxy", document, url, "-p", String(port), "-v", "error"], port);
}

async function startTalkback(upstream: number): Promise<Started> {
  const port = await reservePort();
  const tapes = join(scratch, `tapes-${port}`);
  const body = `import { createRequire } from "node:module";
    const talkback = createRequire(${JSON.stringify(ofPeers("talkback", "package.json"))})("talkback");
    talkback({ host: "http://127.0.0.1:${upstream}", port: ${port}, path: ${JSON.stringify(tapes)},
      record: "NEW", silent: true, summary: false }).start();`;
  return startAt(process.execPath, script(body), port);
}

async function startAimock(upstream: number): Promise<Started> {
  const port = await reservePort();
  const cli = join(home, "node_modules", "@copilotkit", "aimock", "dist", "cli.js");
  const fixtures = join(scratch, `fixtures-${port}`);
  mkdirSync(fixtures);
  const url = `http://127.0.0.1:${upstream}`;
  const options = ["--record", "--provider-openai", url, "--fixtures", fixtures, "--log-level", "silent"];
  return startAt(process.execPath, [cli, "--port", String(port), ...options], port);
}

export interface Recorder extends Started {
  /** Lines of the cassette so far, its header among them. */
  readonly lines: () => Promise<number>;
  /** Process ids of the recorder, of what keeps and of what judges. */
  readonly pids: () => readonly [recorder: number, keeper: number, judge: number];
  /** The address of its page, of one with `--ui`. */
  readonly page: () => Promise<string>;
}

/** `touchstone record`, the command itself. */
export async function startRecord(upstream: number, options: readonly string[] = []): Promise<Recorder> {
  const out = join(scratch, `${performance.now()}.jsonl`);
  const cli = join(home, "dist", "src", "cli.js");
  const args = [cli, "record", `http://127.0.0.1:${upstream}`, "--out", out, ...options];
  const child = kept(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] }));
  // Its output is read, as a terminal or a log would.
  const lines = createInterface({ input: child.stdout! });
  const page = new Promise<string>((resolve) => {
    lines.on("line", (line: string) => line.startsWith("live page: ") && resolve(line.slice("live page: ".length)));
  });
  const [first] = (await once(lines, "line")) as [string];
  const childNamed = (name: string): number =>
    childrenOf(child.pid!).find((pid) => commandOf(pid).includes(name)) ?? Number.NaN;
  const file = await open(out);
  const buffer = Buffer.alloc(4 << 20);
  let at = 0;
  let count = 0;
  return {
    port: Number(/:(\d+)$/.exec(first)![1]),
    pid: child.pid,
    pids: () => [child.pid!, childNamed("keeper.js"), childNamed("judge-process")],
    page: () => page,
    async lines() {
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) return count;
        const read = buffer.subarray(0, bytesRead);
        for (let end = read.indexOf(10); end >= 0; end = read.indexOf(10, end + 1)) count++;
        at += bytesRead;
      }
    },
    async stop() {
      await file.close();
      // Twice: what is not judged is left so.
      child.kill("SIGINT");
      const again = setTimeout(() => child.kill("SIGINT"), 1_000);
      await stopping(child, "SIGINT")();
      clearTimeout(again);
      rmSync(out, { force: true });
    },
  };
}

/** Programs of others between the benchmarks' clients and their upstream. */
export const others: readonly {
  readonly name: string;
  readonly there: () => boolean;
  readonly start: (upstream: number) => Promise<Started>;
}[] = [
  {
    name: "nginx",
    there: () => (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, "nginx"))),
    start: startNginx,
  },
  { name: "bare node:http", there: () => true, start: startPlain },
  { name: "bare http-proxy", there: () => true, start: startBare },
  { name: "Prism proxy", there: () => existsSync(ofPeers("@stoplight", "prism-cli")), start: startPrism },
  { name: "talkback", there: () => existsSync(ofPeers("talkback")), start: startTalkback },
  { name: "aimock recording", there: () => existsSync(join(home, "node_modules", "@copilotkit")), start: startAimock },
];
