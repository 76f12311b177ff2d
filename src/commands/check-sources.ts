/** Runs `check`: plans tasks, prints as outcomes come in, and sums up. */
import { stat } from "node:fs/promises";
import { stretchesOf } from "../cassette/range.ts";
import { openSource } from "../cassette/read.ts";
import { listSources } from "../cassette/sources.ts";
import type { Finding } from "../check/clause.ts";
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { type ExchangeLine, exchangeText, operationsText } from "../report/exchanges.ts";
import { formatJson } from "../report/json.ts";
import { differencesOf, withDifferences } from "../verdict/divergence.ts";
import { exitCodeOf } from "../verdict/outcome.ts";
import { createTally } from "../verdict/tally.ts";
import type { CheckArgs } from "./check.ts";
import { judgeInWorkers } from "./check-pool.ts";
import { type Judged, judgeTask, type Task } from "./check-work.ts";
import { judgingFrom } from "./options.ts";
import { createPrinter } from "./printer.ts";

/** Bytes of a `.jsonl` that one task judges. */
const stretchLength = 8 << 20;
/** Below this a second thread costs more than it saves. */
const worthWorkers = 4 << 20;

async function planTasks(paths: readonly string[]): Promise<{ tasks: Task[]; bytes: number }> {
  const tasks: Task[] = [];
  let bytes = 0;
  for (const path of paths) {
    const stretches = path === "-" ? undefined : await stretchesOf(path, stretchLength);
    if (stretches) {
      const { bindings = {} } = (await openSource(path)).header;
      for (const stretch of stretches) tasks.push({ path, stretch, bindings });
    } else tasks.push({ path });
    bytes += path === "-" ? 0 : (await stat(path)).size;
  }
  return { tasks, bytes };
}

/** Judges and prints; returns the exit code. */
export async function check(args: CheckArgs): Promise<number> {
  const { side, level, format, quiet } = args;
  const catalogue = await loadCatalogue();
  const judging = judgingFrom(args);
  const differences = differencesOf(judging.diverges);
  const { tasks, bytes } = await planTasks(await listSources(args.files));
  const bench = { catalogue, ...judging, side, failsAt: level };
  const inWorkers = args.jobs > 1 && tasks.length > 1 && bytes >= worthWorkers && !args.files.includes("-");
  const { preset, bind, reading } = args;
  const outcomes = inWorkers
    ? judgeInWorkers(tasks, args.jobs, { args: { preset, bind, reading }, side, failsAt: level })
    : inTurn(tasks, (task) => judgeTask(task, bench));

  const tally = createTally(catalogue.clauses, level, false);
  const kept: Finding[] = [];
  const operations = new Map<string, { exchanges: number; known: boolean }>();
  const printer = createPrinter();
  let source = "";
  let position = 0;
  let turn = 0;
  for await (const { lines, share, notes } of outcomes) {
    const { path } = tasks[turn++]!;
    if (path !== source) {
      source = path;
      position = 0;
      if (format === "text") await printer.write(`${path}\n`);
    }
    tally.absorb(share);
    for (const line of lines) {
      const findings = line.findings.map((finding) => ({ ...finding, exchange: position }));
      const counted = operations.get(line.operation) ?? { exchanges: 0, known: line.known };
      counted.exchanges++;
      operations.set(line.operation, counted);
      if (format === "json") kept.push(...findings);
      else if (format === "ndjson")
        for (const finding of findings) await printer.write(`${JSON.stringify({ finding })}\n`);
      else if (!quiet || findings.some((finding) => finding.level !== "note"))
        await printer.write(
          exchangeText({ ...line, findings, exchange: position } satisfies ExchangeLine, differences, printer.color),
        );
      position++;
    }
    for (const note of notes) process.stderr.write(`${note}\n`);
    printer.progress(`judged ${turn} of ${tasks.length} parts, ${tally.share().exchanges} exchanges`);
  }
  printer.progress("");
  const document = tally.document(true);
  const judged = { ...document, clauses: withDifferences(document.clauses, differences) };
  const counts = [...operations].map(([operation, count]) => ({ operation, ...count }));
  if (format === "json") await printer.write(formatJson({ ...judged, findings: kept, operations: counts } as never));
  else if (format === "ndjson") await printer.write(`${JSON.stringify({ summary: judged.summary, complete: true })}\n`);
  else await printer.write(operationsText(counts, judged, printer.color));
  return exitCodeOf(judged);
}

async function* inTurn(tasks: readonly Task[], judgeOne: (task: Task) => Promise<Judged>): AsyncGenerator<Judged> {
  for (const task of tasks) yield await judgeOne(task);
}
