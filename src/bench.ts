/** `npm run bench`: every `*.bench.ts`, contenders interleaved in one run, medians of several rounds, as ratios. */

import { readdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { home } from "./home.ts";

/** One thing measured; the first contender of a table is what the others are compared with. */
export interface Contender {
  readonly name: string;
  /** Runs once; returns how many milliseconds counted, or nothing to have it timed from outside. */
  readonly run: () => number | void | Promise<number | void>;
  /** What else there is to say of it in the end. */
  readonly note?: () => string;
}

export interface Table {
  readonly title: string;
  /** How it was measured, in a sentence. */
  readonly method: string;
  readonly rounds: number;
  readonly contenders: readonly Contender[];
}

/** A `*.bench.ts` exports this. */
export type Bench = () => Promise<readonly Table[]>;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Milliseconds of every round by contender; a first round warms up and is not counted. */
async function measure({ contenders, rounds }: Table): Promise<number[][]> {
  const times: number[][] = contenders.map(() => []);
  for (let round = 0; round <= rounds; round++)
    for (const [i, { run }] of contenders.entries()) {
      const start = process.hrtime.bigint();
      const counted = await run();
      const passed = Number(process.hrtime.bigint() - start) / 1e6;
      if (round > 0) times[i]!.push(counted ?? passed);
    }
  return times;
}

function rows({ contenders }: Table, times: readonly number[][]): string[] {
  const base = times[0]!;
  return contenders.map(({ name, note }, i) => {
    const ratio = median(times[i]!.map((time, round) => time / base[round]!));
    return `| ${name} | ${median(times[i]!).toFixed(2)} | ${ratio.toFixed(2)} | ${note?.() ?? ""} |`;
  });
}

const wanted = process.argv.slice(2);
const [{ model } = { model: "unknown" }] = cpus();
process.stdout.write(`${cpus().length} cores, ${model.trim()}, Node ${process.version}, ${process.platform}\n`);
const folder = join(home, "dist", "src");
for (const entry of readdirSync(folder, { recursive: true }) as string[]) {
  if (!entry.endsWith(".bench.js") || !wanted.every((word) => entry.includes(word))) continue;
  const { bench } = (await import(pathToFileURL(join(folder, entry)).href)) as { bench: Bench };
  for (const table of await bench()) {
    process.stdout.write(
      `\n${table.title}\n${table.method} Median of ${table.rounds} rounds.\n\n| | ms | ratio | |\n|---|---|---|---|\n`,
    );
    process.stdout.write(`${rows(table, await measure(table)).join("\n")}\n`);
  }
}
