/** `sequence`: numbers count up by a step, from event to event or from item to item. */

import type { Key } from "./key.ts";
import type { Kind, LawFault } from "./kind.ts";
import { byKey, compileSelector, type Picked, type Selector, spotOf } from "./selector.ts";
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
    /** Visits each value that has to continue a count; a wrong one is taken as the new count, so that it is reported once. */
    function eachStep(view: View, visit: (one: Picked, next: number, last: number | undefined) => void): void {
      const lasts = new Map<Key | undefined, number>();
      let key: Key | undefined;
      let last: number | undefined;
      for (const one of select.present(view)) {
        if (typeof one.value !== "number") continue;
        if (one.key !== key) {
          if (last !== undefined) lasts.set(key, last);
          key = one.key;
          last = lasts.get(key);
        }
        const next = last === undefined ? from : last + step;
        if (next !== undefined) visit(one, next, last);
        last = one.value;
      }
    }
    return {
      selects: [select],
      judge(view) {
        const faults: LawFault[] = [];
        let applies = false;
        eachStep(view, (one, next, last) => {
          applies = true;
          if (one.value === next || (repeats && last !== undefined && one.value === last)) return;
          const expected = repeats && last !== undefined ? `${next} or ${last}` : String(next);
          faults.push({ spot: spotOf(one), expected, actual: one.value });
        });
        return applies ? faults : undefined;
      },
      spoil(draft, attempt) {
        const all: Picked[] = [];
        eachStep(draft, (one) => all.push(one));
        const one = all.at(-1 - attempt);
        if (one) setAt(draft, spotOf(one), (one.value as number) + step + 1);
        return one !== undefined;
      },
      mend(draft) {
        const numbers = select.present(draft).filter(({ value }) => typeof value === "number");
        for (const group of byKey(numbers).values()) {
          const start = from ?? (group[0]!.value as number);
          for (const [i, one] of group.entries()) setAt(draft, spotOf(one), start + i * step);
        }
      },
    };
  },
};
