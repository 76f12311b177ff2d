/** `bracket`: events that lie between an opening and a closing event of the same key. */

import type { Key } from "./key.ts";
import type { Kind, LawFault } from "./kind.ts";
import { compileSelector, type Picked, type Select, type Selector, spotOf } from "./selector.ts";
import type { Draft, View } from "./view.ts";

interface Bracket {
  readonly open: Selector;
  readonly close: Selector;
  readonly inside?: readonly Selector[];
  readonly reopens?: boolean;
}

const nameOf = ({ event }: Selector): string => [event ?? "event"].flat().join(" or ");

type Role = "open" | "close" | "inside";

interface Step {
  readonly role: Role;
  readonly select: Select;
  readonly one: Picked;
}

export const bracket: Kind = {
  name: "bracket",
  says: "Events of `open` and `close` come in pairs with the same key, and those of `inside` between a pair; nothing of a key follows its `close`, and all are closed at the end of the stream.",
  parameters: {
    open: "selector",
    close: "selector",
    inside: "selectors",
    reopens: { type: "boolean", description: "Whether a key may be opened again after it is closed." },
  },
  required: ["open", "close"],
  compile({ open, close, inside = [], reopens = false }: Bracket) {
    const opening = compileSelector(open);
    const closing = compileSelector(close);
    const between = inside.map(compileSelector);
    const roles: readonly Role[] = ["open", "close", ...between.map(() => "inside" as const)];
    const selects = [opening, closing, ...between];

    /** Visits the events of all roles, in order. Each list is sorted: the next event is the earliest of their heads. */
    function eachStep(view: View, visit: (role: Role, one: Picked, select: Select) => void): void {
      const lists = selects.map((select) => select.present(view));
      const heads = lists.map(() => 0);
      for (;;) {
        let next = -1;
        let earliest = Number.POSITIVE_INFINITY;
        for (let i = 0; i < lists.length; i++) {
          const event = lists[i]![heads[i]!]?.event ?? earliest;
          if (event < earliest) {
            earliest = event;
            next = i;
          }
        }
        if (next < 0) return;
        visit(roles[next]!, lists[next]![heads[next]!++]!, selects[next]!);
      }
    }
    function stepsOf(view: View): Step[] {
      const steps: Step[] = [];
      eachStep(view, (role, one, select) => steps.push({ role, one, select }));
      return steps;
    }

    function faultsIn(view: View): LawFault[] | undefined {
      const faults: LawFault[] = [];
      const states = new Map<Key | undefined, { isOpen: boolean; by: Picked }>();
      let key: Key | undefined;
      let now: { isOpen: boolean; by: Picked } | undefined;
      eachStep(view, (role, one) => {
        if (one.key !== key || now === undefined) {
          key = one.key;
          now = states.get(key);
        }
        if (role === "inside" && now?.isOpen) return;
        const report = (expected: string): void => void faults.push({ spot: spotOf(one), expected, actual: one.value });
        if (!now) {
          if (role !== "open") report(`${nameOf(open)} of its key before it`);
          // Reported once: the events that follow count as opened.
          now = { isOpen: role !== "close", by: one };
          states.set(key, now);
        } else if (role === "open") {
          if (now.isOpen) report(`${nameOf(close)} before the next ${nameOf(open)} of its key`);
          else if (!reopens) report(`no ${nameOf(open)} after ${nameOf(close)} of its key`);
          now.isOpen = true;
          now.by = one;
        } else if (!now.isOpen) report(`nothing of its key after ${nameOf(close)}`);
        else {
          now.isOpen = false;
          now.by = one;
        }
      });
      if (states.size === 0) return undefined;
      if (!view.interrupted)
        for (const { isOpen, by } of states.values())
          if (isOpen)
            faults.push({ spot: spotOf(by), expected: `${nameOf(close)} of its key after it`, actual: by.value });
      return faults;
    }

    return {
      selects,
      judge: faultsIn,
      spoil(draft, attempt) {
        const steps = stepsOf(draft);
        const ends = [...closing.present(draft).reverse(), ...opening.present(draft).reverse()];
        const gone = ends[attempt];
        if (gone) {
          draft.events!.splice(gone.event, 1);
          return true;
        }
        const inner = steps.filter(({ role }) => role === "inside")[attempt - ends.length];
        const last = closing.present(draft).at(-1);
        if (!inner || !last) return false;
        // Moves an inner event behind the last closing one.
        const [moved] = draft.events!.splice(inner.one.event, 1);
        draft.events!.splice(last.event, 0, moved!);
        return true;
      },
      mend(draft: Draft) {
        let key: Key | undefined;
        for (const { role, select, one } of stepsOf(draft)) {
          if (role === "open") key = one.key;
          else if (key !== undefined && one.key !== key && one.key !== undefined) select.assignKey(draft, one, key);
        }
      },
      order: {
        before: [[open, close], ...inside.flatMap((one) => [[open, one] as const, [one, close] as const])],
        with: [[open, close], [close, open], ...inside.map((one) => [one, open] as const)],
      },
    };
  },
};
