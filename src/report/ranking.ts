/** The one order of failures in all reports: the most serious first, then those of most exchanges, then by id. */
import type { FindingLevel } from "../check/clause.ts";
import { compare } from "../check/finding-order.ts";
import type { ClauseVerdict } from "../verdict/document.ts";
import type { Results } from "./options.ts";

/** The most serious first. */
export const severity: Readonly<Record<FindingLevel, number>> = { error: 0, warning: 1, unenforced: 2, note: 3 };
const minSerious = 4;

/** The facts that decide the place of a clause. */
export interface Weight {
  readonly id: string;
  /** How serious its worst finding is. */
  readonly worst: number;
  /** Exchanges that violate it. */
  readonly exchanges: number;
}

export const byWeight = (a: Weight, b: Weight): number =>
  a.worst - b.worst || b.exchanges - a.exchanges || compare(a.id, b.id);

/** @param levels those of its groups */
export function weightOf(
  { id, failed, warned = 0, unenforced = 0 }: Pick<ClauseVerdict, "id" | "failed" | "warned" | "unenforced">,
  levels: readonly FindingLevel[],
): Weight {
  const worst = Math.min(minSerious, ...levels.map((level) => severity[level]));
  return { id, worst, exchanges: failed || warned || unenforced };
}

/** The clauses of results in that order. */
export function ranked({ clauses, groups }: Results): ClauseVerdict[] {
  const levels = new Map<string, FindingLevel[]>();
  for (const { clause, level } of groups) levels.set(clause, [...(levels.get(clause) ?? []), level]);
  return clauses
    .map((clause) => ({ clause, weight: weightOf(clause, levels.get(clause.id) ?? []) }))
    .sort((a, b) => byWeight(a.weight, b.weight))
    .map(({ clause }) => clause);
}
