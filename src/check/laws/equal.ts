/** `equal`: all values of `of` are equal, or equal to those of `to`, or to one value. */

import { isObject } from "../../wire/json.ts";
import type { Key } from "./key.ts";
import { type Kind, type LawFault, otherValue } from "./kind.ts";
import {
  byKey,
  compileSelector,
  firstByKey,
  isSame,
  type Picked,
  placeOf,
  type Selector,
  shown,
  spotOf,
} from "./selector.ts";
import { type Draft, setAt, type View } from "./view.ts";

interface Equal {
  readonly of: Selector;
  readonly to?: Selector;
  /** The values of `to` are together the list that `of` is: in their order, or as a `set` in any order. */
  readonly as?: "list" | "set";
  readonly is?: unknown;
  readonly wrong?: unknown;
}

/** The leaves of a value that a counterexample may change. */
function* leavesOf(value: unknown, pointer = ""): Generator<{ readonly pointer: string; readonly value: unknown }> {
  if (typeof value !== "object" || value === null) yield { pointer, value };
  else for (const [name, one] of Object.entries(value)) yield* leavesOf(one, `${pointer}/${name}`);
}

/** JSON with the members of objects in a fixed order. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_name, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );

const inFixedOrder = (items: readonly unknown[]): string[] => items.map(canonicalJson).sort();

export const equal: Kind = {
  name: "equal",
  says: "All values of `of` are equal; with `to`, they equal the value of `to` that has the same key; with `is`, they equal this value.",
  parameters: {
    of: "selector",
    to: "selector",
    as: {
      enum: ["list", "set"],
      description: "The values of `to` are the list that `of` is: in their order, or as a set in any order.",
    },
    is: { description: "The value." },
    wrong: { description: "A value for counterexamples, where no other value of the same type has the right shape." },
  },
  required: ["of"],
  compile({ of, to, as, is, wrong }: Equal) {
    const left = compileSelector(of);
    const right = to && compileSelector(to);
    const none: readonly unknown[] = [];
    /** Visits each value with what it has to equal, and where that is. Values without a counterpart are left out. */
    function eachPair(view: View, visit: (one: Picked, wanted: unknown, like: Picked | undefined) => void): void {
      const own = left.present(view);
      if (own.length === 0) return;
      if (is !== undefined) {
        for (const one of own) visit(one, is, undefined);
        return;
      }
      if (as !== undefined && right) {
        const lists = new Map(
          [...byKey(right.present(view))].map(([key, group]) => [key, group.map(({ value }) => value)]),
        );
        for (const one of own) {
          const list = lists.get(one.key) ?? (right.hasPart(view) ? none : undefined);
          if (list) visit(one, list, undefined);
        }
        return;
      }
      const firsts = firstByKey(right ? right.present(view) : own);
      let key: Key | undefined;
      let like: Picked | undefined;
      for (const one of own) {
        if (one.key !== key || like === undefined) {
          key = one.key;
          like = firsts.get(key);
        }
        if (like && like !== one) visit(one, like.value, like);
      }
    }
    interface Pair {
      readonly one: Picked;
      readonly wanted: unknown;
    }
    function pairs(view: View): Pair[] {
      const all: Pair[] = [];
      eachPair(view, (one, wanted) => all.push({ one, wanted }));
      return all;
    }
    /** Compares with wanted values. Prepares each of them once, since many values may want the same one. */
    function comparer(): (value: unknown, wanted: unknown) => boolean {
      if (as !== "set") return isSame;
      const sets = new Map<unknown, string[]>();
      return (value, wanted) => {
        const set = sets.get(wanted) ?? inFixedOrder(wanted as unknown[]);
        sets.set(wanted, set);
        return Array.isArray(value) && value.length === set.length && isSame(inFixedOrder(value), set);
      };
    }
    return {
      selects: right ? [left, right] : [left],
      judge(view) {
        const faults: LawFault[] = [];
        let applies = false;
        const isEqual = comparer();
        let shownLast: { readonly wanted: unknown; readonly text: string } | undefined;
        eachPair(view, (one, wanted, like) => {
          applies = true;
          if (one.value === wanted || isEqual(one.value, wanted)) return;
          if (shownLast?.wanted !== wanted || shownLast === undefined) shownLast = { wanted, text: shown(wanted) };
          const where = like ? ` as at ${placeOf(spotOf(like))}` : wanted === none ? "" : as ? " as sent before" : "";
          faults.push({ spot: spotOf(one), expected: `${shownLast.text}${where}`, actual: one.value });
        });
        return applies ? faults : undefined;
      },
      spoil(draft: Draft, attempt) {
        const candidates = pairs(draft).flatMap(({ one }) =>
          [...leavesOf(one.value)].map((leaf) => ({
            spot: { ...spotOf(one), pointer: spotOf(one).pointer + leaf.pointer },
            leaf,
          })),
        );
        const { spot, leaf } = candidates[candidates.length - 1 - attempt] ?? {};
        if (!spot || !leaf) return false;
        const other = wrong ?? otherValue(leaf.value);
        if (other !== undefined) setAt(draft, spot, other);
        return true;
      },
      mend(draft: Draft) {
        for (const { one, wanted } of pairs(draft)) setAt(draft, spotOf(one), structuredClone(wanted));
      },
      // Examples have both sides.
      ...(left.isOnEvents && right?.isOnEvents && { order: { with: [[of, to!]] as const } }),
    };
  },
};
