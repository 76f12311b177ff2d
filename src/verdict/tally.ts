/** Turns evidence into verdicts: the same document whatever the order the evidence came in. */
import type { Clause, Finding, Level } from "../check/clause.ts";
import type { Judgement } from "../check/judge.ts";
import type { ClauseVerdict, Summary, Verdict, VerdictDocument } from "./document.ts";
import type { Evidence } from "./evidence.ts";

interface Count {
  exercised: number;
  failed: number;
  needs: Set<string>;
  skipped: Set<string>;
  broken: Set<string>;
}

export interface Tally {
  add(evidence: Evidence): void;
  /** Adds what `add` adds of its evidence, without naming every clause; for a tally of all clauses of the catalogue that judged. */
  addJudgement(judgement: Judgement): void;
  /** Adds what another tally of the same clauses counted, e.g. in another worker. */
  absorb(share: Share): void;
  /** What was counted so far, as plain data. */
  share(): Share;
  document(complete: boolean): VerdictDocument;
}

/** A tally's counts as plain data that crosses workers; one entry a clause that was met. */
export interface Share {
  readonly exchanges: number;
  readonly levels: Readonly<Record<Level, number>>;
  readonly findings: readonly Finding[];
  readonly counts: readonly (readonly [
    clause: string,
    exercised: number,
    failed: number,
    needs: readonly string[],
    skipped: readonly string[],
    broken: readonly string[],
  ])[];
}

const ranks: Record<Level, number> = { note: 0, warning: 1, error: 2 };

/** Whether a finding of this level fails its clause. */
export function fails(level: Level, failsAt: Level): boolean {
  return ranks[level] >= ranks[failsAt];
}

/**
 * Counts evidence per clause.
 * @param clauses the clauses to give verdicts on; evidence about others is dropped
 * @param failsAt the least level that fails a clause
 * @param keep whether findings are kept for the document; without, they are only counted
 */
export function createTally(clauses: readonly Clause[], failsAt: Level = "error", keep = true): Tally {
  const counts = new Map<string, Count>();
  for (const { id } of clauses)
    counts.set(id, { exercised: 0, failed: 0, needs: new Set(), skipped: new Set(), broken: new Set() });
  const inOrder = [...counts.values()];
  const findings: Finding[] = [];
  const levels = { error: 0, warning: 0, note: 0 };
  let exchanges = 0;

  /** What failed was exercised, though the check that found it may not have marked it. */
  function addFindings(found: readonly Finding[], isMarked: (clause: string) => boolean): void {
    const failed = new Set<string>();
    for (const finding of found) {
      const count = counts.get(finding.clause);
      if (!count) continue;
      levels[finding.level]++;
      if (keep) findings.push(finding);
      if (failed.has(finding.clause) || !fails(finding.level, failsAt)) continue;
      failed.add(finding.clause);
      count.failed++;
      if (!isMarked(finding.clause)) count.exercised++;
    }
  }

  return {
    add({ judged, findings: found, exercised, undecided, missed }) {
      if (judged) exchanges++;
      for (const id of exercised) {
        const count = counts.get(id);
        if (count) count.exercised++;
      }
      addFindings(found, (clause) => exercised.includes(clause));
      for (const { clause, needs } of undecided) counts.get(clause)?.needs.add(needs);
      for (const { clauses: ids, verdict, why } of missed)
        for (const id of ids)
          counts.get(id)?.[verdict === "no-verdict" ? "needs" : verdict === "broken" ? "broken" : "skipped"].add(why);
    },
    addJudgement({ findings: found, exercised: marks, undecided }) {
      exchanges++;
      for (let i = 0; i < marks.length; i++) if (marks[i] === 1) inOrder[i]!.exercised++;
      addFindings(found, (id) => marks[clauses.findIndex((clause) => clause.id === id)] === 1);
      for (const { clause, needs } of undecided) counts.get(clause)?.needs.add(needs);
    },
    absorb(share) {
      exchanges += share.exchanges;
      for (const level of ["error", "warning", "note"] as const) levels[level] += share.levels[level];
      if (keep) for (const finding of share.findings) findings.push(finding);
      for (const [id, exercised, failed, needs, skipped, broken] of share.counts) {
        const count = counts.get(id);
        if (!count) continue;
        count.exercised += exercised;
        count.failed += failed;
        for (const why of needs) count.needs.add(why);
        for (const why of skipped) count.skipped.add(why);
        for (const why of broken) count.broken.add(why);
      }
    },
    share: () => ({
      exchanges,
      levels,
      findings,
      counts: [...counts]
        .filter(([, { exercised, needs, skipped, broken }]) => exercised + needs.size + skipped.size + broken.size > 0)
        .map(([id, c]) => [id, c.exercised, c.failed, [...c.needs], [...c.skipped], [...c.broken]] as const),
    }),
    document: (complete) => ({
      complete,
      summary: { exchanges, errors: levels.error, warnings: levels.warning, notes: levels.note },
      findings: findings.sort(byPlace),
      clauses: clauses.map((clause) => verdictOn(clause, counts.get(clause.id)!)).sort((a, b) => compare(a.id, b.id)),
    }),
  };
}

function verdictOn(clause: Clause, { exercised, failed, needs, skipped, broken }: Count): ClauseVerdict {
  const verdict: Verdict =
    failed > 0
      ? "fail"
      : broken.size > 0
        ? "broken"
        : exercised > 0
          ? "pass"
          : needs.size > 0 || clause.kind === "unobservable"
            ? "no-verdict"
            : skipped.size > 0
              ? "skipped"
              : "untested";
  const reasons =
    verdict === "broken"
      ? broken
      : verdict === "skipped"
        ? skipped
        : verdict === "no-verdict" && needs.size === 0 && clause.reason
          ? [clause.reason]
          : verdict === "no-verdict"
            ? needs
            : [];
  const sorted = [...reasons].sort();
  return { id: clause.id, verdict, exercised, failed, ...(sorted.length > 0 && { needs: sorted }) };
}

/** Counts findings by level. */
export function summaryOf(exchanges: number, findings: readonly Finding[]): Summary {
  const count = (level: Level): number => findings.filter((finding) => finding.level === level).length;
  return { exchanges, errors: count("error"), warnings: count("warning"), notes: count("note") };
}

/** Orders texts by code unit, numbers by size: the same on every machine. */
export function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order findings are reported in. */
export function byPlace(a: Finding, b: Finding): number {
  return (
    compare(a.source, b.source) ||
    compare(a.exchange, b.exchange) ||
    compare(a.side, b.side) ||
    compare(a.in, b.in) ||
    compare(a.event ?? -1, b.event ?? -1) ||
    compare(a.pointer, b.pointer) ||
    compare(a.clause, b.clause) ||
    compare(a.message, b.message)
  );
}
