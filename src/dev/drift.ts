/**
 * `npm run drift`: asks the embedded reference what the recordings asked, and compares its answers with the recorded ones by
 * structure. Red where it drifted from them, but for what is excused here with its reason, and where an excuse is stale.
 */
import { join } from "node:path";
import { askAgainst } from "../drift/against.ts";
import { compareRecordings } from "../drift/compare-recordings.ts";
import type { Change } from "../drift/document.ts";
import { home } from "../home.ts";
import { loadCatalogue } from "../interfaces/catalogue.ts";
import { judgingFrom } from "../interfaces/judging.ts";
import { serveReference } from "../reference/serve.ts";
import { formatDriftText } from "../report/drift/text.ts";

/** A change that is as it should be. */
type Excuse = Pick<Change, "kind" | "operation" | "pointer"> & { readonly reason: string };

const excused: readonly Excuse[] = [];

const catalogue = await loadCatalogue();
const judging = judgingFrom({});
const reference = await serveReference(catalogue);
const folder = join(home, "recordings");
const asked = await askAgainst(folder, { url: reference.url }, catalogue, judging, {});
const document = await compareRecordings(asked.before, asked.after, catalogue, judging, { against: true });
await reference.close();
const isExcused = (change: Change) => (excuse: Excuse) =>
  excuse.kind === change.kind && excuse.operation === change.operation && excuse.pointer === change.pointer;
const changes = document.changes.filter((change) => !excused.some(isExcused(change)));
const stale = excused.filter((excuse) => !document.changes.some((change) => isExcused(change)(excuse)));
process.stdout.write(formatDriftText({ changes, summary: { ...document.summary, changes: changes.length } }));
for (const { kind, operation, pointer } of stale)
  process.stdout.write(`Nothing is to be excused any more: ${kind} of ${pointer} in ${operation}\n`);
for (const { source, exchange, why } of asked.unsent)
  process.stdout.write(`Not sent: ${source}, exchange ${exchange}: ${why}\n`);
process.exitCode = changes.length + stale.length + asked.unsent.length > 0 ? 1 : 0;
