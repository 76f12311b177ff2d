/** A gateway or a client as annotations of GitHub Actions. */
import { annotationLines } from "../annotations.ts";
import { issueOf, quote, rowsAmiss } from "./issues.ts";
import { concluded } from "./outline.ts";
import type { OutcomeTable } from "./table.ts";

/** Failures and troubles are errors, other rows that are amiss warnings. Known failures are neither. Of a table with one column. */
export function formatOutcomeAnnotations(table: OutcomeTable): string {
  const [{ troubles }] = table.columns as [OutcomeTable["columns"][number]];
  const { state, says } = concluded(table, 0);
  const isWhole = state !== "incomplete" && state !== "broken";
  const issues = rowsAmiss(table).map(({ group, row }) => issueOf(table, group, row));
  const toldOf = (fails: boolean) =>
    issues
      .filter((issue) => issue.fails === fails && !issue.expected)
      .map(({ rule, says: sentence, message }) => ({ title: rule, message: `${sentence}\n${message}` }));
  const title = `touchstone ${table.kind}`;
  return annotationLines(
    [
      ...(isWhole ? [] : [{ title, message: says }]),
      ...troubles.map((trouble) => ({ title, message: quote(trouble) })),
      ...toldOf(true),
    ],
    toldOf(false),
  );
}
