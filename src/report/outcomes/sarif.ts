/** A gateway or a client as SARIF: rules are facts, cases and clauses, results are those that are amiss. */
import { createHash } from "node:crypto";
import { printable, shortened } from "../clean.ts";
import { type Issue, maxIssues } from "../issues.ts";
import { plural } from "../plural.ts";
import { type SarifRule, sarifLog } from "../sarif-log.ts";
import { concluded, inOrder, isAmiss, outcomeExitCode, toneOf, wordOf } from "./outline.ts";
import type { OutcomeGroup, OutcomeRow, OutcomeTable } from "./table.ts";

const maxQuoteLength = 500;
const quote = (text: string): string => shortened(printable(text), maxQuoteLength);

/** Of a table with one column. */
export function formatOutcomesSarif(table: OutcomeTable): string {
  const [{ facts, troubles }] = table.columns as [OutcomeTable["columns"][number]];
  const amiss = table.groups.flatMap((group) =>
    inOrder(table, group)
      .filter(({ cells: [cell] }) => cell && (cell.expected || isAmiss(toneOf(table, cell))))
      .map((row) => ({ group, row })),
  );
  const shown = amiss.slice(0, maxIssues);
  const { state, says } = concluded(table, 0);
  const isWhole = state === "conforms" || state === "fails";
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

/** A clause has an id of its own everywhere. */
const ruleId = ({ kind }: OutcomeTable, { name, noun }: OutcomeGroup, { id }: OutcomeRow): string =>
  noun === "clause" ? id : `${kind}.${name}.${id}`;

const ruleFor = (table: OutcomeTable, group: OutcomeGroup, row: OutcomeRow): SarifRule => ({
  id: ruleId(table, group, row),
  says: row.says,
  from: row.basis,
  properties: { tags: [table.kind, printable(group.name)] },
});

function issueOf(table: OutcomeTable, group: OutcomeGroup, row: OutcomeRow): Issue {
  const cell = row.cells[0]!;
  const rule = ruleId(table, group, row);
  const [first] = cell.examples;
  const excerpts = (first?.excerpts ?? []).map(({ label, text }) => `${label} ${quote(text)}`).join(", ");
  return {
    rule,
    says: row.says,
    level: cell.level ?? "note",
    fails: toneOf(table, cell) === "bad",
    message: `${wordOf(cell.outcome)}: ${quote(cell.why ?? first?.why ?? row.says)}${excerpts && ` (${excerpts})`}`,
    source: quote(first?.exchanges[0]?.source ?? first?.title ?? row.id),
    operation: "",
    count: cell.count ?? 1,
    fingerprint: createHash("sha256")
      .update(JSON.stringify([rule, cell.outcome]))
      .digest("hex"),
    ...(cell.expected && { expected: cell.expected }),
  };
}
