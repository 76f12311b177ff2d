/** Whether `touchstone record` stays as large as it is, over many exchanges and over a very long stream. */

import { memoryOf } from "../../record/processes.test-kit.ts";
import { type Recorder, type Started, startLoad, startRecord } from "./contenders.ts";
import type { Load } from "./replies.ts";
import type { Bench, Table } from "./table.ts";

const connections = 16;
const exchanges = 100_000;
/** Milliseconds after which the end is measured. */
const rest = 2_000;

/** Resident memory in MiB: after some traffic, and how far it grew by the end of all of it, with the highest there was. */
async function over(rig: Awaited<ReturnType<typeof startLoad>>, recorder: Recorder, load: Load, count: number) {
  const done = async (lines: number): Promise<void> => {
    while ((await recorder.lines()) < lines) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  const { port } = recorder;
  const warm = 3_000;
  await rig.ask({ load: "short", port, connections, count: warm });
  await done(1 + warm);
  const pids = recorder.pids();
  const before = pids.map(memoryOf);
  let peaks = before.map(({ now }) => now);
  const timer = setInterval(() => {
    peaks = peaks.map((value, i) => Math.max(value, memoryOf(pids[i]!).now));
  }, 100);
  await rig.ask({ load, port, connections: load === "huge" ? 1 : connections, count });
  await done(1 + warm + count);
  await new Promise((resolve) => setTimeout(resolve, rest));
  clearInterval(timer);
  const after = pids.map(memoryOf);
  return pids.map((_, i) => [before[i]!.now, after[i]!.now - before[i]!.now, peaks[i]! - before[i]!.now]);
}

async function grown(load: Load, count: number): Promise<Omit<Table, "title">> {
  const rig = await startLoad();
  let started: Started | undefined;
  let figures: number[][] = [];
  return {
    method: "MiB of resident memory, after 3000 exchanges, and two seconds after the last of the others.",
    rounds: 0,
    columns: ["before", "growth", "growth at the peak"],
    base: null,
    contenders: [
      {
        name: "recorder",
        async run() {
          const recorder = await startRecord(rig.port, ["--quiet"]);
          started = recorder;
          figures = await over(rig, recorder, load, count);
          return figures[0]!;
        },
      },
      { name: "its keeper", run: () => figures[1]! },
      { name: "its judge", run: () => figures[2]! },
    ],
    async close() {
      await started?.stop();
      await rig.stop();
    },
  };
}

export const bench: Bench = async () => [
  { title: `Memory over ${exchanges} exchanges`, open: () => grown("short", exchanges) },
  { title: "Memory over a stream of 1 GiB", open: () => grown("huge", 1) },
];
