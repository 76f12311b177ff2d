/** `concat`: strings that, joined in order, are another string. */

import type { Key } from "./key.ts";
import type { Kind, LawFault } from "./kind.ts";
import { byKey, compileSelector, type Picked, type Selector, spotOf } from "./selector.ts";
import { setAt, type View } from "./view.ts";

interface Concat {
  readonly of: Selector;
  readonly to: Selector;
}

export const concat: Kind = {
  name: "concat",
  says: "The strings of `of`, joined in order, are the string of `to` that has the same key.",
  parameters: { of: "selector", to: "selector" },
  required: ["of", "to"],
  compile({ of, to }: Concat) {
    const left = compileSelector(of);
    const right = compileSelector(to);
    /** Each string of `to` that has deltas, and their text. An interrupted response shows neither in full. */
    function pairs(view: View): { readonly one: Picked; readonly deltas: readonly Picked[]; readonly text: string }[] {
      if (view.interrupted) return [];
      const wholes = right.present(view).filter(({ value }) => typeof value === "string");
      if (wholes.length === 0) return [];
      const groups = byKey(left.present(view));
      const texts = new Map<Key | undefined, string>();
      for (const [key, deltas] of groups) {
        let text = "";
        if (deltas.every(({ value }) => typeof value === "string")) {
          for (const { value } of deltas) text += value;
          texts.set(key, text);
        }
      }
      return wholes.flatMap((one) => {
        const text = texts.get(one.key);
        return text === undefined ? [] : [{ one, deltas: groups.get(one.key)!, text }];
      });
    }
    return {
      selects: [left, right],
      judge(view) {
        const all = pairs(view);
        if (all.length === 0) return undefined;
        return all.flatMap(({ one, text }): LawFault[] =>
          one.value === text ? [] : [{ spot: spotOf(one), expected: text, actual: one.value }],
        );
      },
      spoil(draft, attempt) {
        // Another word, or only a space: that keeps JSON valid.
        const suffix = attempt % 2 === 0 ? "-other" : " ";
        const all = pairs(draft).reverse();
        const places = [...all.map(({ one }) => one), ...all.map(({ deltas }) => deltas.at(-1)!)];
        const one = places[Math.floor(attempt / 2)];
        if (one) setAt(draft, spotOf(one), `${one.value}${suffix}`);
        return one !== undefined;
      },
      mend(draft) {
        for (const { one, text } of pairs(draft)) setAt(draft, spotOf(one), text);
      },
      // Examples have both sides.
      ...(left.isOnEvents &&
        right.isOnEvents && { order: { before: [[of, to]] as const, with: [[of, to] as const, [to, of] as const] } }),
    };
  },
};
