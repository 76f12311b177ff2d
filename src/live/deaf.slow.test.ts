/** A recorder whose page is asked by those who never read goes on within bounds of memory, and ends. */
import { once } from "node:events";
import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { memoryOf } from "../record/processes.test-kit.ts";
import { chat, completes, record, start, until, upstream } from "../record/recorder.test-kit.ts";

/** MiB, several times what a hundred pages need. */
const maxGrowth = 150;

test("a client that connects a thousand times, or listens and never reads, holds up neither traffic nor the end", async () => {
  const answer = await upstream((req, res) => {
    if (!req.url!.startsWith("/endless")) return completes(req, res);
    res.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(
      () => res.write(`data: {"choices":[{"delta":{"content":"${"word ".repeat(20)}"}}]}\n\n`),
      5,
    );
    res.on("close", () => clearInterval(timer));
  });
  const session = await record(answer, "--ui", "--quiet");
  await until(() => /\nlive page: \S+\n/.test(session.stdout()));
  const { port, search, href } = new URL(/\nlive page: (\S+)\n/.exec(session.stdout())![1]!);
  const connect = async (): Promise<net.Socket> => {
    const socket = net.connect(Number(port), "127.0.0.1").on("error", () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    return socket;
  };
  for (let i = 0; i < 20; i++) {
    const sockets = await Promise.all(Array.from({ length: 50 }, connect));
    for (const socket of sockets) socket.destroy();
  }
  await expect.poll(async () => (await fetch(href)).status).toBe(200);
  const traffic = async (many: number): Promise<void> => {
    for (let i = 0; i < many; i += 20)
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const response = await fetch(`${session.url}/v1/chat/completions`, chat());
          expect((await response.text()).length).toBeGreaterThan(100);
        }),
      );
  };
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  void fetch(`${session.url}/endless`, { ...chat({ stream: true }), signal: abort.signal }).catch(() => {});
  await traffic(1_000);
  const before = memoryOf(session.child.pid!).now;
  for (let i = 0; i < 15; i++) {
    const socket = await connect();
    socket.pause();
    socket.write(`GET ${i % 2 ? "/events" : "/flight/0"}${search} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  }
  await traffic(3_000);
  expect((await fetch(href)).status).toBe(200);
  expect(memoryOf(session.child.pid!).now - before).toBeLessThan(maxGrowth);
  abort.abort();
  expect(await session.end()).toBe(0);
  expect(session.stderr()).not.toMatch(/Warning|internal failure/);
});

test("a taken port of the proxy is one line, and the page is not opened", async () => {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as net.AddressInfo;
  const { said, ended } = start(["http://127.0.0.1:9", "--listen", `127.0.0.1:${port}`, "--ui"]);
  expect([await ended, said.stdout]).toEqual([2, ""]);
  expect(said.stderr).toMatch(/^touchstone: cannot listen on .*\n/);
});
