/** One JSON value a line: every finding, every clause with a verdict to act on, and the summary last. */
import { isRun, type Results } from "./options.ts";

/** Lines are `{ "finding" }`, `{ "incident" }`, `{ "clause" }` and last `{ "summary", "complete" }`. */
export function formatNdjson(results: Results): string {
  const lines: unknown[] = [
    ...results.findings.map((finding) => ({ finding })),
    ...(isRun(results) ? results.incidents.map((incident) => ({ incident })) : []),
    ...results.clauses.filter(({ verdict }) => verdict !== "untested").map((clause) => ({ clause })),
    { summary: results.summary, complete: results.complete },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
