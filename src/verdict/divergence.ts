/** Says of failures which of them well-known services show themselves. */
import type { ClauseVerdict } from "./document.ts";

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
export function withDifferences(clauses: readonly ClauseVerdict[], differences: Differences): ClauseVerdict[] {
  return clauses.map((clause) => {
    const diverges = clause.verdict === "fail" ? differences.get(clause.id) : undefined;
    return diverges === undefined ? clause : { ...clause, diverges };
  });
}
