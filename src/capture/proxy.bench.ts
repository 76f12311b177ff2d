/** What it costs to send traffic through `touchstone record`, beside going direct and through other proxies. */
import { setTimeout as after } from "node:timers/promises";
import { type Bench, type Contender, quantile, type Table } from "../table.bench-kit.ts";
import { others, type Started, startLoad, startRecord } from "./contenders.bench-kit.ts";
import { processorTimeOf } from "./processes.bench-kit.ts";
import { answers, type Load } from "./replies.bench-kit.ts";

type Opened = Omit<Table, "title">;

const connections = 32;
/** Requests of a round; those who take milliseconds for each get fewer. */
const requests = { short: 3_000, long: 400, stream: 400 } as const;
const slow: ReadonlySet<string> = new Set(["Prism proxy", "talkback", "aimock recording"]);
const slower = 20;

/** Starts upstream, clients and contenders; ours stands behind http-proxy. */
async function everyone(names: readonly string[]) {
  const rig = await startLoad();
  const recorder = await startRecord(rig.port);
  const started: [name: string, one: Started][] = [];
  for (const { name, there, start } of others)
    if (names.includes(name) && there()) started.push([name, await start(rig.port)]);
  started.splice(started.findIndex(([name]) => name === "bare http-proxy") + 1, 0, ["touchstone record", recorder]);
  return {
    rig,
    recorder,
    started: [["direct", { port: rig.port, pid: undefined }], ...started] as const,
    missing: others.filter(({ name, there }) => names.includes(name) && !there()).map(({ name }) => name),
    async close() {
      for (const [, one] of started) await one.stop();
      await rig.stop();
    },
  };
}

async function throughput(load: Exclude<Load, "huge">): Promise<Opened> {
  const { rig, recorder, started, missing, close } = await everyone(others.map(({ name }) => name));
  let lines = 1;
  const contender = ([name, { port, pid }]: readonly [string, Pick<Started, "port" | "pid">]): Contender => ({
    name,
    async run() {
      const pids = pid === recorder.pid ? recorder.pids : pid === undefined ? [] : [pid];
      const before = pids.map(processorTimeOf);
      const count = Math.ceil(requests[load] / (slow.has(name) ? slower : 1));
      const report = await rig.ask({ load, port, connections, count });
      if (!("requests" in report)) throw new Error("that was no report of requests");
      const rate = (count / report.milliseconds) * 1000;
      if (pid !== recorder.pid) return [rate, spentBy(pids, before, count)[0] ?? Number.NaN];
      const start = performance.now();
      lines += count;
      while ((await recorder.lines()) < lines) await after(5);
      const late = performance.now() - start;
      return [rate, ...spentBy(pids, before, count), late, (count / (report.milliseconds + late)) * 1000];
    },
  });
  return {
    method: `${requests[load]} requests (a twentieth of it to the slow) over ${connections} connections kept alive, answers of ${answers[load].length} bytes with their heads. A recorder's own time ends with the last answer; then it judges and writes what it still holds.`,
    rounds: 5,
    columns: [
      "requests/s",
      "processor µs a request",
      "of its keeper",
      "ms until all is judged and written",
      "requests/s with that",
    ],
    base: "bare http-proxy",
    contenders: started.map(contender),
    missing,
    close,
  };
}

/** Microseconds of processor time a request. */
const spentBy = (pids: readonly number[], before: readonly number[], count: number): number[] =>
  pids.map((pid, i) => ((processorTimeOf(pid) - before[i]!) * 1000) / count);

/** Streams before the paced ones: what a process does for the first time takes several times as long. */
const warming = 500;

async function paced(): Promise<Opened> {
  const { rig, started, close } = await everyone(["bare http-proxy"]);
  const gap = 5;
  let direct = [0, 0, 0];
  for (const [, { port }] of started) await rig.ask({ load: "stream", port, connections: 4, count: warming });
  // What a recorder still judges of it is not to meet what is measured.
  await after(2_000);
  return {
    method: `20 streams of 100 events that come ${gap} ms apart, 4 at a time, behind ${warming} fast ones to warm up; added to what direct takes, in ms.`,
    rounds: 5,
    columns: ["first byte, median", "event, median", "event, p99"],
    base: null,
    contenders: started.map(([name, { port }]) => ({
      name,
      async run() {
        const report = await rig.ask({ paced: 20, port, connections: 4, gap });
        if (!("firsts" in report)) throw new Error("that was no report of a paced stream");
        const values = [quantile(report.firsts), quantile(report.events), quantile(report.events, 0.99)];
        if (port === rig.port) direct = values;
        return port === rig.port ? [0, 0, 0] : values.map((value, i) => value - direct[i]!);
      },
    })),
    close,
  };
}

export const bench: Bench = async () => [
  { title: "Passing chat replies of 1.5 KB", open: () => throughput("short") },
  { title: "Passing chat replies of 60 KB with log probabilities", open: () => throughput("long") },
  { title: "Passing streams of 200 events, sent as fast as possible", open: () => throughput("stream") },
  { title: "Passing paced streams", open: paced },
];
