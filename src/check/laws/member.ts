/** `member`: values that are found elsewhere. */

import { type Kind, type LawFault, otherValue } from "./kind.ts";
import { byKey, compileSelector, isScalar, type Picked, type Selector, shown, spotOf } from "./selector.ts";
import { setAt, type View } from "./view.ts";

interface Member {
  readonly of: Selector;
  readonly among: Selector;
  readonly ifNone?: "any";
}

const none: ReadonlySet<unknown> = new Set();

const inWords = (allowed: ReadonlySet<unknown>): string =>
  allowed.size === 0 ? "no value" : `one of ${shown([...allowed].slice(0, 20))}`;

export const member: Kind = {
  name: "member",
  says: "Each string, number or boolean of `of` is one of the values of `among` that have the same key.",
  parameters: {
    of: "selector",
    among: "selector",
    ifNone: { const: "any", description: "Any value is allowed if `among` picks none." },
  },
  required: ["of", "among"],
  compile({ of, among, ifNone }: Member) {
    const left = compileSelector(of);
    const right = compileSelector(among);
    const isKeyed = of.by !== undefined && among.by !== undefined;
    /** Each value and those that are allowed for it. */
    function pairs(view: View): { readonly one: Picked; readonly allowed: ReadonlySet<unknown> }[] {
      if (!right.hasPart(view) || (right.isOnEvents && view.interrupted)) return [];
      const own = left.present(view).filter(({ value }) => isScalar(value));
      if (own.length === 0) return [];
      const others = right.present(view);
      const groups = isKeyed ? byKey(others) : new Map([[undefined, others]]);
      const sets = new Map([...groups].map(([key, group]) => [key, new Set(group.map(({ value }) => value))]));
      return own.flatMap((one) => {
        const allowed = sets.get(isKeyed ? one.key : undefined) ?? none;
        return allowed.size === 0 && ifNone === "any" ? [] : [{ one, allowed }];
      });
    }
    return {
      selects: [left, right],
      judge(view) {
        const all = pairs(view);
        if (all.length === 0) return undefined;
        const texts = new Map<unknown, string>();
        return all
          .filter(({ one, allowed }) => !allowed.has(one.value))
          .map(({ one, allowed }): LawFault => {
            const expected = texts.get(allowed) ?? inWords(allowed);
            texts.set(allowed, expected);
            return { spot: spotOf(one), expected, actual: one.value };
          });
      },
      spoil(draft, attempt) {
        const { one, allowed } = pairs(draft).at(-1 - attempt) ?? {};
        if (!one || !allowed) return false;
        let other = otherValue(one.value);
        for (let tries = 0; tries < allowed.size && allowed.has(other); tries++) other = otherValue(other);
        setAt(draft, spotOf(one), other);
        return true;
      },
      mend(draft) {
        for (const { one, allowed } of pairs(draft))
          if (!allowed.has(one.value)) setAt(draft, spotOf(one), [...allowed].find(isScalar));
      },
    };
  },
};
