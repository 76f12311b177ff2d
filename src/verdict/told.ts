/** Which findings a document tells, and how it counts them all: the same whatever the order they came in. */
import type { Finding } from "../check/clause.ts";
import { type Alike, type GroupCount, keyOf, mostTold, restKeyOf } from "../check/groups.ts";
import type { Group } from "./document.ts";

/** Positions a group names. */
const mostFirst = 3;

/** Exchanges without a whole verdict that a document names. */
export const mostUnjudged = 100;

/** Orders texts by code unit, numbers by size: the same on every machine. */
export function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface At {
  readonly source: string;
  readonly exchange: number;
}

/** Orders by source and exchange. */
export const byExchange = (a: At, b: At): number => compare(a.source, b.source) || compare(a.exchange, b.exchange);

/** The order findings are reported in. */
export function byPlace(a: Finding, b: Finding): number {
  return (
    byExchange(a, b) ||
    compare(a.side, b.side) ||
    compare(a.in, b.in) ||
    compare(a.event ?? -1, b.event ?? -1) ||
    compare(a.pointer, b.pointer) ||
    compare(a.clause, b.clause) ||
    compare(a.message, b.message)
  );
}

const byGroup = (a: Alike, b: Alike): number =>
  compare(a.clause, b.clause) ||
  compare(a.level, b.level) ||
  compare(a.side, b.side) ||
  compare(a.in, b.in) ||
  compare(a.pointer, b.pointer);

/** Chooses among findings that come in order. */
export interface Choice {
  /** Whether a document tells this one: a hundred of a group, and the first error of every exchange. */
  takes(finding: Finding): boolean;
  /** By group key: positions of its first findings among those taken. */
  readonly first: ReadonlyMap<string, readonly number[]>;
}

export function createChoice(): Choice {
  const counts = new Map<string, number>();
  const first = new Map<string, number[]>();
  let taken = 0;
  let last: At | undefined;
  return {
    first,
    takes(finding) {
      const key = keyOf(finding);
      const count = (counts.get(key) ?? 0) + 1;
      const isFirstError = finding.level === "error" && !(last && byExchange(last, finding) === 0);
      if (isFirstError) last = { source: finding.source, exchange: finding.exchange };
      if (count > mostTold && !isFirstError) return false;
      counts.set(key, count);
      const positions = first.get(key);
      if (!positions) first.set(key, [taken]);
      else if (positions.length < mostFirst) positions.push(taken);
      taken++;
      return true;
    },
  };
}

/** Findings in any order; keeps what a document tells of them, in memory linear in that. */
export function createTold() {
  let findings: Finding[] = [];
  let most = 10_000;
  /** What is told of a part is told of the whole, or others stand for it: choosing early changes nothing. */
  function choose(): Choice {
    const choice = createChoice();
    findings = findings.sort(byPlace).filter(choice.takes);
    return choice;
  }
  return {
    add(finding: Finding): void {
      if (findings.push(finding) < most) return;
      choose();
      most = 2 * findings.length + 10_000;
    },
    /** What is told, in order. */
    all(): { readonly findings: readonly Finding[]; readonly first: Choice["first"] } {
      const { first } = choose();
      return { findings, first };
    },
  };
}

/** A group as it is counted over exchanges. */
export type Counted = Omit<Group, "first">;

/** Adds up groups of any number of exchanges. */
export function createGroupCounts() {
  const groups = new Map<string, { -readonly [K in keyof Counted]: Counted[K] }>();
  function add(group: GroupCount, exchanges: number): void {
    const key = keyOf(group);
    const known = groups.get(key);
    if (known) {
      known.count += group.count;
      known.exchanges += exchanges;
    } else {
      const { clause, level, side, in: place, pointer, count } = group;
      groups.set(key, { clause, level, side, in: place, pointer, count, exchanges });
    }
  }
  return {
    add,
    all: (): Counted[] => [...groups.values()],
    /** As a document has them. */
    document(first: Choice["first"]): Group[] {
      const positions = new Map<string, readonly number[]>();
      for (const [key, own] of first) {
        const group = groups.has(key) ? key : restKeyOf(key);
        positions.set(group, [...(positions.get(group) ?? []), ...own].slice(0, mostFirst));
      }
      return [...groups.values()]
        .sort(byGroup)
        .map((group) => ({ ...group, first: positions.get(keyOf(group)) ?? [] }));
    },
  };
}
