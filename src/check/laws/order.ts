/** `order`: which events come first or last, before or after others. */

import type { Kind, LawFault } from "./kind.ts";
import { compileSelector, type Picked, type Selector } from "./selector.ts";
import type { View } from "./view.ts";

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

/** Positions of events that `first` and `last` count: data that is not JSON counts only where the law is about such data. */
const countedIn = (view: View, of: Selector): number[] =>
  (view.events ?? []).flatMap(({ isJson }, i) => (isJson || of.data !== undefined ? [i] : []));

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
    const eventOf = ({ spot }: Picked): number => spot.event!;
    const fault = (position: number, expected: string, view: View): LawFault => ({
      spot: { side: "response", in: "stream", event: position, pointer: "" },
      expected,
      actual: view.events![position]!.data,
    });
    function edge(view: View): LawFault[] | undefined {
      const counted = countedIn(view, of);
      const own = new Set(select.present(view).map(eventOf));
      const [start] = counted;
      if (start === undefined) return undefined;
      if (first) return own.has(start) ? [] : [fault(start, `${nameOf(of)} as the first event`, view)];
      const end = counted.findIndex((position) => own.has(position));
      if (end < 0) return undefined;
      const late = counted.find((position) => position > counted[end]! && !own.has(position));
      return late === undefined ? [] : [fault(late, `nothing after ${nameOf(of)}`, view)];
    }
    return {
      selects: other ? [select, other] : [select],
      judge(view) {
        if (view.events === undefined) return undefined;
        if (first || last) return edge(view);
        /** The first position of the other events by key. */
        const bounds = new Map<string, number>();
        for (const one of other!.present(view)) if (!bounds.has(one.key)) bounds.set(one.key, eventOf(one));
        const own = select.present(view).filter(({ key }) => after !== undefined || bounds.has(key));
        if (own.length === 0) return undefined;
        return own.flatMap((one): LawFault[] => {
          const bound = bounds.get(one.key);
          if (before)
            return eventOf(one) < bound! ? [] : [fault(eventOf(one), `${nameOf(of)} before ${nameOf(before)}`, view)];
          const isAfter = bound !== undefined && bound < eventOf(one);
          return isAfter ? [] : [fault(eventOf(one), `${nameOf(after!)} before ${nameOf(of)}`, view)];
        });
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
          const earlier = other!.present(draft).filter(({ spot }) => spot.event! < one.spot.event!);
          const nearest = earlier.at(-1);
          if (nearest && earlier.every(({ key }) => key !== one.key)) select.assignKey(draft, one, nearest.key);
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
