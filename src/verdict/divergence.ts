/** Says of failures which of them well-known services show themselves. */
import type { Divergence, FindingLevel } from "../check/clause.ts";
import type { ClauseVerdict, VerdictDocument } from "./document.ts";

/** Clause id to how its failure is to be understood; what only clients do wrong excuses nobody. */
export type Differences = ReadonlyMap<string, string>;

/** The phrases for each party, the weightiest first. */
const parties = [
  ["official", "the vendor itself does"],
  ["compatible", "other services do"],
  ["gateways", "gateways do"],
  ["libraries", "client libraries do"],
] as const;

/** One sentence for every clause that others than clients that were refused break. */
export function differencesOf(diverges: readonly Divergence[]): Differences {
  return new Map(
    diverges.flatMap(({ clause, by, reason }) => {
      const who = parties.find(([party]) => by.includes(party))?.[1];
      return who ? [[clause, `differs from the document, as ${who}: ${reason}`] as const] : [];
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
export function explained<T extends { readonly clause: string; readonly level: FindingLevel }>(
  list: readonly T[],
  differences: Differences,
): (T & { readonly diverges?: string })[] {
  return list.map((one) => {
    const diverges = one.level === "error" ? differences.get(one.clause) : undefined;
    return diverges === undefined ? one : { ...one, diverges };
  });
}

/** The differences that clauses carry. */
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
