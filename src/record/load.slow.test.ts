/** A flood of `record` from either side passes, and makes neither of its processes grow beyond what it keeps. */
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import net, { type Socket } from "node:net";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { readCassette } from "../cassette/read.ts";
import { home } from "../home.ts";
import { childrenOf } from "./processes.test-kit.ts";
import { startUpstream } from "./upstream.test-kit.ts";

const megabyte = 1 << 20;

/** The most memory that a process has had so far, in MiB. */
const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

async function recording(answer: (req: IncomingMessage, res: ServerResponse) => unknown, ...more: string[]) {
  const { base, folder } = await startUpstream((req, res) => void answer(req, res));
  const out = join(folder, "session.jsonl");
  const args = [join(home, "dist", "src", "cli.js"), "record", base, "--out", out, ...more];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  let said = "";
  child.stdout.on("data", (bytes) => (said += bytes));
  const url = /http:\S+/.exec(line.toString())![0];
  const keeper = childrenOf(child.pid!, "keeper.js")[0]!;
  // Warm: what modules and compiled code take is there.
  await (await fetch(`${url}/v1/chat/completions`, { method: "POST", body: "{}" })).text();
  const before = [child.pid!, keeper].map(peakOf);
  return {
    child,
    url,
    port: Number(new URL(url).port),
    /** By how many MiB the recorder and its keeper have grown. */
    growth: () => [child.pid!, keeper].map((pid, i) => peakOf(pid) - before[i]!),
    /** Resolves when the keeper has said this many exchanges in all, the one that warms it up included. */
    async shown(count: number) {
      while ((said.match(/^ +\d+ {2}[A-Z]+ \//gm) ?? []).length < count) await once(child.stdout, "data");
    },
    async end() {
      child.kill("SIGINT");
      await once(child, "close");
      return (await readCassette(out)).exchanges.map(({ exchange }) => exchange).slice(1);
    },
  };
}

const linux = test.skipIf(process.platform !== "linux");

/** The megabytes that two processes may take for buffers and for garbage they have not looked after yet. */
const maxGrown = 64;

async function drain(message: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const piece of message) length += piece.length;
  return length;
}

linux("four images of 25 MB in one form reach a slow upstream whole, and take no memory", async () => {
  let digest = "";
  const session = await recording(
    async (req, res) => {
      const hash = createHash("sha256");
      // One that reads in bursts: what it has not read has to wait at the client.
      for await (const piece of req) {
        hash.update(piece);
        if (piece[0]! < 8) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      digest = hash.digest("hex");
      res.end("{}");
    },
    "--max-body",
    "1M",
  );
  const image = Buffer.alloc(25 * megabyte, randomBytes(65_521));
  const expected = createHash("sha256");
  const request = http.request(`${session.url}/v1/images/edits`, {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b" },
  });
  const response = once(request, "response");
  const write = async (bytes: Uint8Array): Promise<void> => {
    expected.update(bytes);
    if (!request.write(bytes)) await once(request, "drain");
  };
  let length = 0;
  for (const name of ["a", "b", "c", "d"]) {
    const head = Buffer.from(`--b\r\nContent-Disposition: form-data; name="image[]"; filename="${name}.png"\r\n\r\n`);
    for (const bytes of [head, image, Buffer.from("\r\n")]) {
      await write(bytes);
      length += bytes.length;
    }
  }
  request.end();
  const [reply] = (await response) as [IncomingMessage];
  await drain(reply);
  expect(digest).toBe(expected.digest("hex"));
  await session.shown(2);
  for (const grown of session.growth()) expect(grown).toBeLessThan(maxGrown);
  const [exchange] = await session.end();
  expect([exchange!.request.body.length, exchange!.request.cut]).toEqual([megabyte, length - megabyte]);
});

linux("a stream without end passes, is kept up to the cap, and takes no memory", async () => {
  const piece = Buffer.alloc(1 << 16, "data: x\n\n");
  const session = await recording(
    async (req, res) => {
      if (req.url !== "/v1/messages") return void res.end("{}");
      res.writeHead(200, { "content-type": "text/event-stream" });
      const closed = once(res, "close");
      while (!res.destroyed) if (!res.write(piece)) await Promise.race([once(res, "drain"), closed]);
    },
    "--max-body",
    "1M",
  );
  const request = http.request(`${session.url}/v1/messages`, { method: "POST" });
  request.on("error", () => {});
  request.end("{}");
  const [reply] = (await once(request, "response")) as [IncomingMessage];
  let length = 0;
  await new Promise<void>((resolve) =>
    reply.on("data", (bytes) => {
      length += bytes.length;
      if (length > 400 * megabyte) resolve();
    }),
  );
  reply.destroy();
  await session.shown(2);
  for (const grown of session.growth()) expect(grown).toBeLessThan(maxGrown);
  const [exchange] = await session.end();
  expect(exchange).toMatchObject({ aborted: "client", response: { body: { length: megabyte } } });
  expect(exchange!.response!.cut).toBeGreaterThan(300 * megabyte);
});

linux("compression bombs pass as they are, from both sides, and are not set off", async () => {
  const zeros = Buffer.alloc(128 * megabyte);
  const bombs: Record<string, Buffer> = {
    gzip: gzipSync(zeros),
    br: brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  };
  bombs["gzip, gzip"] = gzipSync(bombs["gzip"]!);
  const session = await recording(async (req, res) => {
    const coding = req.headers["content-encoding"];
    const length = await drain(req);
    if (coding === undefined) return void res.end("{}");
    expect(length).toBe(bombs[coding]!.length);
    res.writeHead(200, { "content-type": "application/json", "content-encoding": coding });
    res.end(bombs[coding]);
  });
  for (const [coding, bomb] of Object.entries(bombs)) {
    const headers = { "content-type": "application/json", "content-encoding": coding };
    const request = http.request(`${session.url}/v1/chat/completions`, { method: "POST", headers });
    request.end(bomb);
    const [reply] = (await once(request, "response")) as [IncomingMessage];
    expect(reply.headers["content-encoding"]).toBe(coding);
    expect(await drain(reply)).toBe(bomb.length);
  }
  await session.shown(4);
  for (const grown of session.growth()) expect(grown).toBeLessThan(2 * maxGrown);
  expect(await session.end()).toHaveLength(3);
});

const queue = process.platform === "linux" ? Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8")) : 0;

test.skipIf(queue < 2000)(
  "a burst of clients finds room, though the recorder has no time for any of them just now",
  async () => {
    const session = await recording((_, res) => res.end("{}"), "--quiet");
    session.child.kill("SIGSTOP");
    const sockets = Array.from({ length: 1500 }, () => net.connect(session.port, "127.0.0.1"));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    session.child.kill("SIGCONT");
    const answers = sockets.map(async (socket) => {
      socket.write("GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n");
      const [bytes] = (await once(socket, "data")) as [Buffer];
      return bytes.toString().slice(0, 15);
    });
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["HTTP/1.1 200 OK"]));
  },
);

linux("two thousand idle connections, half of a head each, and readers that do not read stop nobody else", async () => {
  const session = await recording(
    (req, res) => {
      if (req.url !== "/large") return void res.end("{}");
      const piece = Buffer.alloc(megabyte);
      for (let i = 0; i < 50; i++) res.write(piece);
      res.end();
    },
    "--max-body",
    "64K",
  );
  const connect = (bytes: string): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = net.connect(session.port, "127.0.0.1", () => {
        socket.write(bytes);
        resolve(socket);
      });
      socket.on("error", reject);
      onTestFinished(() => void socket.destroy());
    });
  for (let i = 0; i < 1000; i++) await Promise.all([connect(""), connect("POST /v1/messages HTTP/1.1\r\nX-Half: ")]);
  // 20 times 50 MB that nobody takes.
  const slow = await Promise.all(Array.from({ length: 20 }, () => connect("GET /large HTTP/1.1\r\nHost: x\r\n\r\n")));
  await Promise.all(
    slow.map(async (socket) => {
      await once(socket, "data");
      socket.pause();
    }),
  );
  for (let i = 0; i < 20; i++)
    expect(await (await fetch(`${session.url}/v1/messages`, { method: "POST" })).text()).toBe("{}");
  for (const grown of session.growth()) expect(grown).toBeLessThan(2 * maxGrown);
});
