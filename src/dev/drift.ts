/**
 * `npm run drift`: asks the embedded reference what the recordings asked, and compares its answers with the recorded ones by
 * structure. Red where it drifted from them, but for what is excused here with its reason, and where an excuse is stale.
 */
import { join } from "node:path";
import { askAgainst } from "../drift/against.ts";
import { compareRecordings, type Entry } from "../drift/compare-recordings.ts";
import type { Change } from "../drift/document.ts";
import { home } from "../home.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { judgingFrom } from "../interfaces/judging.ts";
import { serveReference } from "../reference/serve.ts";
import { printable } from "../report/clean.ts";
import { exampleText, placeText, titleOf, turnText } from "../report/drift/words.ts";

/** A change that is as it should be. */
type Excuse = Pick<Change, "kind" | "operation" | "pointer"> & { readonly reason: string };

const excused: readonly Excuse[] = [];

const catalogue = await openCatalogue();
const judging = judgingFrom({}, catalogue);
const reference = await serveReference(catalogue);
const folder = join(home, "recordings");
const asked = await askAgainst(folder, { url: reference.url }, catalogue, judging, {});
await reference.close();

/** Recordings one by one: what one of them no longer has, others still may. */
const changes: Change[] = [];
for (const source of new Set(asked.before.map((entry) => entry.source))) {
  const side = (entries: readonly Entry[]) => ({ entries: () => entries.filter((entry) => entry.source === source) });
  const [before, after] = [side(asked.before), side(asked.after)];
  const document = await compareRecordings(before, after, catalogue, judging, { against: true });
  changes.push(...document.changes);
}
const isExcused = (change: Change) => (excuse: Excuse) =>
  excuse.kind === change.kind && excuse.operation === change.operation && excuse.pointer === change.pointer;
const drifted = changes.filter((change) => !excused.some(isExcused(change)));
const stale = excused.filter((excuse) => !changes.some((change) => isExcused(change)(excuse)));
const lines = [
  ...drifted.map(
    (change) =>
      `${change.operation}: ${titleOf(change)}: ${placeText(change)}: ${turnText(change)} (${exampleText(change)})`,
  ),
  ...stale.map(
    ({ kind, operation, pointer }) => `nothing is to be excused any more: ${kind} of ${pointer} in ${operation}`,
  ),
  ...asked.unsent.map(({ source, exchange, why }) => `not sent: ${source}, exchange ${exchange}: ${why}`),
];
process.stdout.write(lines.map((line) => `${printable(line)}\n`).join(""));
process.stdout.write(
  `${asked.before.length} exchanges compared, ${drifted.length} changes, ${changes.length - drifted.length} excused\n`,
);
process.exitCode = lines.length > 0 ? 1 : 0;
