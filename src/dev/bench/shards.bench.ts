/** The cost of judging recordings in shards side by side and merging them, beside one check of them all. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exchangeLine, headerLine } from "../../cassette/write.ts";
import { home } from "../../home.ts";
import { childrenOf, processorTimeOf } from "../../record/processes.test-kit.ts";
import { wholeReply } from "../../wire/typical.test-kit.ts";
import type { Bench, Contender } from "./table.ts";

const cli = join(home, "dist", "src", "cli.js");
/** Files of a folder, and exchanges in each. */
const [files, each] = [6, 20_000];

/** The time that commands took of all processors, in milliseconds. */
type Took = number;

/** Runs one command into a file. */
async function command(args: readonly string[], out: string): Promise<Took> {
  const child = spawn(process.execPath, [cli, ...args, "--format", "json"], { stdio: ["ignore", "pipe", "ignore"] });
  const times = new Map<number, number>();
  const timer = setInterval(() => {
    for (const pid of [child.pid!, ...childrenOf(child.pid!)])
      try {
        times.set(pid, processorTimeOf(pid));
      } catch {
        // It has ended meanwhile.
      }
  }, 20);
  child.stdout.pipe(createWriteStream(out));
  const [code] = (await once(child, "close")) as [number];
  clearInterval(timer);
  if (code > 1) throw new Error(`touchstone ${args.join(" ")} ended with ${code}`);
  return [...times.values()].reduce((sum, time) => sum + time, 0);
}

export const bench: Bench = async () => [
  {
    title: `Judging ${(files * each).toLocaleString("en")} chat replies of 1.4 KB in ${files} files, in shards`,
    async open() {
      const folder = mkdtempSync(join(tmpdir(), "touchstone-bench-"));
      const recordings = join(folder, "recordings");
      mkdirSync(recordings);
      const some = `${exchangeLine(wholeReply())}\n`.repeat(1000);
      for (let i = 0; i < files; i++) {
        const file = join(recordings, `${i}.jsonl`);
        writeFileSync(file, `${headerLine({ title: "chat replies" })}\n`);
        for (let written = 0; written < each; written += 1000) appendFileSync(file, some);
      }
      const part = (i: number): string => join(folder, `part-${i}.json`);
      const perMillion = (took: Took): number => (took / (files * each)) * 1000;
      const whole = (jobs: number): Contender => ({
        name: `one check, --jobs ${jobs}`,
        async run() {
          const start = performance.now();
          const took = await command(["check", recordings, "--jobs", String(jobs)], part(0));
          return [performance.now() - start, 0, perMillion(took)];
        },
      });
      const shards = (of: number): Contender => ({
        name: `${of} shards side by side, one job each, and touchstone report`,
        async run() {
          const start = performance.now();
          const indices = Array.from({ length: of }, (_, i) => i + 1);
          const parts = await Promise.all(
            indices.map((i) => command(["check", recordings, "--jobs", "1", "--shard", `${i}/${of}`], part(i))),
          );
          const judged = performance.now();
          const merging = await command(["report", ...indices.map(part)], part(0));
          const took = [...parts, merging].reduce((sum, one) => sum + one, 0);
          return [performance.now() - start, performance.now() - judged, perMillion(took)];
        },
      });
      return {
        method: "Starts included.",
        rounds: 3,
        columns: ["ms", "of it merging, ms", "s of processors a million exchanges"],
        contenders: [whole(1), whole(2), shards(2), shards(4)],
        close: async () => rmSync(folder, { recursive: true }),
      };
    },
  },
];
