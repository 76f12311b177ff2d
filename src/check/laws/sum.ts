/** `sum`: a number and the sum of others. */

import { Key } from "./key.ts";
import type { Kind, LawFault } from "./kind.ts";
import { compileSelector, isSame, type Picked, type Select, type Selector, spotOf } from "./selector.ts";
import { setAt, type View } from "./view.ts";

interface Sum {
  readonly of: Selector;
  readonly is?: readonly Selector[];
  readonly atMost?: readonly Selector[];
  readonly atLeast?: readonly Selector[];
}

/** Numbers such as prices are rounded: 0.1 + 0.2 counts as 0.3. */
const isNearly = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

const words = { is: "", atMost: "at most ", atLeast: "at least " } as const;
type Relation = keyof typeof words;

const holds = (relation: Relation, value: number, total: number): boolean =>
  isNearly(value, total) || (relation === "atMost" && value < total) || (relation === "atLeast" && value > total);

interface Pair {
  readonly one: Picked;
  readonly relation: Relation;
  readonly total: number;
}

export const sum: Kind = {
  name: "sum",
  says: "The number `of` equals the sum of the numbers that `is` lists, or is at most or at least the sum of those of `atMost` or `atLeast`, per key; parts in events of the same type come from the same event.",
  parameters: { of: "selector", is: "selectors", atMost: "selectors", atLeast: "selectors" },
  required: ["of"],
  needsOne: ["is", "atMost", "atLeast"],
  compile({ of, ...others }: Sum) {
    const left = compileSelector(of);
    const sides = (Object.keys(words) as Relation[]).flatMap((relation) =>
      others[relation] ? [{ relation, parts: others[relation].map(compileSelector) }] : [],
    );
    const beside = new Set(
      sides
        .flatMap(({ parts }) => parts)
        .filter(({ selector }) => of.event !== undefined && isSame([of.event].flat(), [selector.event ?? []].flat())),
    );
    const isBeside = (select: Select): boolean => beside.has(select);

    /** Sums by key, and by event for parts next to their number. NaN if a part is no number. */
    function totalsOf(select: Select, view: View): (one: Picked) => number {
      const root = new Key();
      const groupOf = ({ key, event }: Picked): Key | undefined => (isBeside(select) ? (key ?? root).next(event) : key);
      const totals = new Map<Key | undefined, number>();
      for (const one of select.present(view)) {
        const group = groupOf(one);
        totals.set(group, (totals.get(group) ?? 0) + (typeof one.value === "number" ? one.value : Number.NaN));
      }
      return (one) => totals.get(groupOf(one)) ?? Number.NaN;
    }
    /** Each number and the sums that are complete. */
    function pairs(view: View): Pair[] {
      const numbers = left.present(view).filter(({ value }) => typeof value === "number");
      if (numbers.length === 0) return [];
      return sides.flatMap(({ relation, parts }) => {
        if (view.interrupted && parts.some((part) => part.isOnEvents && !isBeside(part))) return [];
        const totals = parts.map((part) => totalsOf(part, view));
        return numbers.flatMap((one): Pair[] => {
          let total = 0;
          for (const totalFor of totals) total += totalFor(one);
          return Number.isNaN(total) ? [] : [{ one, relation, total }];
        });
      });
    }
    return {
      selects: [left, ...sides.flatMap(({ parts }) => parts)],
      judge(view) {
        const all = pairs(view);
        if (all.length === 0) return undefined;
        return all.flatMap(({ one, relation, total }): LawFault[] =>
          holds(relation, one.value as number, total)
            ? []
            : [{ spot: spotOf(one), expected: `${words[relation]}${total}`, actual: one.value }],
        );
      },
      spoil(draft, attempt) {
        const all = pairs(draft).reverse();
        const { one, relation, total } = all[attempt % Math.max(all.length, 1)] ?? {};
        if (!one || attempt >= 2 * all.length) return false;
        const by = attempt < all.length ? 1 : 7;
        setAt(draft, spotOf(one), relation === "atLeast" ? total! - by : total! + by);
        return true;
      },
      mend(draft) {
        for (const { one, relation, total } of pairs(draft))
          if (!holds(relation, one.value as number, total)) setAt(draft, spotOf(one), total);
      },
    };
  },
};
