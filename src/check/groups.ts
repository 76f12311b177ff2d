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

/** Counts the violations of one exchange by group. */
export function createGroups() {
  const groups = new Map<string, { -readonly [K in keyof GroupCount]: GroupCount[K] }>();
  const kinds = new Map<string, number>();
  return {
    /** Counts one; gives how many its group has now. */
    add(identity: GroupIdentity): number {
      const known = groups.get(keyOf(identity));
      if (known) return ++known.count;
      const kind = kindOf(identity);
      const ofKind = kinds.get(kind) ?? 0;
      kinds.set(kind, ofKind + 1);
      const { clause, level, side, in: place } = identity;
      const pointer = ofKind < maxGroups ? detach(patternOf(identity.pointer)) : anywhere;
      const key = `${kind} ${pointer}`;
      const group = groups.get(key) ?? { clause, level, side, in: place, pointer, count: 0 };
      groups.set(key, group);
      return ++group.count;
    },
    /** In the order in which they were met. */
    all: (): GroupCount[] => [...groups.values()],
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
