/** Turns evidence into verdicts: the same document whatever the order the evidence came in. */
import type { Clause, Finding, FindingLevel, Level } from "../check/clause.ts";
import { byExchange, compare, type ExchangePlace } from "../check/finding-order.ts";
import type { GroupCount } from "../check/groups.ts";
import type { Judgement, Undecision } from "../check/judge.ts";
import type { InferredNames, Summary, Unjudged, VerdictDocument } from "./document.ts";
import { type Evidence, unjudgedOf } from "./evidence.ts";
import { type Choice, type Counted, createFindingSample, createGroupCounts, maxUnjudged } from "./finding-sample.ts";
import { createInferred } from "./inferred-names.ts";
import { type Count, verdictOn } from "./verdict-on.ts";

type Reason = "needs" | "skipped" | "broken";

/** Whether the rule failed, or something is missing that would decide it. */
const reasonOf = ({ code }: Undecision): Reason => (code === "rule-failed" ? "broken" : "needs");

function addReason(count: Count | undefined, kind: Reason, why: string): void {
  if (count) (count[kind] ??= new Set()).add(why);
}

export interface Tally {
  add(evidence: Evidence): void;
  /**
   * Adds what `add` adds of its evidence, without where a clause was shown first, and without naming every clause. For a tally
   * of all clauses of the catalogue that judged.
   */
  addJudgement(judgement: Judgement, at: ExchangePlace): void;
  /** Adds an exchange at which judging ended. */
  addUnjudged(unjudged: Unjudged): void;
  /** Adds what another tally of the same clauses counted, e.g. in another worker or another shard. */
  absorb(share: Share): void;
  /** The counts so far, as plain data. */
  share(): Share;
  /**
   * @param listed where findings were not kept: what was listed of them
   */
  document(complete: boolean, listed?: Pick<Choice, "first">): VerdictDocument;
}

/** A tally's counts as plain data that crosses workers; one entry a clause that was met. */
export interface Share {
  readonly exchanges: number;
  readonly findings: readonly Finding[];
  readonly groups: readonly Counted[];
  readonly unjudged: { readonly count: number; readonly first: readonly Unjudged[] };
  readonly inferred?: InferredNames;
  readonly counts: readonly (readonly [
    clause: string,
    exercised: number,
    failed: number,
    warned: number,
    unenforced: number,
    needs: readonly string[],
    skipped: readonly string[],
    broken: readonly string[],
  ])[];
}

const ranks: Record<FindingLevel, number> = { note: 0, unenforced: 1, warning: 2, error: 3 };

