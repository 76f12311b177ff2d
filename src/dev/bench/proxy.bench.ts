/** The cost of sending traffic through `touchstone record`, beside going direct and through other proxies. */
import { setTimeout as after } from "node:timers/promises";
import { memoryOf, processorTimeOf } from "../../record/processes.test-kit.ts";
import { others, type Started, startLoad, startRecord } from "./contenders.ts";
import { answers, type Load } from "./replies.ts";
import { type Bench, type Contender, quantile, type Table } from "./table.ts";

type Opened = Omit<Table, "title">;

const connections = 32;
/** Milliseconds of a round, and of what goes before it: a process does slowly what it does for the first time. */
const round = Number(process.env["TOUCHSTONE_BENCH_SECONDS"] ?? 10) * 1_000;
const warming = 2_000;

/** Starts upstream, clients and those that stand between them. */
async function everyone(names: readonly string[]) {
  const rig = await startLoad();
  const started: [name: string, one: Started][] = [];
  for (const { name, there, start } of others)
    if (names.includes(name) && there()) started.push([name, await start(rig.port)]);
  return {
    rig,
    started,
    missing: others.filter(({ name, there }) => names.includes(name) && !there()).map(({ name }) => name),
    async close() {
      for (const [, one] of started) await one.stop();
      await rig.stop();
    },
  };
}

type Rig = Awaited<ReturnType<typeof startLoad>>;
type Busy = Exclude<Load, "huge">;

/** Requests that `port` brings through in a round. */
async function requestsOf(rig: Rig, load: Busy, port: number, milliseconds = round): Promise<number> {
  const report = await rig.ask({ load, port, connections, milliseconds });
  if (!("requests" in report)) throw new Error("that was no report of requests");
  return report.requests;
}

/** Reads what an open page is told, until it leaves. */
async function lookAt(page: string): Promise<() => void> {
  const leaving = new AbortController();
  const { body } = await fetch(page.replace("/?", "/events?"), { signal: leaving.signal });
  const read = async (): Promise<void> => {
    for (const reader = body!.getReader(); ; ) if ((await reader.read()).done) return;
  };
  read().catch(() => {});
  return () => leaving.abort();
}

/** A recorder of its own for each round, since judging is still behind when the round ends. */
async function recorded(rig: Rig, load: Busy, options: readonly string[] = [], looks = false): Promise<number[]> {
  const recorder = await startRecord(rig.port, ["--quiet", ...options]);
  const leave = looks ? await lookAt(await recorder.page()) : () => {};
  await requestsOf(rig, load, recorder.port, Math.min(warming, round));
  const pids = recorder.pids();
  const before = pids.map(processorTimeOf);
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(
      peak,
      pids.reduce((sum, pid) => sum + memoryOf(pid).now, 0),
    );
  }, 100);
  const count = await requestsOf(rig, load, recorder.port);
  const spent = pids.map((pid, i) => ((processorTimeOf(pid) - before[i]!) * 1000) / count);
  clearInterval(timer);
  leave();
  await recorder.stop();
  return [(count / round) * 1000, ...spent, peak];
}

async function throughput(load: Busy): Promise<Opened> {
  const { rig, started, missing, close } = await everyone(others.map(({ name }) => name));
  const contender = (name: string, port: number, pid?: number): Contender => ({
    name,
    async run() {
      const before = pid === undefined ? Number.NaN : processorTimeOf(pid);
      const count = await requestsOf(rig, load, port);
      const spent = pid === undefined ? Number.NaN : ((processorTimeOf(pid) - before) * 1000) / count;
      return [(count / round) * 1000, spent];
    },
  });
  const contenders = [
    contender("direct", rig.port),
    ...started.map(([name, { port, pid }]) => contender(name, port, pid)),
  ];
  const at = contenders.findIndex(({ name }) => name === "bare http-proxy") + 1;
  contenders.splice(at, 0, { name: "touchstone record", run: () => recorded(rig, load) });
  const bytes = answers[load].reduce((sum, { length }) => sum + length, 0);
  return {
    method: `${connections} connections that never pause, ${round / 1000} s a round, answers of ${bytes} bytes with their heads. The recorder keeps all of it meanwhile, and judges behind.`,
    rounds: 3,
    columns: ["requests/s", "processor µs a request", "of its keeper", "of its judge", "MiB of all three at most"],
    base: "bare http-proxy",
    contenders,
    missing,
    close,
  };
}

/** The cost of the page of `--ui`, while nobody looks and while somebody does. */
async function watched(load: Busy): Promise<Opened> {
  const rig = await startLoad();
  const bytes = answers[load].reduce((sum, { length }) => sum + length, 0);
  return {
    method: `${connections} connections that never pause, ${round / 1000} s a round, answers of ${bytes} bytes with their heads.`,
    rounds: 5,
    columns: ["requests/s", "processor µs a request", "of its keeper", "of its judge", "MiB of all three at most"],
    base: "touchstone record",
    contenders: [
      { name: "touchstone record", run: () => recorded(rig, load) },
      { name: "record --ui, nobody looks", run: () => recorded(rig, load, ["--ui"]) },
      { name: "record --ui, a page is open", run: () => recorded(rig, load, ["--ui"], true) },
    ],
    close: rig.stop,
  };
}

/** Streams before the paced ones. */
const before = 500;

async function paced(): Promise<Opened> {
  const { rig, started: proxies, close } = await everyone(["bare http-proxy"]);
  const recorder = await startRecord(rig.port);
  const started = [["direct", { port: rig.port }], ...proxies, ["touchstone record", recorder]] as const;
  const gap = 5;
  let direct = [0, 0, 0];
  for (const [, { port }] of started) await rig.ask({ load: "stream", port, connections: 4, count: before });
  // The recorder's remaining judging must not overlap with the measurement.
  await after(2_000);
  return {
    method: `20 streams of 100 events that come ${gap} ms apart, 4 at a time, behind ${before} fast ones to warm up; added to what direct takes, in ms.`,
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
    async close() {
      await recorder.stop();
      await close();
    },
  };
}

export const bench: Bench = async () => [
  { title: "Passing chat replies of 1.5 KB", open: () => throughput("short") },
  { title: "Passing chat replies of 60 KB with log probabilities", open: () => throughput("long") },
  { title: "Passing streams of 200 events, one write an event", open: () => throughput("events") },
  { title: "Passing streams of 200 events, each in one write", open: () => throughput("stream") },
  { title: "Passing paced streams", open: paced },
  { title: "Watching chat replies of 1.5 KB", open: () => watched("short") },
  { title: "Watching streams of 200 events", open: () => watched("events") },
];
