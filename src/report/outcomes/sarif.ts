/** A gateway or a client as SARIF: rules are facts, cases and clauses, results are those that are amiss. */
import { printable } from "../clean.ts";
import { maxIssues } from "../issues.ts";
import { plural } from "../plural.ts";
import { type SarifRule, sarifLog } from "../sarif-log.ts";
import { issueOf, quote, rowsAmiss, ruleId } from "./issues.ts";
import { concluded, outcomeExitCode } from "./outline.ts";
import type { OutcomeGroup, OutcomeRow, OutcomeTable } from "./table.ts";

/** Of a table with one column. */
export function formatOutcomesSarif(table: OutcomeTable): string {
  const [{ facts, troubles }] = table.columns as [OutcomeTable["columns"][number]];
  const amiss = rowsAmiss(table);
  const shown = amiss.slice(0, maxIssues);
  const { state, says } = concluded(table, 0);
  const isWhole = state !== "incomplete" && state !== "broken";
  const left = amiss.length - shown.length;
  return sarifLog({
    rules: shown.map(({ group, row }) => ruleFor(table, group, row)),
    issues: shown.map(({ group, row }) => issueOf(table, group, row)),
    isWhole,
    told: [
      ...(isWhole ? [] : [says]),
      ...troubles.map(quote),
      ...(left > 0 ? [`${plural(left, "result")} more: see report.html and results.json`] : []),
    ],
    version: facts.find(([label]) => label === "touchstone")?.[1],
    exitCode: outcomeExitCode(table),
  });
}

const ruleFor = (table: OutcomeTable, group: OutcomeGroup, row: OutcomeRow): SarifRule => ({
  id: ruleId(table, group, row),
  says: row.says,
  from: row.basis,
  properties: { tags: [table.kind, printable(group.name)] },
});
