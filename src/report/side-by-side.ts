/** Several targets side by side: one column each, one row a section, then the clauses on which they differ. */
import type { Verdict } from "../verdict/document.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { printable } from "./clean.ts";
import { countVerdicts, sectionsOf } from "./outline.ts";

/** What a column is called. */
export function targetName({ target }: RunResults): string {
  return target.url === null ? "reference" : printable(target.url);
}

const marks: Readonly<Record<Verdict, string>> = {
  pass: "pass",
  warning: "warning",
  fail: "FAIL",
  untested: "-",
  skipped: "skipped",
  "no-verdict": "?",
  broken: "BROKEN",
};

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A table for people; `parts` are whole runs, each against another target. */
export function formatSideBySide(parts: readonly RunResults[]): string {
  const sections = new Map<string, string[]>();
  for (const [column, part] of parts.entries())
    for (const { interface: of, section, clauses } of sectionsOf(part)) {
      const { pass, warning, fail, untested } = countVerdicts(clauses);
      const key = printable(`${of}/${section}`);
      const row = sections.get(key) ?? parts.map(() => "-");
      row[column] =
        `${pass} pass${warning > 0 ? `, ${warning} warning` : ""}${fail > 0 ? `, ${fail} FAIL` : ""}${untested > 0 ? `, ${untested} untested` : ""}`;
      sections.set(key, row);
    }
  const verdicts = new Map<string, Verdict[]>();
  for (const [column, part] of parts.entries())
    for (const { id, verdict } of part.clauses) {
      const row = verdicts.get(id) ?? parts.map((): Verdict => "untested");
      row[column] = verdict;
      verdicts.set(id, row);
    }
  const differing = [...verdicts]
    .filter(([, row]) => row.includes("fail") || row.includes("broken"))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const names = parts.map(targetName);
  const blocks = [aligned([["section", ...names], ...[...sections].sort().map(([key, row]) => [key, ...row])])];
  if (differing.length > 0)
    blocks.push(
      aligned([
        ["clause", ...names],
        ...differing.map(([id, row]) => [printable(id), ...row.map((verdict) => marks[verdict])]),
      ]),
    );
  return `${blocks.join("\n\n")}\n`;
}
