/** The findings of `record` on a passing exchange are those of `check` on its cassette, and on the HAR made from it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { readCassette } from "../cassette/read.ts";
import { touchstoneHere } from "../cli/here.test-kit.ts";
import { home } from "../home.ts";
import type { Exchange } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";

const recordings = join(home, "recordings");
const files = (readdirSync(recordings, { recursive: true }) as string[])
  .filter((file) => file.endsWith(".json"))
  .sort();

/** The JSON with members added and, of a response, its first one gone. */
function spoilt(body: Uint8Array, more: object): Buffer {
  const text = Buffer.from(body).toString();
  if (!text.startsWith("{")) return Buffer.from(body);
  return Buffer.from(JSON.stringify({ ...(JSON.parse(text) as object), ...more }));
}

interface Reply {
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** Broken off here. */
  readonly until?: number;
}

/** Every recording, most of them spoilt in one way or another: a session with much to find. */
function replyOf({ response }: Exchange, i: number): Reply {
  const { headers, body } = response!;
  const plain = headers
    .filter(([name]) => !/^(content-length|transfer-encoding|connection|keep-alive)$/i.test(name))
    .flat();
  if (i % 4 === 1) return { headers: plain, body: spoilt(body, { object: 7, type: undefined, usage: undefined }) };
  if (i % 4 === 2) return { headers: plain, body, until: Math.ceil(body.length / 2) };
  if (i % 4 === 3) return { headers: [...plain, "Content-Encoding", "gzip"], body: gzipSync(body) };
  return { headers: plain, body };
}

/** The findings as shown: an exchange a line and its findings below it, without what only one of the two can say. */
const findingsOf = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => /^ +\d+ {2}[A-Z]+ \/| {8}(error|warning) /.test(line))
    .map((line) =>
      line
        .replace(/ {2}[\d.]+ m?s(?= |$)/, "")
        .replace(/ {2}broken off by the \w+$/, "")
        .replace(/models\/[^:]+:/, "models/{model}:"),
    );

test("the same findings live, from the cassette and from its HAR", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-same-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const exchanges: Exchange[] = [];
  for (const file of files)
    for (const { exchange } of (await readCassette(join(recordings, file))).exchanges)
      if (exchange.response) exchanges.push(exchange);
  const replies = exchanges.map(replyOf);
  const upstream = http.createServer(async (req, res) => {
    const { headers, body, until = body.length } = replies[Number(req.headers["x-request-id"])]!;
    for await (const _ of req);
    res.writeHead(exchanges[Number(req.headers["x-request-id"])]!.response!.status, headers as never);
    res.write(body.subarray(0, until), () => {
      if (until === body.length) res.end();
      else res.destroy();
    });
  });
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  onTestFinished(() => void upstream.close());
  const base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const args = [join(home, "dist", "src", "cli.js"), "record", base, "--out", "session.jsonl", "--max-body", "2K"];
  const env = { ...process.env, NO_COLOR: "1" };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let live = "";
  child.stdout.on("data", (bytes) => (live += bytes));
  await once(child.stdout, "data");
  const { port } = new URL(/http:\S+/.exec(live)![0]);
  for (const [i, { request }] of exchanges.entries()) {
    const body = i % 3 === 1 ? spoilt(request.body, { temperature: 9, n: 0, extra: true }) : Buffer.from(request.body);
    const plain = request.headers.filter(
      ([name]) => !/^(host|content-length|transfer-encoding|connection)$/i.test(name),
    );
    const headers = ["Host", "h", ...plain.flat(), "X-Request-Id", String(i), "Content-Length", String(body.length)];
    const asking = http.request({ port, method: request.method, path: request.target, headers: headers as never });
    asking.end(body);
    const [reply] = (await once(asking, "response")) as [IncomingMessage];
    const pieces: Buffer[] = [];
    reply.on("data", (piece) => pieces.push(piece)).on("error", () => {});
    await new Promise((resolve) => reply.once("close", resolve));
    expect(Buffer.concat(pieces).equals(replies[i]!.body.subarray(0, replies[i]!.until))).toBe(true);
  }
  child.kill("SIGINT");
  await once(child, "close");
  const cassette = join(folder, "session.jsonl");
  const har = join(folder, "session.har");
  const fromCassette = await touchstoneHere(["check", cassette]);
  expect((await touchstoneHere(["convert", cassette, "--to", "har", "--out", har])).code).toBe(0);
  const fromHar = await touchstoneHere(["check", har]);
  const shown = findingsOf(live);
  expect(shown.filter((line) => / error /.test(line)).length).toBeGreaterThan(20);
  expect(findingsOf(fromCassette.stdout)).toEqual(shown);
  expect(findingsOf(fromHar.stdout)).toEqual(shown);
  const kept = (await readCassette(cassette)).exchanges.map(({ exchange }) => exchange);
  expect(kept.filter(({ aborted }) => aborted === "upstream").length).toBeGreaterThan(10);
  expect(kept.some(({ response }) => response?.cut)).toBe(true);
  expect(kept.some(({ response }) => headerValue(response!.headers, "content-encoding") === "gzip")).toBe(true);
});
