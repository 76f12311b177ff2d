/** The cost of `check` over a large cassette, beside a plain loop that reads, parses and validates with ajv compiled at run time. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { readCassette } from "../../cassette/read.ts";
import { exchangeLine, headerLine } from "../../cassette/write.ts";
import { readSchemas } from "../../check/schema-files.ts";
import { home } from "../../home.ts";
import { interfaces } from "../../interfaces/index.ts";
import { childrenOf, memoryOf, processorTimeOf } from "../../record/processes.test-kit.ts";
import { streamedReply, wholeReply } from "../../wire/typical.test-kit.ts";
import type { Bench, Contender } from "./table.ts";

const here = fileURLToPath(import.meta.url);

/** Megabytes of the cassette. */
const megabytes = Number(process.env["TOUCHSTONE_BENCH_MB"] ?? 200);

/** Every exchange of the recorded sessions once, and between them what vendors send all day. */
async function* mixture(): AsyncGenerator<string> {
  const whole = exchangeLine(wholeReply());
  const streamed = exchangeLine(streamedReply());
  for (const entry of readdirSync(join(home, "recordings"), { recursive: true, encoding: "utf8" })) {
    if (!entry.endsWith(".json")) continue;
    const { exchanges } = await readCassette(join(home, "recordings", entry));
    for (const { exchange } of exchanges) yield exchangeLine(exchange);
    yield whole;
    yield streamed;
  }
}

async function writeLarge(path: string): Promise<void> {
  const lines: string[] = [];
  for await (const line of mixture()) lines.push(line);
  const block = `${lines.join("\n")}\n`;
  const out = createWriteStream(path);
  out.write(`${headerLine({ title: "a large cassette" })}\n`);
  for (let size = 0; size < megabytes * 1e6; size += Buffer.byteLength(block)) out.write(block);
  out.end();
  await finished(out);
}

/** Milliseconds between looks at the memory of a command's processes. */
const look = 20;

/** A command by its arguments: how long it takes, what its processes take together of all processors, and their memory at most. */
function contender(name: string, args: readonly string[], exits: readonly number[]): Contender {
  let peak = 0;
  return {
    name,
    async run() {
      const started = performance.now();
      const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
      // Hints would stand between the rows of the table; what it said is of use where it failed.
      let said = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
      const times = new Map<number, number>();
      const timer = setInterval(() => {
        let now = 0;
        for (const pid of [child.pid!, ...childrenOf(child.pid!)])
          try {
            // A process that waits for its parent to hear of its end has none.
            now += memoryOf(pid).now || 0;
            times.set(pid, processorTimeOf(pid));
          } catch {
            // It has ended meanwhile.
          }
        peak = Math.max(peak, now);
      }, look);
      const [code] = (await once(child, "close")) as [number];
      const ended = performance.now();
      clearInterval(timer);
      if (!exits.includes(code)) throw new Error(`${name} ended with ${code}\n${said}`);
      const spent = [...times.values()].reduce((sum, time) => sum + time, 0);
      return [ended - started, spent];
    },
    note: () => `${peak.toFixed(0)} MiB at most`,
  };
}

/** Exchanges that are all alike, and how many. */
const alike = [
  { name: "30,000 chat replies of 1.4 KB", count: 30_000, exchange: wholeReply },
  { name: "120,000 chat replies of 1.4 KB", count: 120_000, exchange: wholeReply },
  { name: "1,500 streams of 200 events", count: 1_500, exchange: streamedReply },
] as const;

