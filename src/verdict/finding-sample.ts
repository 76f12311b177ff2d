/** Chooses which findings a document lists, and counts all of them, independent of their order. */
import type { Finding } from "../check/clause.ts";
import { byExchange, byPlace, compare, type ExchangePlace } from "../check/finding-order.ts";
import {
  anywhere,
  type GroupCount,
  type GroupIdentity,
  keyOf,
  kindOf,
  maxGroups,
  maxReported,
  restKeyOf,
} from "../check/groups.ts";
import type { Group } from "./document.ts";

/** Positions a group names. */
const maxFirst = 3;

/** Findings of one kind that are listed besides the first of each group: members may have any number of names, each a group of its own. */
const maxOfKind = 1000;

/** Exchanges without a whole verdict that a document names. */
export const maxUnjudged = 100;

const byGroup = (a: GroupIdentity, b: GroupIdentity): number =>
  compare(a.clause, b.clause) ||
  compare(a.level, b.level) ||
  compare(a.side, b.side) ||
  compare(a.in, b.in) ||
  compare(a.pointer, b.pointer);

/** Chooses among findings that come in order. */
export interface Choice {
  /** Whether a document lists this one: a hundred of a group, as long as they are not too many of a kind, and the first error of every exchange. */
  takes(finding: Finding): boolean;
  /** By group key: positions of its first findings among those taken. */
  readonly first: ReadonlyMap<string, readonly number[]>;
}

export function createChoice(): Choice {
  const counts = new Map<string, number>();
  const kinds = new Map<string, { listed: number; groups: number }>();
  const first = new Map<string, number[]>();
  let taken = 0;
  let last: ExchangePlace | undefined;
  return {
    first,
    takes(finding) {
      const kind = kindOf(finding);
      const key = keyOf(finding);
      const count = (counts.get(key) ?? 0) + 1;
      const { listed, groups } = kinds.get(kind) ?? { listed: 0, groups: 0 };
      const isFirstError = finding.level === "error" && !(last && byExchange(last, finding) === 0);
      if (isFirstError) last = { source: finding.source, exchange: finding.exchange };
      const isWanted = count <= maxReported && (listed < maxOfKind || (count === 1 && groups < maxGroups));
      if (!isWanted && !isFirstError) return false;
      counts.set(key, count);
      kinds.set(kind, { listed: listed + 1, groups: count === 1 ? groups + 1 : groups });
      const positions = first.get(key);
      if (!positions) first.set(key, [taken]);
      else if (positions.length < maxFirst) positions.push(taken);
      taken++;
      return true;
    },
  };
}

/** Findings in any order; keeps what a document lists of them, in memory linear in that. */
export function createFindingSample() {
  let findings: Finding[] = [];
  let maxKept = 10_000;
  /** A finding that is listed for a part is listed for the whole, or others stand for it: choosing early changes nothing. */
  function choose(): Choice {
    const choice = createChoice();
    findings = findings.sort(byPlace).filter(choice.takes);
    return choice;
  }
  return {
    add(finding: Finding): void {
      if (findings.push(finding) < maxKept) return;
      choose();
      maxKept = 2 * findings.length + 10_000;
    },
    /** The listed findings, in order. */
    all(): { readonly findings: readonly Finding[]; readonly first: Choice["first"] } {
      const { first } = choose();
      return { findings, first };
    },
  };
}

/** A group as it is counted over exchanges. */
export type Counted = Omit<Group, "first">;

/**
 * Adds up groups of any number of exchanges. Of each kind, groups are told apart whose places come first in order, and the
 * others are one group. So earlier input does not matter.
 */
export function createGroupCounts() {
  const groups = new Map<string, { -readonly [K in keyof Counted]: Counted[K] }>();
  const places = new Map<string, Set<string>>();

  function count(key: string, { clause, level, side, in: place }: GroupIdentity, pointer: string, more: Counted): void {
    const known = groups.get(key);
    if (known) {
      known.count += more.count;
      known.exchanges += more.exchanges;
    } else groups.set(key, { clause, level, side, in: place, pointer, count: more.count, exchanges: more.exchanges });
  }

  function add(group: GroupCount, exchanges: number): void {
    const key = keyOf(group);
    const isNew = !groups.has(key);
    count(key, group, group.pointer, { ...group, exchanges });
    if (!isNew || group.pointer === anywhere) return;
    const kind = kindOf(group);
    const own = places.get(kind) ?? new Set();
    places.set(kind, own.add(group.pointer));
    if (own.size >= 2 * maxGroups) join(kind, own);
  }

  /** Makes one group of the places of a kind that are too many. */
  function join(kind: string, own: Set<string>): void {
    if (own.size <= maxGroups) return;
    for (const pointer of [...own].sort().slice(maxGroups)) {
      const key = `${kind} ${pointer}`;
      const group = groups.get(key)!;
      groups.delete(key);
      own.delete(pointer);
      count(restKeyOf(key), group, anywhere, group);
    }
  }

  function joined(): Counted[] {
    for (const [kind, own] of places) join(kind, own);
    return [...groups.values()];
  }

  return {
    add,
    all: joined,
    /** As a document has them. */
    document(first: Choice["first"]): Group[] {
      const all = joined();
      const positions = new Map<string, readonly number[]>();
      for (const [key, own] of first) {
        const group = groups.has(key) ? key : restKeyOf(key);
        positions.set(group, [...(positions.get(group) ?? []), ...own].sort((a, b) => a - b).slice(0, maxFirst));
      }
      return all.sort(byGroup).map((group) => ({ ...group, first: positions.get(keyOf(group)) ?? [] }));
    },
  };
}