/** Whether a finding of this level fails its clause. */
export function fails(level: FindingLevel, failsAt: Level): boolean {
  return level !== "unenforced" && ranks[level] >= ranks[failsAt];
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
    counts.set(id, {
      exercised: 0,
      failed: 0,
      warned: 0,
      unenforced: 0,
      first: undefined,
      needs: undefined,
      skipped: undefined,
      broken: undefined,
    });
  /** The clauses that the latest judgements exercised, and how many judgements: they are many, and most exercise the same. */
  const alike = { marks: new Uint8Array(clauses.length), count: 0 };
  const listed = createFindingSample();
  const groups = createGroupCounts();
  const unjudged = createUnjudged();
  const inferred = createInferred();
  let exchanges = 0;

  function countMet(): void {
    const { marks, count: times } = alike;
    let i = 0;
    if (times > 0) for (const count of counts.values()) count.exercised += times * marks[i++]!;
    alike.count = 0;
  }

  function addFindings({ findings, groups: found }: Judgement | Evidence, isMarked: (clause: string) => boolean): void {
    const worst = new Map<string, FindingLevel>();
    for (const group of found) {
      if (!counts.has(group.clause)) continue;
      groups.add(group, 1);
      const known = worst.get(group.clause);
      if (known === undefined || ranks[group.level] > ranks[known]) worst.set(group.clause, group.level);
    }
    for (const [clause, level] of worst) {
      if (level === "note" && !fails(level, failsAt)) continue;
      const count = counts.get(clause)!;
      if (fails(level, failsAt)) count.failed++;
      else if (level === "warning") count.warned++;
      else count.unenforced++;
      // A violated clause was exercised, though the check that found it may not have marked it.
      if (!isMarked(clause)) count.exercised++;
    }
    if (keep) for (const finding of findings) if (counts.has(finding.clause)) listed.add(finding);
  }

  return {
    add(evidence) {
      if (evidence.judged) exchanges++;
      for (const id of evidence.exercised) {
        const count = counts.get(id);
        if (!count) continue;
        count.exercised++;
        count.first = firstOf(count.first, evidence.at);
      }
      addFindings(evidence, (clause) => evidence.exercised.includes(clause));
      for (const one of evidence.undecided) addReason(counts.get(one.clause), reasonOf(one), one.needs);
      for (const { clauses: ids, verdict, why } of evidence.missed)
        for (const id of ids) {
          const kind = verdict === "no-verdict" ? "needs" : verdict === "broken" ? "broken" : "skipped";
          addReason(counts.get(id), kind, why);
        }
      if (evidence.inferred) inferred.add(evidence.inferred);
      if (evidence.unjudged) unjudged.add(1, [evidence.unjudged]);
    },
    addJudgement(judgement, at) {
      exchanges++;
      const marks = judgement.exercised;
      if (Buffer.compare(marks, alike.marks) !== 0) {
        countMet();
        alike.marks.set(marks);
      }
      alike.count++;
      if (judgement.groups.length > 0)
        addFindings(judgement, (id) => marks[clauses.findIndex((clause) => clause.id === id)] === 1);
      for (const one of judgement.undecided) addReason(counts.get(one.clause), reasonOf(one), one.needs);
      if (judgement.inferred) inferred.add(judgement.inferred);
      const part = unjudgedOf(judgement, at);
      if (part) unjudged.add(1, [part]);
    },
    addUnjudged(one) {
      exchanges++;
      unjudged.add(1, [one]);
    },
    absorb(share) {
      exchanges += share.exchanges;
      unjudged.add(share.unjudged.count, share.unjudged.first);
      if (share.inferred) inferred.add(share.inferred);
      for (const group of share.groups) groups.add(group, group.exchanges);
      if (keep) for (const finding of share.findings) listed.add(finding);
      for (const [id, exercised, failed, warned, unenforced, needs, skipped, broken] of share.counts) {
        const count = counts.get(id);
        if (!count) continue;
        count.exercised += exercised;
        count.failed += failed;
        count.warned += warned;
        count.unenforced += unenforced;
        for (const why of needs) addReason(count, "needs", why);
        for (const why of skipped) addReason(count, "skipped", why);
        for (const why of broken) addReason(count, "broken", why);
      }
    },
    share() {
      countMet();
      return {
        exchanges,
        findings: listed.all().findings,
        groups: groups.all(),
        unjudged: unjudged.all(),
        ...inferred.all(),
        counts: [...counts]
          .filter(([, c]) => c.exercised > 0 || c.needs || c.skipped || c.broken)
          .map(([id, c]): Share["counts"][number] => [
            id,
            c.exercised,
            c.failed,
            c.warned,
            c.unenforced,
            [...(c.needs ?? [])],
            [...(c.skipped ?? [])],
            [...(c.broken ?? [])],
          ]),
      };
    },
    document(complete, elsewhere) {
      countMet();
      const { findings, first } = listed.all();
      const { count, first: named } = unjudged.all();
      const counted = groups.document((elsewhere ?? { first }).first);
      return {
        complete,
        summary: { ...summaryOf(exchanges, counted), unjudged: count },
        findings,
        groups: counted,
        unjudged: named,
        ...inferred.all(),
        clauses: clauses.map((clause) => verdictOn(clause, counts.get(clause.id)!)).sort((a, b) => compare(a.id, b.id)),
      };
    },
  };
}

/** The share that findings, groups and exchanges of a document add to a tally; its clauses are merged apart. */
export function shareOf({ summary, findings, groups, unjudged, inferred }: VerdictDocument): Share {
  const bare = findings.map(({ diverges: _diverges, ...finding }) => finding);
  return {
    exchanges: summary.exchanges,
    findings: bare,
    groups,
    unjudged: { count: summary.unjudged, first: unjudged },
    ...(inferred && { inferred }),
    counts: [],
  };
}

/** Counts exchanges that were not judged as a whole, and names the first of them. */
function createUnjudged() {
  let count = 0;
  let first: Unjudged[] = [];
  return {
    add(more: number, named: readonly Unjudged[]): void {
      count += more;
      if (named.length > 0) first = [...first, ...named].sort(byExchange).slice(0, maxUnjudged);
    },
    all: () => ({ count, first }),
  };
}

/** The earlier of two places, of which either may be unknown. */
export function firstOf(a: ExchangePlace | undefined, b: ExchangePlace | undefined): ExchangePlace | undefined {
  return a && b ? (byExchange(a, b) <= 0 ? a : b) : (a ?? b);
}

/** Counts findings by level; those of rules that are unenforced count nowhere. */
function summaryOf(exchanges: number, groups: readonly GroupCount[]): Omit<Summary, "unjudged"> {
  const levels = { error: 0, warning: 0, note: 0, unenforced: 0 };
  for (const { level, count } of groups) levels[level] += count;
  return { exchanges, errors: levels.error, warnings: levels.warning, notes: levels.note };
}