const cli = join(home, "dist", "src", "cli.js");
const folder = mkdtempSync(join(tmpdir(), "touchstone-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const plainLoopOver = (file: string): Contender =>
  contender("a loop: read, parse, validate with ajv compiled at run time", [here, file], [0]);

const check = (jobs: number, file: string): Contender =>
  contender(
    `touchstone check --jobs ${jobs}`,
    [cli, "check", file, "--format", "json", "--jobs", String(jobs)],
    [0, 1],
  );

const columns = ["ms", "ms of all processors"];

const megabytesOf = (file: string): number => Math.round(statSync(file).size / 1e6);

export const bench: Bench = async () => [
  {
    title: "Judging a cassette of everything",
    async open() {
      const file = join(folder, "large.jsonl");
      await writeLarge(file);
      return {
        method: `Every exchange of the recorded sessions, with whole and streamed chat replies between them: ${megabytesOf(file)} MB. Each is a process of its own, its start included; TOUCHSTONE_BENCH_MB sets the size.`,
        rounds: 3,
        columns,
        contenders: [
          plainLoopOver(file),
          contender("of it: read and parse", [here, file, "unjudged"], [0]),
          check(1, file),
          check(2, file),
        ],
        close: async () => rmSync(file),
      };
    },
  },
  ...alike.map(({ name, count, exchange }) => ({
    title: `Judging ${name}`,
    async open() {
      const file = join(folder, "alike.jsonl");
      writeFileSync(file, `${headerLine({ title: name })}\n`);
      const some = `${exchangeLine(exchange())}\n`.repeat(count / 10);
      for (let written = 0; written < 10; written++) appendFileSync(file, some);
      return {
        method: `A cassette of ${megabytesOf(file)} MB; the start of all processes included.`,
        rounds: 3,
        columns,
        contenders: [plainLoopOver(file), check(1, file), check(2, file)],
        close: async () => rmSync(file),
      };
    },
  })),
];

/** The plain loop: no rules, no coverage, no sentence; bodies against their schemas and nothing else. */
async function plainLoop(path: string, judges: boolean): Promise<void> {
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const { default: addFormats } = await import("ajv-formats");
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: unknown) => void)(ajv);
  for (const { path: id, content } of readSchemas())
    if (id.endsWith(".schema.json") && !id.startsWith("formats/"))
      ajv.addSchema({ ...(content as object), $id: `/${id}` });
  let invalid = 0;
  const validate = (schema: string | undefined, value: unknown): void => {
    if (judges && schema && !ajv.getSchema(schema)!(value)) invalid++;
  };
  const bodyText = (body: { json?: unknown; text?: string; chunks?: [number, string][] }): string =>
    body.text ?? (body.chunks ?? []).map(([, text]) => text).join("");
  const jsonIn = (body: { json?: unknown; text?: string }): unknown => {
    try {
      return body.json ?? JSON.parse(bodyText(body));
    } catch {
      return undefined;
    }
  };
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { request, response } = JSON.parse(line);
    // The first line is the header of the cassette.
    if (!request) continue;
    const route = request.target.split("?")[0];
    const operation = interfaces.flatMap(({ operations }) => operations).find(({ at }) => at(route) >= 0);
    if (!operation) continue;
    const { schemas } = operation;
    if (request.body) validate(schemas.request, jsonIn(request.body));
    if (!response?.body) continue;
    if (bodyText(response.body).startsWith("data:") || bodyText(response.body).startsWith("event:")) {
      for (const event of bodyText(response.body).split("\n\n")) {
        const data = /^data: (\{.*)$/m.exec(event)?.[1];
        if (data === undefined) continue;
        const value = JSON.parse(data);
        validate(typeof schemas.event === "function" ? schemas.event(value, undefined) : schemas.event, value);
      }
    } else {
      const value = jsonIn(response.body);
      if (value === undefined) continue;
      const ofSuccess =
        typeof schemas.response === "function" ? schemas.response(value, response.status) : schemas.response;
      validate(
        response.status < 400
          ? ofSuccess
          : typeof schemas.error === "function"
            ? schemas.error(response.status)
            : schemas.error,
        value,
      );
    }
  }
  process.stdout.write(`${invalid} invalid\n`);
}

if (process.argv[1] === here) await plainLoop(process.argv[2]!, process.argv[3] === undefined);
