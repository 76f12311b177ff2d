/** The cost of a whole run, beside sending the same requests with undici and reading the answers. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { home } from "../../home.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { serveReference } from "../../reference/serve.ts";
import { planRun } from "../../run/plan-run.ts";
import { prepareRun } from "../../run/run.ts";
import { soon, wavesOf } from "../../run/send/send-schedule.ts";
import type { SentRecord } from "../../verdict/sent-record.ts";
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
  /** The scenario, where it pauses. */
  readonly source?: string;
  /** Milliseconds it pauses before this request. */
  readonly pause?: number;
}

/**
 * Sends requests that a run sent, and reads every answer: what a run cannot do without.
 * @param paused whether scenarios pause that have to, beside all others
 */
async function sendAll(url: string, path: string, paused: boolean): Promise<void> {
  const { request } = await import("undici");
  const requests = JSON.parse(readFileSync(path, "utf8")) as Sendable[];
  const send = async ({ method, target, headers, base64 }: Sendable): Promise<void> => {
    const body = base64 === "" ? null : Buffer.from(base64, "base64");
    const answer = await request(url + target, { method: method as "POST", headers: [...headers], body });
    await answer.body.arrayBuffer();
  };
  const pauses = ({ source }: Sendable): boolean => paused && source !== undefined;
  const queue = requests.filter((one) => !pauses(one)).values();
  const work = async (): Promise<void> => {
    for (const one of queue) await send(one);
  };
  const scenario = async (source: string): Promise<void> => {
    for (const one of requests.filter((each) => each.source === source)) {
      if (one.pause) await setTimeout(one.pause);
      await send(one);
    }
  };
  const scenarios = new Set(requests.filter(pauses).map(({ source }) => source!));
  await Promise.all([...Array.from({ length: atATime }, work), ...[...scenarios].map(scenario)]);
}

export const bench: Bench = async () => [
  {
    title: "Running everything against the reference",
    async open() {
      let first: number | undefined;
      const server = await serveReference(await openCatalogue(), {
        change(_request, reply) {
          first ??= performance.now();
          return reply;
        },
      });
      const planned = await planRun(server.url, { probes: "all" });
      const requests: SentRecord[] = [];
      await prepareRun(planned).execute((one) => requests.push(one));
      const path = join(scratch, "requests.json");
      const pauses = new Map(
        planned.recordings.flatMap((recording) =>
          wavesOf(recording).map(({ exchanges, pause }) => [`${exchanges[0]} ${recording.source}`, pause] as const),
        ),
      );
      const pausing = new Set(
        [...pauses].filter(([, pause]) => pause > 0).map(([place]) => place.slice(place.indexOf(" ") + 1)),
      );
      const sendable = requests.map(
        ({ source, exchange, passed: { request } }): Sendable => ({
          method: request.method,
          target: request.target,
          headers: request.headers.flat(),
          base64: Buffer.from(request.body).toString("base64"),
          ...(pausing.has(source) && { source, pause: Math.min(pauses.get(`${exchange} ${source}`) ?? 0, soon) }),
        }),
      );
      writeFileSync(path, JSON.stringify(sendable));
      let paused: number | undefined;
      const contender = (name: string, ...args: string[]): Contender => ({
        name,
        async run() {
          const started = performance.now();
          first = undefined;
          const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
          const [code] = (await once(child, "close")) as [number];
          const ended = performance.now();
          if (code !== 0 || first === undefined) throw new Error(`${name} ended with ${code}`);
          if (args.at(-1) === "paused") paused = ended - first;
          return [ended - first, first - started, ended - started, (ended - first) / paused!];
        },
      });
      return {
        method: `${requests.length} requests of recordings and probes, ${atATime} at a time, each contender a process of its own, the reference another.`,
        rounds: 5,
        columns: ["ms from the first request on", "ms until then", "ms", "ratio to what pauses as well"],
        contenders: [
          contender("undici: send and read", here, server.url, path),
          contender("undici: the same, with the pauses of scenarios", here, server.url, path, "paused"),
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

if (process.argv[1] === here) await sendAll(process.argv[2]!, process.argv[3]!, process.argv[4] === "paused");
