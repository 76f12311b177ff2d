/** Groups violations that differ only in positions, so that all are counted and few are told. */
import type { Level, Place, Side } from "./clause.ts";
import { own } from "./excerpt.ts";

/** What violations of one group have in common. */
export interface Alike {
  readonly clause: string;
  readonly level: Level;
  readonly side: Side;
  readonly in: Place;
  /** A finding's pointer with positions in lists as `*`; `/**` for what is not told apart any more. */
  readonly pointer: string;
}

/** A group in one exchange: how many violations it has there. */
export interface GroupCount extends Alike {
  readonly count: number;
}

/** Findings of a group that are told; the others are only counted. */
export const mostTold = 100;

/** Groups of one clause that are told apart, in one exchange and in all of them. */
export const mostGroups = 1000;

/** A pointer without positions: `/choices/0/delta` is `/choices/*\/delta`. */
export const patternOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, "/*");

/** What groups have in common that differ in their place only. */
export const kindOf = ({ clause, level, side, in: place }: Alike): string => `${clause} ${level} ${side} ${place}`;

/** The same text for all violations of a group. */
export const keyOf = (alike: Alike): string => `${kindOf(alike)} ${patternOf(alike.pointer)}`;

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
    add(alike: Alike): number {
      const known = groups.get(keyOf(alike));
      if (known) return ++known.count;
      const kind = kindOf(alike);
      const told = kinds.get(kind) ?? 0;
      kinds.set(kind, told + 1);
      const { clause, level, side, in: place } = alike;
      const pointer = told < mostGroups ? own(patternOf(alike.pointer)) : anywhere;
      const key = `${kind} ${pointer}`;
      const group = groups.get(key) ?? { clause, level, side, in: place, pointer, count: 0 };
      groups.set(key, group);
      return ++group.count;
    },
    /** In the order in which they were met. */
    all: (): GroupCount[] => [...groups.values()],
  };
}

/** The findings that are told, by the group that counts them; groups in the order of their first finding. */
export function toldByGroup<G extends GroupCount, F extends Alike>(
  groups: readonly G[],
  findings: readonly F[],
): Map<G, F[]> {
  const known = new Map(groups.map((group) => [keyOf(group), group]));
  const told = new Map<G, F[]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const group = known.get(key) ?? known.get(restKeyOf(key));
    if (!group) continue;
    const list = told.get(group);
    if (list) list.push(finding);
    else told.set(group, [finding]);
  }
  return told;
}
