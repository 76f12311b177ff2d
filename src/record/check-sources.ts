/** Runs `check`: has recordings judged, prints as outcomes come in, and sums up. */
import { listSources } from "../cassette/sources.ts";
import type { CheckArgs } from "../cli/check.ts";
import { onSignals } from "../cli/signals.ts";
import { loadClauses } from "../interfaces/clause-data.ts";
import { judgingFrom, readPreset } from "../interfaces/judging.ts";
import { type ExchangeLine, exchangeText, operationsText } from "../report/exchanges.ts";
import { gathered, growingJson } from "../report/json.ts";
import { createPrinter } from "../report/terminal/printer.ts";
import { UserError } from "../user-error.ts";
import { differencesOf, explained, explainedDocument } from "../verdict/divergence.ts";
import { exitCodeOf } from "../verdict/outcome.ts";
import { createTally } from "../verdict/tally.ts";
import { createChoice } from "../verdict/told.ts";
import { createFollower } from "./follower.ts";
import { createOperations } from "./operations.ts";
import { partOfGrowing, partsOf, sizeOf } from "./parts.ts";

/**
 * Bytes for which one more judge pays for its start: a process compiles its code anew, which takes it as long as judging some
 * 10,000 small exchanges does afterwards.
 */
const worthOne = 24 << 20;

/** How many findings of an exchange that differ only in positions are all of them, where every one is told: a stream may repeat a fault a million times. */
const everyOne = 10_000;

/** The one file that `--follow` may name; UserError otherwise. */
function followed(files: readonly string[]): string {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0 || file === "-")
    throw new UserError(
      "--follow takes one file",
      "Name the .jsonl that is being written: touchstone check --follow FILE.",
    );
  return file;
}

/** Judges and prints; returns the exit code. */
export async function check(args: CheckArgs): Promise<number> {
  const { side, level, format, quiet } = args;
  const { bindings, policy, diverges } = judgingFrom(args);
  const differences = differencesOf(diverges);
  const sources = args.follow ? [followed(args.files)] : await listSources(args.files);
  const bytes = args.follow ? 0 : await sizeOf(sources);
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => void (end = resolve));
  const follower = createFollower(args.follow ? partOfGrowing(sources[0]!, ended) : partsOf(sources), {
    settings: {
      bindings,
      policy,
      side,
      failsAt: level,
      redacts: true,
      ...(format === "ndjson" && { alike: everyOne }),
      // Whoever says what names are called knows that they need not be the documents' own.
      ...(args.preset === undefined && !args.bind?.length && { vendorHeaders: readPreset("vendors").headers ?? [] }),
    },
    jobs: Math.min(args.jobs, 1 + Math.floor(bytes / worthOne)),
  });
  let complete = true;
  if (args.follow)
    onSignals(
      () => {
        end();
        follower.finish();
      },
      () => {
        complete = false;
        follower.abandon();
      },
    );

  const tally = createTally(loadClauses(), level, false);
  const choice = createChoice();
  const json = growingJson("findings");
  const operations = createOperations();
  const printer = createPrinter();
  let last = -1;
  let broken = 0;
  let exchanges = 0;
  let hinted = false;
  const keyless = new Set<number>();
  for await (const { source, file, first, rows, share, notes } of follower) {
    if (file !== last && format === "text") await printer.write(`${source}\n`);
    last = file;
    tally.absorb(share);
    for (const [i, row] of rows.entries()) {
      operations.add(row);
      if (row.broken !== undefined && broken++ === 0)
        printer.warn(`touchstone: internal failure at exchange ${first + i} of ${source}: ${row.broken}\n`);
      if (row.vendorHeader !== undefined && !hinted) {
        hinted = true;
        printer.warn(
          `touchstone: the header ${row.vendorHeader} (${source}, exchange ${first + i}) is a vendor's; --preset vendors binds the names that well-known vendors use\n`,
        );
      }
      if (row.keyless && !keyless.has(file)) {
        keyless.add(file);
        printer.warn(
          `touchstone: ${source}: requests carry no key (the first is exchange ${first + i}), which whoever exported them may have left out; no verdict on that, unless --bind credentials=kept says that it was kept\n`,
        );
      }
      const findings = format === "ndjson" ? row.findings : row.findings.filter(choice.takes);
      if (format === "json")
        for (const finding of explained(findings, differences)) await printer.write(json.item(finding));
      else if (format === "ndjson")
        for (const finding of explained(findings, differences)) await printer.write(`${JSON.stringify({ finding })}\n`);
      else if (!quiet || row.unjudged !== undefined || row.groups.some((group) => group.level !== "note"))
        await printer.write(
          exchangeText({ ...row, findings, exchange: first + i } satisfies ExchangeLine, differences, printer.color),
        );
    }
    for (const note of notes) printer.warn(`${note}\n`);
    exchanges += rows.length;
    printer.progress(`judged ${exchanges} exchanges, at ${source}`);
  }
  printer.progress("");
  const judged = explainedDocument(tally.document(complete, choice), differences);
  const counts = operations.list();
  const { findings: _written, ...rest } = judged;
  if (format === "json")
    for (const piece of gathered(json.end({ ...rest, operations: counts }))) await printer.write(piece);
  else if (format === "ndjson") await printer.write(`${JSON.stringify({ summary: judged.summary, complete })}\n`);
  else await printer.write(operationsText(counts, judged, printer.color));
  if (!complete) printer.warn("touchstone: ended before everything was judged; check it again without --follow\n");
  return broken > 0 ? 2 : exitCodeOf(judged);
}
