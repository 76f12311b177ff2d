/** Puts findings together by their cause: a clause that is violated, however often and wherever. */
import type { PageClause, PageGroup } from "../../report/page/data.ts";
import { byWeight, weightOf } from "../../report/ranking.ts";
import type { Report } from "./report.ts";

export interface Cause {
  readonly clause: PageClause;
  readonly groups: readonly PageGroup[];
  /** Findings of all groups. */
  readonly count: number;
  /** Rows of exchanges that have a listed one, in order. */
  readonly rows: readonly number[];
}

export interface Causes {
  readonly failing: readonly Cause[];
  /** Failures that the target admits to. */
  readonly expected: readonly Cause[];
  /** Failures that the baseline shares. */
  readonly inherited: readonly Cause[];
  readonly warnings: readonly Cause[];
  /** The questions that the documents leave open and clients rely on. */
  readonly field: readonly Cause[];
  readonly notes: readonly Cause[];
}

export function causeOf(clause: PageClause, groups: readonly PageGroup[]): Cause {
  return {
    clause,
    groups,
    count: groups.reduce((sum, group) => sum + group.count, 0),
    rows: [...new Set(groups.flatMap(({ at }) => at))].sort((a, b) => a - b),
  };
}

export function causesOf({ data, groups }: Pick<Report, "data" | "groups">): Causes {
  const causes: Record<keyof Causes, Cause[]> = {
    failing: [],
    expected: [],
    inherited: [],
    warnings: [],
    field: [],
    notes: [],
  };
  for (const clause of data.clauses) {
    const own = groups.get(clause.id) ?? [];
    if (clause.verdict === "unenforced") continue;
    const isFailing = clause.verdict === "fail";
    if (own.length === 0 && !isFailing) continue;
    const kind = isFailing
      ? clause.expected
        ? "expected"
        : clause.upstream?.outcome === "fails"
          ? "inherited"
          : "failing"
      : clause.basis === "field"
        ? "field"
        : clause.verdict === "warning"
          ? "warnings"
          : "notes";
    causes[kind].push(causeOf(clause, own));
  }
  const weight = ({ clause, groups: own }: Cause) =>
    weightOf(
      clause,
      own.map(({ level }) => level),
    );
  for (const list of Object.values(causes)) list.sort((a, b) => byWeight(weight(a), weight(b)));
  return causes;
}
