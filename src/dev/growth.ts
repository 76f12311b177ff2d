/**
 * `npm run growth [WORD]`: how the cost of reading, judging and comparing grows with what is sent. Each family is measured in a
 * process of its own at a size and at four times that size. The exponent of its processor time and of its memory is printed,
 * and above 1.3 it fails. Work in the square of the size has 2.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { families as clients } from "./growth-cases.ts";
import { families as documents } from "./growth-documents.ts";
import { families as compared } from "./growth-drift.ts";
import { families as facts } from "./growth-facts.ts";
import { families as judged } from "./growth-judge.ts";
import { families as laws } from "./growth-laws.ts";
import { families as read } from "./growth-read.ts";

const worst = 1.3;
/** The most that is taken off for the cache: work in the square of the size keeps 1.5. */
const maxOfCache = 0.5;
/** Milliseconds the smaller size takes at least, so that what does not grow is no large part of it. */
const minMs = 20;
/** The largest input tried to get there, as a size; sizes are bytes to some hundred bytes. */
const maxSize = 1 << 20;
/** Megabytes below which memory says more about the collector than about the work. */
const minMemory = 150;

const families = [...judged, ...laws, ...read, ...compared, ...documents, ...facts, ...clients];

interface Measured {
  readonly n: number;
  readonly ms: readonly [number, number];
  readonly mb: readonly [number, number];
  /** The time of a hash table that took as long at the smaller size, and at four times that; only if a family is tried again. */
  readonly table?: readonly [number, number];
}

async function once(work: () => unknown): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least of several rounds: what disturbs only adds. */
async function leastOf(rounds: number, work: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rounds; i++) best = Math.min(best, await once(work));
  return best;
}

const fillTable = (n: number) => (): unknown => {
  const table = new Map<string, number>();
  for (let i = 0; i < n; i++) table.set(`name${i}`, i);
  return table;
};

/**
 * The time of a hash table of different names, at a size where it takes `ms`, and at four times that size. Larger than the
 * processor's cache, and where others use the cache as well, even work that is linear by its steps grows faster.
 */
async function measureTable(ms: number): Promise<readonly [number, number]> {
  let n = 65_536;
  for (let took = await leastOf(2, fillTable(n)); took < ms && n < 1 << 21; took = await leastOf(2, fillTable(n)))
    n = Math.ceil(n * Math.max(1.2, Math.min(4, ms / took)));
  return [await leastOf(3, fillTable(n)), await leastOf(3, fillTable(4 * n))];
}

const peak = (): number => process.resourceUsage().maxRSS / 1024;

/** How a family is tried: how many times as large its inputs are as they need to be, and whether beside a hash table. */
interface Try {
  readonly scale: number;
  readonly isBeside: boolean;
}

/** One that looks bad is tried again: a busy machine may be to blame, or a small cache, which a hash table shows as well. */
const triesOf: readonly Try[] = [
  { scale: 1, isBeside: false },
  { scale: 1, isBeside: true },
  { scale: 4, isBeside: true },
];

async function measure(name: string, { scale, isBeside }: Try): Promise<Measured> {
  const { make } = families.find((family) => family.name === name)!;
  const base = peak();
  let n = 2_048;
  let work = make(n);
  // Small sizes also have the engine compile what is measured.
  await leastOf(2, work);
  for (let took = await leastOf(2, work); took < minMs && n < maxSize; took = await leastOf(2, work)) {
    n = Math.min(maxSize, n * Math.max(2, Math.min(16, Math.floor(minMs / took))));
    work = make(n);
  }
  if (scale > 1) {
    n *= scale;
    work = make(n);
  }
  const small = await leastOf(3, work);
  const middle = peak();
  work = make(4 * n);
  const large = await leastOf(2, work);
  const mb = [middle - base, peak() - base] as const;
  return { n, ms: [small, large], mb, ...(isBeside && { table: await measureTable(small) }) };
}

const exponent = ([small, large]: readonly [number, number]): number => Math.log(large / small) / Math.log(4);

interface Line {
  readonly line: string;
  readonly failed: boolean;
}

/**
 * Options of the engine. Its collector runs in one thread, whose time is counted. It has room enough, so that it need not copy
 * again and again what a large input was read into.
 */
const engine = ["--expose-gc", "--single-threaded-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"];

/**
 * Measures a family in a process of its own, at most as often as there are tries. Work in the square of the size looks bad in
 * each of them. The excess of a hash table over four times as long is taken off.
 */
function tell(name: string, at = 0): Line {
  const { stdout, stderr, status, signal } = spawnSync(
    process.execPath,
    [...engine, fileURLToPath(import.meta.url), "--family", name, String(at)],
    { encoding: "utf8", timeout: 120_000 },
  );
  if (status !== 0)
    return {
      line: `| ${name} | did not end: ${signal ?? status}, ${stderr.trim().split("\n").at(-1)} |`,
      failed: true,
    };
  const { n, ms, mb, table } = JSON.parse(stdout) as Measured;
  const ofCache = table ? Math.max(0, Math.min(maxOfCache, exponent(table) - 1)) : 0;
  const time = ms[1] < 2 * minMs ? 0 : exponent(ms) - ofCache;
  const memory = mb[1] < minMemory || mb[0] < minMemory / 16 ? 0 : exponent(mb);
  const failed = time > worst || memory > worst;
  if (failed && at + 1 < triesOf.length) return tell(name, at + 1);
  const cells = [
    n,
    ...ms.map((one) => one.toFixed(0)),
    time.toFixed(2),
    ...mb.map((one) => one.toFixed(0)),
    memory ? memory.toFixed(2) : "",
  ];
  return { line: `| ${name} | ${cells.join(" | ")} |${failed ? " <- grows too fast" : ""}`, failed };
}

const [first, ...rest] = process.argv.slice(2);
if (first === "--family") process.stdout.write(JSON.stringify(await measure(rest[0]!, triesOf[Number(rest[1])]!)));
else {
  process.stdout.write(
    "| family | n | ms at n | at 4n | exponent | MB at n | at 4n | exponent |\n|---|---|---|---|---|---|---|---|\n",
  );
  const failed: string[] = [];
  for (const { name } of families.filter((family) => first === undefined || family.name.includes(first))) {
    const told = tell(name);
    process.stdout.write(`${told.line}\n`);
    if (told.failed) failed.push(name);
  }
  if (failed.length > 0) process.stdout.write(`\n${failed.length} grow faster than ${worst}: ${failed.join("; ")}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
