/** `npm run bench`: every `*.bench.ts`, contenders interleaved in one run, medians of several rounds, as ratios. */

import { readdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { home } from "../../home.ts";
import { type Bench, measure, rows } from "./table.ts";

/** What takes minutes runs only when a word of the command line is its name. */
const slow = ["memory"];

const wanted = process.argv.slice(2);
const [{ model } = { model: "unknown" }] = cpus();
process.stdout.write(`${cpus().length} cores, ${model.trim()}, Node ${process.version}, ${process.platform}\n`);
const folder = join(home, "dist", "src");
for (const entry of readdirSync(folder, { recursive: true }) as string[]) {
  const [, name] = /(\w+)\.bench\.js$/.exec(entry) ?? [];
  if (!name || (slow.includes(name) && !wanted.includes(name))) continue;
  const { bench } = (await import(pathToFileURL(join(folder, entry)).href)) as { bench: Bench };
  for (const one of await bench()) {
    // Words choose by file, or by what a table is called.
    if (!wanted.every((word) => `${entry} ${one.title}`.includes(word))) continue;
    const table = "open" in one ? await one.open() : one;
    const { columns = ["ms"], base, method, rounds, close } = table;
    const noted = table.contenders.some(({ note }) => note);
    const headings = ["", ...columns, ...(base === null ? [] : ["ratio"]), ...(noted ? [""] : [])];
    process.stdout.write(`\n${one.title}\n${method}${rounds > 0 ? ` Median of ${rounds} rounds.` : ""}\n\n`);
    process.stdout.write(`| ${headings.join(" | ")} |\n|${"---|".repeat(headings.length)}\n`);
    process.stdout.write(`${rows(table, columns, await measure(table)).join("\n")}\n`);
    await close?.();
  }
}
