/** Says of failures which of them well-known services show themselves. */
import type { Level } from "../check/clause.ts";
import type { ClauseVerdict, VerdictDocument } from "./document.ts";

/** A clause that real traffic is known to break, and how. */
export interface Divergence {
  readonly clause: string;
  /** One sentence: what the service does. */
  readonly reason: string;
  /** `official`: the service the document describes; `compatible`: others like it; `clients`: requests that were refused. */
  readonly by: readonly ("official" | "compatible" | "clients")[];
  /** In how many exchanges of the traffic it was last judged on. */
  readonly count?: number;
  /** An exchange of that traffic that shows it. */
  readonly example?: string;
}

/** Clause id to how its failure is to be understood; what only clients do wrong excuses nobody. */
export type Differences = ReadonlyMap<string, string>;

/** One sentence for every clause that services themselves break. */
export function differencesOf(diverges: readonly Divergence[]): Differences {
  return new Map(
    diverges
      .filter(({ by }) => by.includes("official") || by.includes("compatible"))
      .map(({ clause, by, reason }) => {
        const who = by.includes("official") ? "the vendor itself does" : "other services do";
        return [clause, `differs from the document, as ${who}: ${reason}`];
      }),
  );
}

/** The clauses, with `diverges` on those that fail and are known for it. */
function withDifferences(clauses: readonly ClauseVerdict[], differences: Differences): ClauseVerdict[] {
  return clauses.map((clause) => {
    const diverges = clause.verdict === "fail" ? differences.get(clause.id) : undefined;
    return diverges === undefined ? clause : { ...clause, diverges };
  });
}

/** Findings or groups, with `diverges` on the errors whose clause is known for it. */
export function explained<T extends { readonly clause: string; readonly level: Level }>(
  list: readonly T[],
  differences: Differences,
): (T & { readonly diverges?: string })[] {
  return list.map((one) => {
    const diverges = one.level === "error" ? differences.get(one.clause) : undefined;
    return diverges === undefined ? one : { ...one, diverges };
  });
}

/** What clauses say of themselves. */
export function differencesAmong(clauses: readonly ClauseVerdict[]): Differences {
  return new Map(clauses.flatMap(({ id, diverges }) => (diverges === undefined ? [] : [[id, diverges] as const])));
}

/** A document with what is known of its failures: on clauses, findings and groups. */
export function explainedDocument<T extends VerdictDocument>(document: T, differences: Differences): T {
  return {
    ...document,
    findings: explained(document.findings, differences),
    groups: explained(document.groups, differences),
    clauses: withDifferences(document.clauses, differences),
  };
}
