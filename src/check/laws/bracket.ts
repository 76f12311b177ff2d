/** `bracket`: events that lie between an opening and a closing event of the same key. */

import type { Kind, LawFault } from "./kind.ts";
import { compileSelector, type Picked, type Select, type Selector } from "./selector.ts";
import type { Draft, View } from "./view.ts";

interface Bracket {
  readonly open: Selector;
  readonly close: Selector;
  readonly inside?: readonly Selector[];
  readonly reopens?: boolean;
}

const nameOf = ({ event }: Selector): string => [event ?? "event"].flat().join(" or ");

interface Step {
  readonly role: "open" | "close" | "inside";
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
    const stepsOf = (view: View): Step[] =>
      [
        ...opening.present(view).map((one): Step => ({ role: "open", select: opening, one })),
        ...closing.present(view).map((one): Step => ({ role: "close", select: closing, one })),
        ...between.flatMap((select) => select.present(view).map((one): Step => ({ role: "inside", select, one }))),
      ].sort((a, b) => a.one.spot.event! - b.one.spot.event!);

    function* faultsIn(steps: readonly Step[], view: View): Generator<LawFault> {
      const state = new Map<string, { readonly open: boolean; readonly by: Picked }>();
      for (const { role, one } of steps) {
        const now = state.get(one.key);
        const fault = (expected: string): LawFault => ({ spot: one.spot, expected, actual: one.value });
        if (role === "open") {
          if (now?.open) yield fault(`${nameOf(close)} before the next ${nameOf(open)} of its key`);
          else if (now && !reopens) yield fault(`no ${nameOf(open)} after ${nameOf(close)} of its key`);
          state.set(one.key, { open: true, by: one });
        } else if (!now) {
          yield fault(`${nameOf(open)} of its key before it`);
          // Reported once: the events that follow count as opened.
          state.set(one.key, { open: role === "inside", by: one });
        } else if (!now.open) yield fault(`nothing of its key after ${nameOf(close)}`);
        else if (role === "close") state.set(one.key, { open: false, by: one });
      }
      if (view.interrupted) return;
      for (const { open: isOpen, by } of state.values())
        if (isOpen) yield { spot: by.spot, expected: `${nameOf(close)} of its key after it`, actual: by.value };
    }

    return {
      selects: [opening, closing, ...between],
      judge(view) {
        const steps = stepsOf(view);
        return steps.length === 0 ? undefined : [...faultsIn(steps, view)];
      },
      spoil(draft, attempt) {
        const steps = stepsOf(draft);
        const ends = [...closing.present(draft).reverse(), ...opening.present(draft).reverse()];
        const gone = ends[attempt];
        if (gone) {
          draft.events!.splice(gone.spot.event!, 1);
          return true;
        }
        const inner = steps.filter(({ role }) => role === "inside")[attempt - ends.length];
        const last = closing.present(draft).at(-1);
        if (!inner || !last) return false;
        // Moves an inner event behind the last closing one.
        const [moved] = draft.events!.splice(inner.one.spot.event!, 1);
        draft.events!.splice(last.spot.event!, 0, moved!);
        return true;
      },
      mend(draft: Draft) {
        let key: string | undefined;
        for (const { role, select, one } of stepsOf(draft)) {
          if (role === "open") key = one.key;
          else if (key !== undefined && one.key !== key && one.key !== "") select.assignKey(draft, one, key);
        }
      },
      order: {
        before: [[open, close], ...inside.flatMap((one) => [[open, one] as const, [one, close] as const])],
        with: [[open, close], [close, open], ...inside.map((one) => [one, open] as const)],
      },
    };
  },
};
