/** The evidence of a check: the recordings that it judged, redacted as they were for judging. */
import type { CassetteHeader, Recorded } from "../cassette/format.ts";
import { openSource } from "../cassette/read.ts";
import { listSources } from "../cassette/sources.ts";
import type { Catalogue } from "../check/catalogue.ts";
import { createHeadJudge } from "../check/judge-heads.ts";
import { type Bindings, joinBindings, namesFrom } from "../check/names.ts";
import { redact } from "../redact/redact.ts";
import type { CheckDocument } from "../verdict/document.ts";
import { boundedExchange } from "./evidence-line.ts";
import type { RecordingsJudging } from "./manifest.ts";

/** The document of a check as long as nothing is known. */
export const unchecked: CheckDocument = {
  complete: false,
  summary: { exchanges: 0, errors: 0, warnings: 0, notes: 0, unjudged: 0 },
  findings: [],
  groups: [],
  unjudged: [],
  clauses: [],
  operations: [],
};

/** The header for a cassette of all recordings. @param bindings what names mean there, beside what the recordings say */
export const recordingsHeader = (
  sources: RecordingsJudging["sources"],
  bindings: readonly Bindings[],
): CassetteHeader => ({
  title: "recordings that touchstone check judged",
  bindings: { ...joinBindings([...sources.map((source) => source.bindings ?? {}), ...bindings]) },
});

/**
 * Reads recordings once more, and hands out every exchange of them. Throws UserError.
 * @param bindings what names mean there, beside what the recordings say themselves; later layers win
 * @param catalogue the one that judged, if it has documents of users
 * @returns what a cassette of them all says of itself, and what each of them says
 */
export async function recordingsAsEvidence(
  paths: readonly string[],
  bindings: readonly Bindings[],
  catalogue: Catalogue | undefined,
  add: (recorded: Recorded) => void,
): Promise<{ readonly header: CassetteHeader; readonly sources: RecordingsJudging["sources"] }> {
  const sources: RecordingsJudging["sources"][number][] = [];
  for (const path of await listSources(paths)) {
    const source = await openSource(path);
    const said = source.header.bindings ?? {};
    sources.push({ name: path, ...(source.header.bindings && { bindings: said }) });
    const names = namesFrom(said, ...bindings);
    const keepHeaders = names.ownHeaders.map(({ own }) => own);
    const heads = catalogue && createHeadJudge(catalogue, names);
    for await (const { exchange, index, bind } of source) {
      const asked = { source: path, exchange: index, part: "recording" };
      add({ ...boundedExchange(redact(exchange, { keepHeaders, heads }), asked), ...(bind && { bind }) });
    }
  }
  return { header: recordingsHeader(sources, bindings), sources };
}
