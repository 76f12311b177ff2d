/** The clauses that were judged beside facts or cases, as groups of a table. */
import type { Clause, Finding } from "../../check/clause.ts";
import type { ClauseVerdict, VerdictDocument } from "../../verdict/document.ts";
import { clauseTable, groupsByClause, placesOf } from "../outline.ts";
import { brokenOutcome } from "./outline.ts";
import type { OutcomeCell, OutcomeExample, OutcomeGroup, OutcomeMeaning, OutcomeRow } from "./table.ts";

/** What clauses come to, the worst first: for the end of a legend. */
export const clauseOutcomes: readonly OutcomeMeaning[] = [
  { outcome: brokenOutcome, says: "touchstone itself failed", tone: "bad" },
  { outcome: "violated", says: "a clause of the document is violated", tone: "bad" },
  { outcome: "holds", says: "a clause holds wherever it was seen", tone: "good" },
];

/** Which group a clause belongs to, by its name. */
export interface ClauseGroup {
  readonly name: string;
  readonly title: string;
  readonly takes: (clause: Clause) => boolean;
}

/** What was decided of clauses, group by group; a clause that nothing showed has no row. Groups without rows are left out. */
export function clauseGroups(
  document: VerdictDocument,
  known: readonly Clause[],
  groups: readonly ClauseGroup[],
): OutcomeGroup[] {
  const clauses = clauseTable(known);
  const found = groupsByClause(document);
  return groups.flatMap(({ name, title, takes }) => {
    const rows = document.clauses.flatMap((verdict): OutcomeRow[] => {
      const clause = clauses.get(verdict.id);
      if (!clause || !takes(clause)) return [];
      const own = found.get(verdict.id);
      const cell = cellOf(verdict, own ? placesOf(own).places.map(({ finding }) => finding) : []);
      const { document: of } = clause;
      return cell ? [{ id: verdict.id, says: clause.says, basis: `${of.name}, ${of.section}`, cells: [cell] }] : [];
    });
    return rows.length === 0 ? [] : [{ name, title, noun: "clause", rows }];
  });
}

function cellOf(
  { verdict, exercised, failed, warned = 0, expected, needs = [] }: ClauseVerdict,
  findings: readonly Finding[],
): OutcomeCell | undefined {
  if (verdict === "broken") return { outcome: brokenOutcome, level: "error", why: needs.join("; "), examples: [] };
  if (verdict === "pass") return { outcome: "holds", level: null, of: exercised, examples: [] };
  if (verdict !== "fail" && verdict !== "warning") return undefined;
  return {
    outcome: "violated",
    level: verdict === "fail" ? "error" : "warning",
    count: verdict === "fail" ? failed : warned,
    of: exercised,
    ...(expected && { expected }),
    examples: findings.map(exampleOf),
  };
}

function exampleOf({ source, exchange, side, in: place, event, pointer, expected, actual }: Finding): OutcomeExample {
  const where = place === "stream" ? `event ${event ?? "?"} of the stream` : `${side} ${place}`;
  return {
    title: source,
    excerpts: [
      { label: "where", text: `${where}${pointer && ` at ${pointer}`}` },
      { label: "expected", text: expected },
      { label: "actual", text: actual, isAmiss: true },
    ],
    exchanges: [{ says: "the exchange", source, exchange }],
    commands: [],
  };
}
