/**
 * `npm run bench`: every `*.bench.ts`, contenders interleaved in one run, medians of several rounds, as ratios.
 * `--write` puts each table into `BENCHMARKS.md`; other words choose tables by file and title.
 */

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { home } from "../../home.ts";
import { measuredLine, withTable } from "./benchmarks-page.ts";
import { type Bench, measure, render } from "./table.ts";

/** These take minutes. They run only if a word of the command line is their name, or if all tables are written. */
const slow = ["memory"];

const writes = process.argv.includes("--write");
const wanted = process.argv.slice(2).filter((word) => word !== "--write");
const runs = (name: string): boolean =>
  !slow.includes(name) || wanted.includes(name) || (writes && wanted.length === 0);

const [{ model } = { model: "unknown" }] = cpus();
const machine = `${cpus().length} cores, ${model.trim()}, Node ${process.version}, ${process.platform}`;
const page = join(home, "BENCHMARKS.md");

/** The commit that is measured; with a mark where files differ from it. */
function commitOf(): string {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty=-changed", "--exclude=*"], {
      cwd: home,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "no commit";
  }
}
// Before the first table is written, which changes the page.
const commit = commitOf();

/** Written at once: a run takes long, and may be cut off. */
function write(bench: string, title: string, table: string): void {
  const day = new Date().toISOString().slice(0, 10);
  const text = withTable(
    readFileSync(page, "utf8"),
    { bench, title },
    `\n${table}\n\n${measuredLine(day, commit, machine)}\n`,
  );
  if (text !== undefined) writeFileSync(page, text);
  else
    complain(
      `BENCHMARKS.md has no place for this table: add the markers <!-- bench ${bench}: ${title} --> and <!-- end of table -->.`,
    );
}

function complain(what: string): void {
  process.stderr.write(`${what}\n`);
  process.exitCode = 1;
}

process.stdout.write(`${machine}\n`);
const folder = join(home, "dist", "src");
for (const entry of readdirSync(folder, { recursive: true }) as string[]) {
  const [, name] = /(\w+)\.bench\.js$/.exec(entry) ?? [];
  if (!name || !runs(name)) continue;
  const { bench } = (await import(pathToFileURL(join(folder, entry)).href)) as { bench: Bench };
  for (const one of await bench()) {
    if (!wanted.every((word) => `${entry} ${one.title}`.includes(word))) continue;
    try {
      const table = "open" in one ? await one.open() : one;
      const text = render(one.title, table, await measure(table));
      process.stdout.write(`\n${text}\n`);
      if (writes) write(name, one.title, text);
      await table.close?.();
    } catch (error) {
      // The other tables can be measured all the same.
      complain(`${one.title}: ${(error as Error).message}`);
    }
  }
}
