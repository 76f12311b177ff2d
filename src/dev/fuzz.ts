/**
 * `npm run fuzz [-- ROUNDS [FOLDER]]`: feeds changed recordings, and those of a folder of real traffic, to check, convert,
 * diff, play, record and report. Whatever they hold, nothing may crash, hang, lose an exchange or reach the terminal raw.
 * The same `TOUCHSTONE_SEED` makes the same inputs; the first fault is told with the file that showed it, and ends it all.
 */
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openSource } from "../cassette/read.ts";
import { listSources } from "../cassette/sources.ts";
import { home } from "../home.ts";
import type { Exchange } from "../wire/exchange.ts";
import { cassetteOf, requestBytes, responseBytes, spoilBytes, spoilExchange, spoilJson } from "./fuzz-inputs.ts";
import { type Ran, start } from "./fuzz-process.ts";
import { type Chance, createChance } from "./legal/chance.ts";

const seed = Number(process.env["TOUCHSTONE_SEED"] ?? 20_261_122);
const rounds = Number(process.argv[2] ?? 20);
const corpus = process.argv[3];

/** Exchanges in one changed cassette, and requests to one recorder or player. */
const exchangesEach = 25;
const requestsEach = 12;

const folder = mkdtempSync(join(tmpdir(), "touchstone-fuzz-"));

/** A fault, and the file it was found with. */
class Fault extends Error {
  readonly input: string;
  constructor(what: string, input: string) {
    super(what);
    this.input = input;
  }
}

async function exchangesOf(path: string, max: number): Promise<Exchange[]> {
  const found: Exchange[] = [];
  for (const file of await listSources([path]))
    for await (const { exchange } of await openSource(file)) {
      if (found.length >= max) return found;
      if (exchange.request.body.length + (exchange.response?.body.length ?? 0) < 200_000) found.push(exchange);
    }
  return found;
}

function write(name: string, bytes: Uint8Array | string): string {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

function held(what: string, { faults, stderr }: Ran, input: string): void {
  if (faults.length > 0) throw new Fault(`${what}: ${faults.join("; ")}\n${stderr.slice(0, 600)}`, input);
}

const run = async (args: readonly string[], input: string): Promise<Ran> => {
  const ran = await start(args).ended;
  held(args.join(" "), ran, input);
  return ran;
};

/** Cassettes of changed exchanges: all are read, judged and converted, and none is lost. */
async function structure(round: string, chance: Chance, exchanges: readonly Exchange[]): Promise<void> {
  const changed = Array.from({ length: exchangesEach }, () => spoilExchange(chance.pick(exchanges), chance));
  const file = write(`${round}.jsonl`, cassetteOf(changed));
  const { stdout } = await run(["check", file, "--format", "json"], file);
  const { summary } = JSON.parse(stdout) as { summary: { exchanges: number } };
  if (summary.exchanges !== exchangesEach)
    throw new Fault(`check saw ${summary.exchanges} of ${exchangesEach} exchanges`, file);
  await run(["check", file, "--format", chance.pick(["text", "ndjson"])], file);
  const converted = await run(["convert", file, "--to", chance.pick(["json", "har", "jsonl"])], file);
  await run(["check", write(`${round}-converted.json`, converted.stdout)], file);
  const original = write(`${round}-original.jsonl`, cassetteOf(exchanges.slice(0, exchangesEach)));
  await run(["diff", original, file, "--format", chance.pick(["text", "json", "markdown", "html"])], file);
  const same = await run(["diff", file, file, "--format", "json"], file);
  const changes = (JSON.parse(same.stdout) as { changes: unknown[] }).changes.length;
  if (changes > 0) throw new Fault(`diff saw ${changes} changes between a recording and itself`, file);
  const results = write(`${round}-results.json`, spoilJson(stdout, chance));
  await run(["report", results, "--format", chance.pick(["text", "json", "junit", "markdown", "html"])], results);
  const { url, stop } = start(["play", file, "--pace", "instant"]);
  const base = await url;
  if (base !== undefined) {
    const asked = Array.from({ length: requestsEach }, () => {
      const { request } = chance.pick(changed);
      const target = /^\/[!-~]*$/.test(request.target) ? request.target : "/v1/messages";
      const bytes = requestBytes({ request: { ...request, headers: [] }, response: null }, target);
      return chance.once(3) ? spoilBytes(bytes, chance) : bytes;
    });
    for (const bytes of asked) await sent(base, bytes);
  }
  held("play", await stop(), file);
}

/** Files changed byte by byte: read or refused. */
async function bytes(round: string, chance: Chance, files: readonly string[]): Promise<void> {
  const original = chance.pick(files);
  const file = write(`${round}-${basename(original)}`, spoilBytes(readFileSync(original), chance));
  await run(["check", file], file);
  await run(["convert", file, "--to", "jsonl"], file);
  await run(["diff", original, file], file);
  const { url, stop } = start(["play", file]);
  if ((await url) !== undefined) held("play", await stop(), file);
}

/** Sends bytes, and waits until the other side closes. */
async function sent(base: string, bytes: Uint8Array): Promise<void> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined).resume();
  socket.end(bytes);
  // A client that asks for more than it was given is given up.
  socket.setTimeout(20_000, () => socket.destroy());
  await new Promise((resolve) => socket.once("close", resolve));
}

