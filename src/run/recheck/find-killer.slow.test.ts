/** Runs against a server process that one request stops and a supervisor restarts. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { reservePort } from "../../wire/reserve-port.test-kit.ts";
import { json, recordedAnswers, serve, touchstone } from "../run.test-kit.ts";

/** A proxy whose process exits when a body contains a given text. */
const front = `
import http from "node:http";
const [port, upstream, deadly] = process.argv.slice(1);
http.createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const body = Buffer.concat(pieces);
  if (body.includes(deadly)) process.exit(3);
  const asked = http.request(upstream + request.url, { method: request.method, headers: request.headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  asked.end(body);
}).listen(Number(port), "127.0.0.1", () => console.log("listening"));
`;

/** Starts the proxy, and restarts it after a pause in milliseconds. Its responses are slow, so that several requests are in flight. */
async function startMortal(deadly: string, pause: number): Promise<string> {
  const good = recordedAnswers();
  const upstream = await serve(async (request) => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return request.target.includes("nobody") ? json({}, 404) : good(request);
  });
  const port = await reservePort();
  let server: ChildProcess | undefined;
  let isOver = false;
  const start = (): ChildProcess => {
    server = spawn(process.execPath, ["--input-type=module", "-e", front, "--", String(port), upstream, deadly], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    server.once("exit", () => setTimeout(() => isOver || start(), pause).unref());
    return server;
  };
  onTestFinished(() => {
    isOver = true;
    server?.kill("SIGKILL");
  });
  await once(start().stdout!, "data");
  return `http://127.0.0.1:${port}`;
}

const deadly = '"n":11';
const args = ["--no-probes", "--concurrency", "8"];

test("a run goes on if the server restarts quickly, and reports only the request that stops it", async () => {
  const url = await startMortal(deadly, 300);
  const { stdout } = await touchstone([url, ...args]);
  expect(stdout.match(/images\/errors\/eleven.json, exchange 0\n/g)).toHaveLength(1);
  expect(stdout.match(/NO ANSWER/g)).toHaveLength(1);
  expect(stdout).toContain("DOES NOT CONFORM: 1 ");
});

test("with --wait, a run names the request that stops the server among those in flight", async () => {
  const url = await startMortal(deadly, 7000);
  const { code, stdout, stderr } = await touchstone([url, ...args, "--wait", "30"]);
  expect({ code, stdout, stderr }).toMatchObject({ code: 2 });
  expect(stdout).toMatch(/INCOMPLETE: the target stops when it receives images\/errors\/eleven.json #0\n/);
  expect(stderr).toContain("--scenario images/errors/eleven.");
});

test("if the server does not restart, a run names all requests in flight", async () => {
  const url = await startMortal(deadly, 1e6);
  const { code, stdout } = await touchstone([url, ...args]);
  expect(code).toBe(2);
  expect(stdout).toMatch(/INCOMPLETE: the target could not be reached any more; in flight: \S+ #0/);
});
