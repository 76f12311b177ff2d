/** Groups violations that differ only in array indices and event numbers, so that all are counted and few are reported. */
import type { FindingLevel, Place, Side } from "./clause.ts";
import { detach } from "./excerpt.ts";

/** The features that violations of one group share. */
export interface GroupIdentity {
  readonly clause: string;
  readonly level: FindingLevel;
  readonly side: Side;
  readonly in: Place;
  /** A finding's pointer with positions in lists as `*`; `/**` for the rest, which is not kept apart. */
  readonly pointer: string;
}

/** A group in one exchange: how many violations it has there. */
export interface GroupCount extends GroupIdentity {
  readonly count: number;
}

/** Findings of a group that are reported; the others are only counted. */
export const maxReported = 100;

/** Groups of one clause that are kept apart, in one exchange and in all of them; further ones count as one. */
export const maxGroups = 1000;

/** A pointer without positions: `/choices/0/delta` is `/choices/*\/delta`. */
export const patternOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, "/*");

/** The same text for groups that differ in their pointer only. */
export const kindOf = ({ clause, level, side, in: place }: GroupIdentity): string =>
  `${clause} ${level} ${side} ${place}`;

/** The same text for all violations of a group. */
export const keyOf = (identity: GroupIdentity): string => `${kindOf(identity)} ${patternOf(identity.pointer)}`;

/** The place of the group that takes what an exchange had too many groups for. */
export const anywhere = "/**";

/** The key of that group, for what has this key. */
export const restKeyOf = (key: string): string => `${key.split(" ", 4).join(" ")} ${anywhere}`;

type Group = { -readonly [K in keyof GroupCount]: GroupCount[K] };

/** Counts the violations of one exchange by group. */
export function createGroups() {
  const groups: Group[] = [];
  const kinds = new Map<string, number>();
  /** Groups by clause and pattern: keys of one text each would be made for every violation. */
  const byClause = new Map<string, Map<string, Group[]>>();

  /** The groups of a clause at a pattern of places. */
  function groupsAt(clause: string, pattern: string): Group[] {
    let ofClause = byClause.get(clause);
    if (!ofClause) byClause.set(clause, (ofClause = new Map()));
    let at = ofClause.get(pattern);
    if (!at) ofClause.set(pattern, (at = []));
    return at;
  }

  const among = (at: readonly Group[] | undefined, { level, side, in: place }: GroupIdentity): Group | undefined =>
    at?.find((one) => one.level === level && one.side === side && one.in === place);

  return {
    /** Counts one; gives how many its group has now. */
    add(identity: GroupIdentity): number {
      const { clause, level, side, in: place } = identity;
      const pattern = patternOf(identity.pointer);
      const known = among(byClause.get(clause)?.get(pattern), identity);
      if (known) return ++known.count;
      const kind = kindOf(identity);
      const ofKind = kinds.get(kind) ?? 0;
      kinds.set(kind, ofKind + 1);
      const pointer = ofKind < maxGroups ? detach(pattern) : anywhere;
      const at = groupsAt(clause, pointer);
      let group = among(at, identity);
      if (!group) {
        group = { clause, level, side, in: place, pointer, count: 0 };
        at.push(group);
        groups.push(group);
      }
      return ++group.count;
    },
    /** In the order in which they were met. */
    all: (): GroupCount[] => groups,
  };
}

/** Reported findings by the group that counts them; groups in the order of their first finding. */
export function findingsByGroup<G extends GroupCount, F extends GroupIdentity>(
  groups: readonly G[],
  findings: readonly F[],
): Map<G, F[]> {
  const known = new Map(groups.map((group) => [keyOf(group), group]));
  const byGroup = new Map<G, F[]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const group = known.get(key) ?? known.get(restKeyOf(key));
    if (!group) continue;
    const list = byGroup.get(group);
    if (list) list.push(finding);
    else byGroup.set(group, [finding]);
  }
  return byGroup;
}
