/** `unique`: values that occur once. */

import type { Kind } from "./kind.ts";
import { byKey, compileSelector, isScalar, type Picked, placeOf, type Selector, spotOf } from "./selector.ts";
import { setAt, type View } from "./view.ts";

interface Unique {
  readonly of: Selector;
}

export const unique: Kind = {
  name: "unique",
  says: "The strings, numbers and booleans of `of` differ from each other, per key; within a `session`, no exchange has the strings and numbers of an earlier one.",
  parameters: {
    of: "selector",
    within: {
      enum: ["exchange", "session"],
      description:
        "Where the values differ: in each exchange (default), or from exchange to exchange of a session. Retries, replays, GET requests and values that the request has are not judged.",
    },
  },
  required: ["of"],
  compile({ of }: Unique) {
    const select = compileSelector(of);
    /** Groups of values that must differ. */
    const groupsOf = (view: View): Picked[][] =>
      [...byKey(select.present(view).filter(({ value }) => isScalar(value))).values()].filter(
        (group) => group.length > 1,
      );
    /** Earlier values and their places. */
    function* repeated(group: readonly Picked[]): Generator<{ readonly one: Picked; readonly earlier: Picked }> {
      // Most groups have no repeated value.
      if (new Set(group.map(({ value }) => value)).size === group.length) return;
      const seen = new Map<unknown, Picked>();
      for (const one of group) {
        const earlier = seen.get(one.value);
        if (earlier) yield { one, earlier };
        else seen.set(one.value, one);
      }
    }
    return {
      selects: [select],
      values: (view) =>
        select
          .present(view)
          .filter(({ value }) => typeof value === "number" || (typeof value === "string" && value !== "")),
      judge(view) {
        const groups = groupsOf(view);
        if (groups.length === 0) return undefined;
        return groups
          .flatMap((group) => [...repeated(group)])
          .map(({ one, earlier }) => ({
            spot: spotOf(one),
            expected: `another value than at ${placeOf(spotOf(earlier))}`,
            actual: one.value,
          }));
      },
      spoil(draft, attempt) {
        const later = groupsOf(draft).flatMap(([first, ...others]) => others.map((one) => ({ one, first: first! })));
        const { one, first } = later.at(-1 - attempt) ?? {};
        if (!one || !first) return false;
        setAt(draft, spotOf(one), first.value);
        return true;
      },
      mend(draft) {
        for (const group of groupsOf(draft)) {
          const used = new Set(group.map(({ value }) => value));
          let number = 2;
          for (const { one } of repeated(group)) {
            if (typeof one.value === "boolean") continue;
            const next = (): unknown => (typeof one.value === "number" ? number++ : `${one.value}-${number++}`);
            let value = next();
            while (used.has(value)) value = next();
            used.add(value);
            setAt(draft, spotOf(one), value);
          }
        }
      },
    };
  },
};