/** A recorder between changed requests and changed answers: what was asked well is kept, whatever came back. */
async function wire(round: string, chance: Chance, exchanges: readonly Exchange[]): Promise<void> {
  const answers: Buffer[] = [];
  const open = new Set<Socket>();
  const upstream = createServer((socket) => {
    open.add(socket.on("error", () => undefined));
    const answer = answers.shift() ?? Buffer.from("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    socket.once("data", () => socket.resume().end(answer));
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const out = join(folder, `${round}-recorded.jsonl`);
  const recorder = start(["record", `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`, "--out", out]);
  const base = await recorder.url;
  const told: string[] = [];
  const wanted: number[] = [];
  if (base !== undefined)
    for (let n = 0; n < requestsEach; n++) {
      const { request, response } = chance.pick(exchanges);
      const answer = response && responseBytes(response);
      answers.length = 0;
      if (answer) answers.push(chance.once(4) ? answer : spoilBytes(answer, chance));
      const good = chance.once(2);
      const asked = requestBytes({ request, response }, `${request.target.split("?", 1)[0]}?n=${n}`);
      const said = good ? asked : spoilBytes(asked, chance);
      if (good) wanted.push(n);
      told.push(`${said.toString("base64")} ${answers[0]?.toString("base64") ?? ""}`);
      await sent(base, said);
    }
  const input = write(`${round}-wire.txt`, told.join("\n"));
  const ran = await recorder.stop();
  for (const socket of open) socket.destroy();
  upstream.close();
  held("record", ran, input);
  const lines = readFileSync(out, "utf8");
  const lost = wanted.filter((n) => !lines.includes(`?n=${n}"`));
  if (lost.length > 0)
    throw new Fault(`record lost ${lost.length} of ${wanted.length} exchanges: ${lost.join()}`, input);
  await run(["check", out], input);
}

const files = await listSources([join(home, "recordings")]);
const exchanges = await exchangesOf(join(home, "recordings"), 1000);
if (corpus !== undefined) exchanges.push(...(await exchangesOf(corpus, 2000)));
process.stdout.write(`seed ${seed}, ${rounds} rounds over ${exchanges.length} exchanges\n`);

async function attempt(round: number): Promise<void> {
  const chance = createChance(seed + round);
  const name = `round-${seed + round}`;
  await structure(name, chance, exchanges);
  await bytes(name, chance, files);
  await wire(
    name,
    chance,
    exchanges.filter(({ request }) => request.target.startsWith("/")),
  );
}

let next = 0;
let failed = false;
async function work(): Promise<void> {
  while (!failed && next < rounds) {
    const round = next++;
    try {
      await attempt(round);
    } catch (error) {
      failed = true;
      const input = error instanceof Fault ? error.input : undefined;
      const kept = input && join(tmpdir(), `touchstone-fuzz-${basename(input)}`);
      if (input && kept) copyFileSync(input, kept);
      process.stderr.write(
        `TOUCHSTONE_SEED=${seed + round} npm run fuzz -- 1 shows it again:\n${(error as Error).message}\n${kept ? `The input is kept in ${kept}.\n` : `${(error as Error).stack}\n`}`,
      );
    }
  }
}
await Promise.all([work(), work()]);
rmSync(folder, { recursive: true, force: true });
if (!failed) process.stdout.write(`${rounds} rounds, nothing found\n`);
process.exitCode = failed ? 1 : 0;
