/** `sequence`: numbers count up by a step, from event to event or from item to item. */

import type { Kind } from "./kind.ts";
import { byKey, compileSelector, type Picked, type Selector } from "./selector.ts";
import { setAt, type View } from "./view.ts";

interface Sequence {
  readonly of: Selector;
  readonly from?: number;
  readonly step?: number;
  readonly repeats?: boolean;
}

export const sequence: Kind = {
  name: "sequence",
  says: "The numbers of `of` count up by `step` (1 by default), per key, from `from` or from whatever the first one is.",
  parameters: {
    of: "selector",
    from: { type: "number", description: "The first number." },
    step: { type: "number", description: "Difference between neighbours; 1 by default." },
    repeats: { type: "boolean", description: "Whether a number may come several times before the next one." },
  },
  required: ["of"],
  compile({ of, from, step = 1, repeats = false }: Sequence) {
    const select = compileSelector(of);
    const numbers = (view: View): Picked[] => select.present(view).filter(({ value }) => typeof value === "number");
    /** Each value and the number expected there; a wrong one is taken as the new count, so that it is reported once. */
    function* steps(view: View): Generator<{ readonly one: Picked; readonly wanted: readonly number[] }> {
      for (const group of byKey(numbers(view)).values()) {
        let last: number | undefined;
        for (const one of group) {
          const next = last === undefined ? from : last + step;
          if (next !== undefined) yield { one, wanted: repeats && last !== undefined ? [next, last] : [next] };
          last = one.value as number;
        }
      }
    }
    return {
      selects: [select],
      judge(view) {
        const all = [...steps(view)];
        if (all.length === 0) return undefined;
        return all
          .filter(({ one, wanted }) => !wanted.includes(one.value as number))
          .map(({ one, wanted }) => ({ spot: one.spot, expected: wanted.join(" or "), actual: one.value }));
      },
      spoil(draft, attempt) {
        const all = [...steps(draft)].reverse();
        const { one } = all[attempt] ?? {};
        if (one) setAt(draft, one.spot, (one.value as number) + step + 1);
        return one !== undefined;
      },
      mend(draft) {
        for (const group of byKey(numbers(draft)).values()) {
          const start = from ?? (group[0]!.value as number);
          for (const [i, { spot }] of group.entries()) setAt(draft, spot, start + i * step);
        }
      },
    };
  },
};
