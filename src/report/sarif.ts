/** SARIF 2.1.0, for code scanning: rules are clauses, results are groups of findings. */
import { runExitCode } from "../verdict/outcome.ts";
import { issuesOf } from "./issues.ts";
import { isRun, type ReportOptions, type Results } from "./options.ts";
import { clauseTable, conclusionOf } from "./outline.ts";
import { plural } from "./plural.ts";
import { type SarifRule, sarifLog } from "./sarif-log.ts";

export function formatSarif(results: Results, options: ReportOptions): string {
  const clauses = clauseTable(options.clauses);
  const { issues, left } = issuesOf(results, options);
  const sentences = new Map(issues.map(({ rule, says }) => [rule, says]));
  const rules = [...sentences].map(([id, says]): SarifRule => {
    const clause = clauses.get(id);
    if (!clause) return { id, says };
    return {
      id,
      says,
      from: `${clause.document.name}, ${clause.document.section}`,
      properties: { tags: [clause.interface, clause.section], level: clause.level },
    };
  });
  const { state } = conclusionOf(results);
  const told = [
    ...(state === "incomplete" ? ["it was broken off: the results so far do not count"] : []),
    ...(state === "broken" ? ["a check itself failed"] : []),
    ...(left > 0 ? [`${plural(left, "result")} more: see report.html and results.json`] : []),
  ];
  return sarifLog({
    rules,
    issues,
    isWhole: state === "conforms" || state === "fails",
    told,
    ...(isRun(results) && { version: results.versions.touchstone, exitCode: runExitCode(results) }),
  });
}
