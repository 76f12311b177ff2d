/** `touchstone gateway` with gateways that it starts itself. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { reservePort } from "../wire/reserve-port.test-kit.ts";
import { touchstoneHere } from "./here.test-kit.ts";

/** A gateway of one process that passes everything on, and ends where its upstream breaks off. */
const fragile = `
const { createServer, request } = require("node:http");
const [port, upstream] = process.argv.slice(-2);
createServer((incoming, outgoing) => {
  const { method, headers, url } = incoming;
  const asked = request(upstream + url, { method, headers }, (answer) => {
    answer.on("error", () => outgoing.destroyed || process.exit(7));
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  asked.on("error", () => outgoing.destroy());
  outgoing.on("close", () => outgoing.writableFinished || asked.destroy());
  incoming.pipe(asked);
}).listen(Number(port), "127.0.0.1");`;

test("a gateway that ends by a broken answer is started again, and fails for that", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-gateway-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "gateway.cjs");
  writeFileSync(file, fragile);
  const port = await reservePort();
  const start = `exec ${process.execPath} ${file} ${port} {upstream}`;
  const args = ["--from", "messages", "--to", "messages", "--start", start];
  const { code, stdout, stderr } = await touchstoneHere(["gateway", `http://127.0.0.1:${port}`, ...args]);
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^. kept +\d+ facts: /m);
  expect(stdout).toMatch(/The gateway ended with exit code 7\. It was answering situations\/cut\./);
});

test("a client library is asked in place of a gateway, and its folder holds", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-library-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const args = ["--client", "ai", "--from", "chat-completions", "--to", "messages", "--lacks", "n,audio,logprobs"];
  const { code, stdout, stderr } = await touchstoneHere(["gateway", ...args, "--out", folder]);
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^Client library to messages: ai \d+\.\S+ with @ai-sdk\/anthropic \d/);
  // Its provider has no word for a seed, and says so in a warning.
  expect(stdout).toMatch(/^. refused +\d+ facts: .*\bseed\b/m);
  expect(stdout).not.toContain("curl");
  const verified = await touchstoneHere(["verify", folder]);
  expect(verified.stdout).toMatch(/^HOLDS: /);
});

test("packages that are not there, and a version that does not exist, are told in one line", async () => {
  const none = await touchstoneHere(["gateway", "--client", "ai@0.0.0-none", "--to", "messages"]);
  expect(none.code).toBe(2);
  expect(none.stderr).toMatch(/^touchstone: ai@0\.0\.0-none cannot be installed: /);
  const old = await touchstoneHere(["gateway", "--client", "ai@5", "--to", "messages"]);
  expect(old.stderr).toMatch(/^touchstone: ai cannot be used: touchstone asks version 6 or a newer one/);
});
