/** `touchstone gateway` with gateways that it starts itself. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../wire/free-port.test-kit.ts";
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
  const port = await freePort();
  const start = `exec ${process.execPath} ${file} ${port} {upstream}`;
  const args = ["--from", "messages", "--to", "messages", "--start", start];
  const { code, stdout, stderr } = await touchstoneHere(["gateway", `http://127.0.0.1:${port}`, ...args]);
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^. kept +\d+ facts: /m);
  expect(stdout).toMatch(/The gateway ended with exit code 7\. It was answering situations\/cut\./);
});
