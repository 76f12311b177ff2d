/** Judges the exchanges of a recording together, by the values that judges report of each exchange. */
import type { Clause } from "../check/clause.ts";
import { findingOf } from "../check/finding.ts";
import { createGroups } from "../check/groups.ts";
import type { GradedValue } from "../check/law.ts";
import { createSession, maxRemembered, repeatOf } from "../check/laws/session.ts";
import type { Evidence } from "../verdict/evidence.ts";

/** What an exchange shows next to earlier ones of its recording. */
export interface SessionShown {
  readonly evidence: Evidence;
  /** Sentences about what is not judged; each of them comes once. */
  readonly notes: readonly string[];
}

/** Judges one recording: call it for each exchange, in order. Returns undefined if an exchange shows nothing. */
export function createSessionLaws(clauses: readonly Clause[]) {
  const session = createSession<GradedValue>();
  const noted = new Set<string>();
  let byId: ReadonlyMap<string, Clause> | undefined;
  return (
    values: readonly GradedValue[] | undefined,
    at: { readonly source: string; readonly exchange: number },
  ): SessionShown | undefined => {
    if (!values || values.length === 0) return undefined;
    const { exercised, repeats, unremembered } = session.add(values, at.exchange);
    const groups = createGroups();
    if (repeats.length > 0) byId ??= new Map(clauses.map((clause) => [clause.id, clause]));
    const findings = repeats.map(({ value, earlier }) => {
      const { level, operation } = value;
      const clause = byId!.get(value.clause)!;
      const violation = { ...repeatOf(value, earlier), clause: clause.id, pointer: value.pointer };
      const subject = { interface: clause.interface, operation: { name: operation } };
      const finding = findingOf(violation, clause, level, at, subject);
      groups.add(finding);
      return finding;
    });
    const notes = [...unremembered]
      .filter((clause) => !noted.has(clause))
      .map((clause) => `${clause} is not judged beyond ${maxRemembered} values of ${at.source}`);
    for (const clause of unremembered) noted.add(clause);
    const shown = { findings, groups: groups.all(), exercised: [...exercised], undecided: [], missed: [] };
    return { evidence: { judged: false, at, ...shown }, notes };
  };
}
