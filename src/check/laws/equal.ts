/** `equal`: all values of `of` are equal, or equal to those of `to`, or to one value. */

import { isObject } from "../../wire/json.ts";
import { type Kind, type LawFault, otherValue } from "./kind.ts";
import { byKey, compileSelector, isSame, type Picked, placeOf, type Selector, shown } from "./selector.ts";
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
    /** What each value has to equal; values without a counterpart are left out. */
    function pairs(view: View): { readonly one: Picked; readonly wanted: unknown; readonly like: string }[] {
      const own = left.present(view);
      if (is !== undefined) return own.map((one) => ({ one, wanted: is, like: "" }));
      if (!right)
        return [...byKey(own).values()].flatMap(([first, ...others]) =>
          others.map((one) => ({ one, wanted: first!.value, like: ` as at ${placeOf(first!.spot)}` })),
        );
      const others = byKey(right.present(view));
      return own.flatMap((one) => {
        const group = others.get(one.key);
        if (!group) return as !== undefined && right.hasPart(view) ? [{ one, wanted: [], like: "" }] : [];
        if (as !== undefined) return [{ one, wanted: group.map(({ value }) => value), like: " as sent before" }];
        return [{ one, wanted: group[0]!.value, like: ` as at ${placeOf(group[0]!.spot)}` }];
      });
    }
    const comparable = (value: unknown): unknown =>
      as === "set" && Array.isArray(value) ? inFixedOrder(value) : value;
    return {
      selects: right ? [left, right] : [left],
      judge(view) {
        const all = pairs(view);
        if (all.length === 0) return undefined;
        return all.flatMap(({ one, wanted, like }): LawFault[] =>
          isSame(comparable(one.value), comparable(wanted))
            ? []
            : [{ spot: one.spot, expected: `${shown(wanted)}${like}`, actual: one.value }],
        );
      },
      spoil(draft: Draft, attempt) {
        const candidates = pairs(draft).flatMap(({ one }) =>
          [...leavesOf(one.value)].map((leaf) => ({
            spot: { ...one.spot, pointer: one.spot.pointer + leaf.pointer },
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
        for (const { one, wanted } of pairs(draft)) setAt(draft, one.spot, structuredClone(wanted));
      },
      // Examples have both sides.
      ...(left.isOnEvents && right?.isOnEvents && { order: { with: [[of, to!]] as const } }),
    };
  },
};
