/** `order`: which events come first or last, before or after others. */

import type { Kind, LawFault } from "./kind.ts";
import { compileSelector, firstByKey, type Picked, type Selector } from "./selector.ts";
import type { View, ViewEvent } from "./view.ts";

interface Order {
  readonly of: Selector;
  readonly first?: true;
  readonly last?: true;
  readonly before?: Selector;
  readonly after?: Selector;
}

/** Events in words: `message_stop`. */
const nameOf = ({ event, data }: Selector): string =>
  data ?? (event === "*" ? "any event" : [event ?? []].flat().join(" or "));

export const order: Kind = {
  name: "order",
  says: "The events of `of` come `first` or `last` in the stream, or `before` or `after` the events of another selector that have the same key.",
  parameters: {
    of: "selector",
    first: { const: true },
    last: {
      const: true,
      description: "Nothing comes after it. Data that is not JSON, such as [DONE], does not count.",
    },
    before: "selector",
    after: "selector",
  },
  required: ["of"],
  needsOne: ["first", "last", "before", "after"],
  compile({ of, first, last, before, after }: Order) {
    const select = compileSelector(of);
    const other = before ? compileSelector(before) : after ? compileSelector(after) : undefined;
    const eventOf = ({ event }: Picked): number => event;
    const fault = (position: number, expected: string, view: View): LawFault => ({
      spot: { side: "response", in: "stream", event: position, pointer: "" },
      expected,
      actual: view.events![position]!.data,
    });
    /** Data that is not JSON counts only where the law is about such data. */
    const counts = ({ isJson }: ViewEvent): boolean => isJson || of.data !== undefined;
    function edge(view: View): LawFault[] | undefined {
      const events = view.events!;
      const own = select.present(view);
      if (first) {
        const start = events.findIndex(counts);
        if (start < 0) return undefined;
        return own[0]?.event === start ? [] : [fault(start, `${nameOf(of)} as the first event`, view)];
      }
      if (own.length === 0) return undefined;
      const positions = new Set(own.map(eventOf));
      for (let i = own[0]!.event + 1; i < events.length; i++)
        if (counts(events[i]!) && !positions.has(i)) return [fault(i, `nothing after ${nameOf(of)}`, view)];
      return [];
    }
    return {
      selects: other ? [select, other] : [select],
      judge(view) {
        if (view.events === undefined) return undefined;
        if (first || last) return edge(view);
        const bounds = firstByKey(other!.present(view));
        const faults: LawFault[] = [];
        let applies = false;
        for (const one of select.present(view)) {
          const bound = bounds.get(one.key)?.event;
          if (before && bound === undefined) continue;
          applies = true;
          if (before) {
            if (one.event >= bound!) faults.push(fault(one.event, `${nameOf(of)} before ${nameOf(before)}`, view));
          } else if (bound === undefined || bound >= one.event)
            faults.push(fault(one.event, `${nameOf(after!)} before ${nameOf(of)}`, view));
        }
        return applies ? faults : undefined;
      },
      spoil(draft, attempt) {
        const events = draft.events;
        const own = select.present(draft).map(eventOf);
        const from = first ? own[0] : last ? own.at(-1) : own[0];
        if (!events || from === undefined || events.length < 2) return false;
        // Each attempt moves the event to another position.
        const positions = events.map((_event, i) => i).filter((i) => i !== from);
        const to = (before ? [...positions].reverse() : positions)[attempt];
        if (to === undefined || attempt > 20) return false;
        const [moved] = events.splice(from, 1);
        events.splice(to, 0, moved!);
        return true;
      },
      mend(draft) {
        if (!after) return;
        for (const one of select.present(draft)) {
          const earlier = other!.present(draft).filter(({ event }) => event < one.event);
          const nearest = earlier.at(-1);
          if (nearest?.key && earlier.every(({ key }) => key !== one.key)) select.assignKey(draft, one, nearest.key);
        }
      },
      order: {
        ...(first && { first: of, needs: [of] }),
        ...(last && { last: of }),
        ...(before && { before: [[of, before]] as const }),
        ...(after && { before: [[after, of]] as const, with: [[of, after]] as const }),
      },
    };
  },
};
