/** What a whole run costs, beside sending the same requests with undici and reading the answers. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { home } from "../../home.ts";
import { loadCatalogue } from "../../interfaces/catalogue.ts";
import { serveReference } from "../../reference/serve.ts";
import { planRun, prepareRun } from "../../run/run.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { scratch } from "./contenders.ts";
import type { Bench, Contender } from "./table.ts";

const here = fileURLToPath(import.meta.url);

/** Requests under way at a time, in both. */
const atATime = 4;

interface Sendable {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly base64: string;
}

/** Sends requests that a run sent, and reads every answer: what a run cannot do without. */
async function sendAll(url: string, path: string): Promise<void> {
  const { request } = await import("undici");
  const requests = JSON.parse(readFileSync(path, "utf8")) as Sendable[];
  const queue = requests.values();
  const work = async (): Promise<void> => {
    for (const { method, target, headers, base64 } of queue) {
      const body = base64 === "" ? null : Buffer.from(base64, "base64");
      const answer = await request(url + target, { method: method as "POST", headers: [...headers], body });
      await answer.body.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
}

export const bench: Bench = async () => [
  {
    title: "Running everything against the reference",
    async open() {
      let first: number | undefined;
      const server = await serveReference(await loadCatalogue(), {
        change(_request, reply) {
          first ??= performance.now();
          return reply;
        },
      });
      const planned = await planRun(server.url, { probes: "all" });
      const requests: WireRequest[] = [];
      await prepareRun(planned).ask(({ passed }) => requests.push(passed.request));
      const path = join(scratch, "requests.json");
      const sendable = requests.map(
        ({ method, target, headers, body }): Sendable => ({
          method,
          target,
          headers: headers.flat(),
          base64: Buffer.from(body).toString("base64"),
        }),
      );
      writeFileSync(path, JSON.stringify(sendable));
      const contender = (name: string, ...args: string[]): Contender => ({
        name,
        async run() {
          const started = performance.now();
          first = undefined;
          const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
          const [code] = (await once(child, "close")) as [number];
          const ended = performance.now();
          if (code !== 0 || first === undefined) throw new Error(`${name} ended with ${code}`);
          return [ended - first, first - started, ended - started];
        },
      });
      return {
        method: `${requests.length} requests of recordings and probes, ${atATime} at a time, each contender a process of its own, the reference another.`,
        rounds: 5,
        columns: ["ms from the first request on", "ms until then", "ms"],
        contenders: [
          contender("undici: send and read", here, server.url, path),
          contender(
            "touchstone run --probes all",
            ...[join(home, "dist", "src", "cli.js"), "run", server.url, "--probes", "all", "--format", "json"],
          ),
        ],
        close: () => server.close(),
      };
    },
  },
];

if (process.argv[1] === here) await sendAll(process.argv[2]!, process.argv[3]!);
